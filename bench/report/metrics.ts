import { isLowerBound } from "../judge/bound.ts";
import { isFaulty } from "./badge.ts";
import type { CellOutcome, Cost, Figures, OpenLoop, Replies, Speed, Subject } from "../record/card.ts";
import { formatBytes, formatRate, formatUs, percent } from "../basics/units.ts";
import { protocolAt } from "../record/cell.ts";
import { BOUND } from "../record/bound-table.ts";

/** Fields of a card that can be put side by side. */
export type MetricKey =
  | "requests_per_second"
  | "rows_per_second"
  | "transfer_bytes_per_second"
  | "cpu_ns_per_request"
  | "p50_us"
  | "p99_us"
  | "peak_rss_bytes"
  | "startup_ms"
  | "disk_bytes"
  | "error_share";

/** How a metric is called, read and written. */
export interface Metric {
  readonly key: MetricKey;
  readonly title: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
  readonly format: (value: number) => string;
}

/** CPU time in nanoseconds, for tables. */
export const formatCpu = (ns: number) => formatUs(ns / 1_000);
/** Milliseconds for tables, with the digits that the time until a server listens needs. */
export const formatMs = (ms: number): string => formatUs(1_000 * ms);

/** All metrics, the first being the default. */
export const METRICS: readonly Metric[] = [
  { key: "requests_per_second", title: "Requests per second", unit: "req/s", better: "higher", format: formatRate },
  { key: "rows_per_second", title: "Rows per second", unit: "rows/s", better: "higher", format: formatRate },
  {
    key: "transfer_bytes_per_second",
    title: "Transfer per second",
    unit: "of replies",
    better: "higher",
    format: formatBytes,
  },
  { key: "cpu_ns_per_request", title: "CPU time per request", unit: "per request", better: "lower", format: formatCpu },
  { key: "p50_us", title: "Service time, median", unit: "p50", better: "lower", format: formatUs },
  { key: "p99_us", title: "Service time, 99th percentile", unit: "p99", better: "lower", format: formatUs },
  { key: "peak_rss_bytes", title: "Peak memory", unit: "resident", better: "lower", format: formatBytes },
  { key: "startup_ms", title: "Time until it listens", unit: "from its start", better: "lower", format: formatMs },
  { key: "disk_bytes", title: "Files on disk", unit: "on disk", better: "lower", format: formatBytes },
  { key: "error_share", title: "Replies with an error status", unit: "of replies", better: "lower", format: percent },
];

/** A metric by its key; the first for any other text. */
export function metricOf(key: string | null): Metric {
  return METRICS.find((metric) => metric.key === key) ?? METRICS[0]!;
}

/** Reply lengths differ, so bytes per second are shown too; for long replies they are what people ask for. */
const TRANSFER = { ratio: 1.02, bytes: 8_192 };

/** True if the transfer of compared cells adds to their rates. */
export function tellsTransfer(cards: readonly Replies[]): boolean {
  const bytes = cards.flatMap((card) => card.reply_bytes_per_request ?? []);
  const longest = Math.max(...bytes);
  return longest > TRANSFER.bytes || longest > TRANSFER.ratio * Math.min(...bytes);
}

/** The metrics that some card says anything of: rows where the suite counts them, errors where there were any. */
export function shownMetrics(cards: readonly Figures[]): Metric[] {
  return METRICS.filter(({ key }) =>
    cards.some((card) => card[key] !== null && (key !== "error_share" || card[key] > 0))
  );
}

/**
 * True if a card's figure may be ranked: measured without a fault, and limited by neither load generator nor network. A
 * rate that was given is nobody's merit.
 */
export function isRanked(card: CellOutcome & Speed & OpenLoop, key: MetricKey = "requests_per_second"): boolean {
  if (card.open_loop !== undefined && key.endsWith("_per_second")) return false;
  return card.status === "ok" && !isLowerBound(card.bound) && card.requests_per_second !== null;
}

/** A card's value of a metric as shown: `72.1k`, `≥ 72.1k` where it is a lower bound, `–` without one or if the cell is void. */
export function valueText(card: CellOutcome & Figures, metric: Metric): string {
  const value = card[metric.key];
  if (value === null || isFaulty(card)) return "–";
  return (metric.key.endsWith("_per_second") ? BOUND[card.bound].sign : "") + metric.format(value);
}

/** The interval of a card's rate, `[70.2k, 74.0k]`; empty where there is none or the metric has none. */
export function intervalText(card: CellOutcome & Speed, metric: Metric): string {
  const interval = card.requests_per_second_interval;
  if (metric.key !== "requests_per_second" || interval === null || isFaulty(card)) return "";
  return `[${formatRate(interval.low)}, ${formatRate(interval.high)}]`;
}

/** `98.2k req/s [97.0k, 99.1k]`, `≥` included; of a card that has a rate. */
export function rateText(card: CellOutcome & Figures): string {
  return `${valueText(card, METRICS[0]!)} req/s ${intervalText(card, METRICS[0]!)}`.trimEnd();
}

/** By protocol without a server that does nothing: what the generator could do over its fastest cell, by its busiest thread. */
export function spokenCeilings(cards: readonly (Subject & Speed & Cost)[]): string[] {
  const spoken = Map.groupBy(cards, ({ cell }) => protocolAt(cell.point.at));
  return [...spoken].filter(([protocol]) => protocol !== "http").flatMap(([protocol, same]) => {
    const [fastest] = same.toSorted((a, b) => (b.requests_per_second ?? 0) - (a.requests_per_second ?? 0));
    const share = fastest!.generator_share ?? 0;
    return share === 0 ? [] : `over ${protocol} the generator could do ${(1 / share).toFixed(2)} × its fastest cell`;
  });
}

/** Rounds of a cell, and the interval of its rate where one is shown. */
type Sampled = Pick<CellOutcome, "observations_ok"> & Partial<Speed>;

/** The kind of figures of cells measured alone: `one sample`, `median of 14`, `median of 3 to 4, with 95 % intervals`. */
export function sampleText(cards: readonly Sampled[]): string {
  const counts = cards.map(({ observations_ok }) => observations_ok).filter((count) => count > 0);
  const [least, most] = [Math.min(...counts, Infinity), Math.max(...counts, 1)];
  if (most === 1) return "one sample";
  const intervals = cards.some((card) => (card.requests_per_second_interval ?? null) !== null)
    ? ", with 95 % intervals"
    : "";
  return `median of ${least < most ? `${least} to ` : ""}${most}${intervals}`;
}
