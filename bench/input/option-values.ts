import type { OptionName } from "./options.ts";
import type { Args } from "./read-args.ts";
import { parseCpuList } from "../basics/cpu-list.ts";
import { usageError } from "../basics/errors.ts";
import type { PlacementWish } from "../core/placement.ts";
import { parseDurationMs } from "../basics/units.ts";
import { unknownName } from "../basics/unknown-name.ts";
import type { HostsWish } from "../observe/connect-hosts.ts";

/** Words with commas between them. */
export const wordsOf = (text: string): string[] =>
  text.split(",").map((word) => word.trim()).filter((word) => word !== "");

/** Reads a comma-separated option against the names there are; undefined when it is not given. */
export function namesFrom<T extends string>(
  args: Args,
  option: OptionName,
  what: string,
  known: readonly T[],
): T[] | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const names = wordsOf(text);
  if (names.length === 0) throw usageError(`--${option} names no ${what}`, `known are ${known.join(", ")}`);
  for (const name of names) {
    if (!known.includes(name as T)) throw unknownName(what, name, known);
  }
  return known.filter((name) => names.includes(name));
}

/** Reads a whole number; undefined when it is not given. */
export function numberFrom(args: Args, option: OptionName, least: number, most: number): number | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const value = /^\d+(_\d+)*$/.test(text) ? Number(text.replaceAll("_", "")) : NaN;
  if (!(value >= least && value <= most)) {
    throw usageError(`--${option} "${text}" is no whole number from ${least} to ${most}`, "give it as digits");
  }
  return value;
}

/** Reads whole seconds in milliseconds; undefined when they are not given. */
export function durationFrom(
  args: Args,
  option: "duration" | "warmup" | "think" | "timeout",
): number | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    throw usageError(`--${option} "${text}" is no duration`, `durations are written 3s, 500ms or 2m`);
  }
  if (ms < 1_000 || ms > 600_000 || ms % 1_000 !== 0) {
    throw usageError(
      `--${option} "${text}" is not whole seconds from 1s to 10m`,
      option === "think" ? "for example 10s" : "wrk counts in whole seconds",
    );
  }
  return ms;
}

/** Reads a number above 0, or a share from 0 to 1; undefined when it is not given. */
export function fractionFrom(args: Args, option: OptionName, range: "positive" | "share"): number | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  const value = /^(\d[\d_]*)?\.?\d+$/.test(text) ? Number(text.replaceAll("_", "")) : NaN;
  if (range === "positive" ? value > 0 : value >= 0 && value <= 1) return value;
  throw range === "positive"
    ? usageError(`--${option} "${text}" is no number above 0`, "such as 20 or 0.5")
    : usageError(`--${option} "${text}" is no share from 0 to 1`, "for example 0.3");
}

/** Reads the CPUs asked for. */
export function placementWishFrom(args: Args): PlacementWish {
  const list = (option: "server-cpus" | "load-cpus") => {
    const text = args.value(option);
    if (text === undefined) return undefined;
    const cpus = parseCpuList(text);
    if (cpus === undefined) {
      throw usageError(`--${option} "${text}" is no list of CPUs`, `lists are written 1 or 2-3,5`);
    }
    return cpus;
  };
  const serverCpus = list("server-cpus");
  const loadCpus = list("load-cpus");
  return { ...(serverCpus && { serverCpus }), ...(loadCpus && { loadCpus }) };
}

/** Options that say where servers and load generator run. */
export const HOST_OPTIONS = ["server-host", "load-host", "server-address"] as const;

/** Reads the hosts asked for. */
export function hostsWishFrom(args: Args): HostsWish {
  const [server, load, address] = HOST_OPTIONS.map((option) => args.value(option));
  return { server, load, address };
}

/** Reads the port to listen on. */
export const portFrom = (args: Args): number => numberFrom(args, "port", 0, 65_535) ?? 8080;
