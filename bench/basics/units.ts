/** Returns a number of things: `1 cell`, `2 cells`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A whole number for people, its digits in groups: `200 000`. */
export const grouped = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, " ");

/** Reads a duration such as `3s`, `500ms`, `2m` into milliseconds; undefined for any other text. */
export function parseDurationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * { ms: 1, s: 1_000, m: 60_000 }[match[2] as "ms" | "s" | "m"];
}

/** A duration for people: `0.4s`, `12s`, `3m 20s`, `1h 5m`. */
export function formatDurationMs(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** A rate for tables, three significant digits: `98.2k`, `5.31`, `1.20M`. */
export function formatRate(perSecond: number): string {
  if (perSecond >= 999_500_000) return `${(perSecond / 1e9).toPrecision(3)}G`;
  if (perSecond >= 999_500) return `${(perSecond / 1e6).toPrecision(3)}M`;
  if (perSecond >= 999.5) return `${(perSecond / 1e3).toPrecision(3)}k`;
  return perSecond.toPrecision(3);
}

/** Bytes for tables, binary units: `12 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  const unit = Math.max(0, units.findLastIndex((_, power) => bytes >= 1024 ** power));
  const value = bytes / 1024 ** unit;
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toPrecision(3)} ${units[unit]}`;
}

/** Microseconds for tables: `119ns`, `312µs`, `4.10ms`, `1.20s`. */
export function formatUs(us: number): string {
  if (us > 0 && us < 0.9995) return `${(1_000 * us).toPrecision(3)}ns`;
  if (us < 1_000) return `${us < 100 ? us.toPrecision(3) : Math.round(us)}µs`;
  if (us < 1_000_000) return `${(us / 1_000).toPrecision(3)}ms`;
  return `${(us / 1_000_000).toPrecision(3)}s`;
}

/** Returns CPU time in nanoseconds for tables. */
export const formatCpu = (ns: number): string => formatUs(ns / 1_000);

/** Returns milliseconds for tables, with the digits that the time until a server listens needs. */
export const formatMs = (ms: number): string => formatUs(1_000 * ms);

/** Returns a figure as tables show it; a dash if it is null. */
export const orDash = <T extends number>(value: T | null | undefined, format: (value: T) => string): string =>
  value === null || value === undefined ? "–" : format(value);

/** Returns a range in words: `2 to 6`, or `4` if both ends are equal. */
export const fromTo = (least: string, most: string): string => least === most ? least : `${least} to ${most}`;

/** A ratio for people, two or three significant digits: `0.031`, `1.31`, `12.4`, `6400`. */
export function formatRatio(ratio: number): string {
  if (ratio > 0 && ratio < 0.095) return ratio.toPrecision(2);
  return ratio >= 99.5 ? String(Math.round(ratio)) : ratio >= 9.95 ? ratio.toFixed(1) : ratio.toFixed(2);
}

/** A ratio in two digits, for answers: `1.7`, `0.77`, `19`, `1900`; near 1 in three: `1.04`. */
export function twoDigits(ratio: number): string {
  if (ratio > 0.905 && ratio < 1.095) return ratio.toFixed(2);
  const [whole] = [Number(ratio.toPrecision(2))];
  return whole >= 10 ? String(whole) : whole.toPrecision(2);
}

/** A text without the stop at its end, as a part of a sentence. */
export const withoutStop = (text: string): string => text.endsWith(".") ? text.slice(0, -1) : text;

/** A text with a capital letter at its start. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A clause as a sentence: with a capital and a stop. */
export const asSentence = (text: string): string => `${capitalized(text)}.`;

/** A share for people: 0.0312 is `3.1 %`. */
export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** A limit on a latency, such as `p99<10ms`. */
export interface Limit {
  /** Share of the requests, 0 to 1. */
  readonly share: number;
  readonly us: number;
  readonly text: string;
}

/** Reads `p99<10ms` or `p99.9<500us`; undefined when it is none. */
export function parseLimit(text: string): Limit | undefined {
  const match = /^p(\d{1,2}(?:\.\d+)?)<(\d+(?:\.\d+)?)(us|ms|s)$/.exec(text.replaceAll(" ", ""));
  if (match === null) return undefined;
  const share = Number((Number(match[1]) / 100).toPrecision(10));
  const us = Number(match[2]) * { us: 1, ms: 1e3, s: 1e6 }[match[3] as "us" | "ms" | "s"];
  return share > 0 && us > 0 ? { share, us, text: `p${match[1]}<${match[2]}${match[3]}` } : undefined;
}
