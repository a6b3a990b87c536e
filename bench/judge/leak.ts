import type { Mark } from "../record/outcome-schema.ts";
import { growthOf } from "../statistics/growth.ts";
import { counted, formatBytes, percent } from "../basics/units.ts";
import { median } from "../statistics/median.ts";
import { trend } from "../statistics/trend.ts";
import { mark } from "../record/mark.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Sizes of a server as results keep them: requests it had been sent, resident bytes, open descriptors. */
export type SizeReading = readonly [requests: number, bytes: number, descriptors: number];

/** Readings kept of an observation: enough for a slope, and a line of the journal stays short. */
const MOST_READINGS = 40;

/** Chance below which a rise is none by chance, whatever the readings: they are many, so it is set far below 5 %. */
const LEAK_P = 0.001;

/** More descriptors than connections and files explain; a leak also needs one for so many requests. */
const LEAST_DESCRIPTORS = 64;
const REQUESTS_A_DESCRIPTOR = 10_000;

/** Thins a long row of readings evenly, and keeps the last one. */
export function thinReadings(readings: readonly SizeReading[]): SizeReading[] {
  const every = Math.ceil(readings.length / MOST_READINGS);
  return readings.filter((_, n) => (readings.length - 1 - n) % every === 0);
}

/**
 * Finds a leak in an observation, from the second half of its readings, when the server has built up all it needs. Its
 * memory must rise (Mann-Kendall), by more than a heap before its collection, and by more for each request than a sound
 * server keeps (Theil-Sen, see {@link growthOf}). And it must rise at least half as fast from the reading before the
 * window, the last but one, to the one after it. The same holds for descriptors. Null without a leak, or with too few
 * readings.
 *
 * Its `kept` is the memory by which the server grew in its window and did not give back after it; null if that is what
 * heaps do: too little, too small a share of what it held before, or far more a request than in its warm-up.
 */
export function leakOf(readings: readonly SizeReading[]) {
  const half = readings.slice(Math.floor(readings.length / 2));
  const [before, after] = readings.slice(-2);
  if (before === undefined || after === undefined || after[0] <= before[0]) return null;
  for (const what of ["memory", "descriptors"] as const) {
    const place = what === "memory" ? 1 : 2, values = half.map((reading) => reading[place]);
    const growth = growthOf(half.map(([requests], n) => ({ requests, bytes: values[n]! })));
    if (growth === null) return null;
    const { bytesPerRequest: perRequest, grownBytes, leaks } = growth;
    const isMuch = what === "memory"
      ? leaks
      : grownBytes >= LEAST_DESCRIPTORS && perRequest * REQUESTS_A_DESCRIPTOR >= 1;
    const [bytes, requests] = [after[place] - before[place], after[0] - before[0]];
    if (!isMuch || !rises(values) || bytes / requests < perRequest / 2) continue;
    const { keptLeastBytes, keptShare, keptSteeper } = THRESHOLDS, share = bytes / before[place];
    const isKept = what === "memory" && bytes >= keptLeastBytes && share >= keptShare &&
      bytes <= keptSteeper * perRequest * requests;
    return { of: what, perRequest, readings: half.length, kept: isKept ? { bytes, share } : null };
  }
  return null;
}

function rises(values: readonly number[]): boolean {
  const found = trend(values);
  return found.kind === "known" && found.tau > 0 && found.p < LEAK_P;
}

/** Returns the mark of a server that leaked in most observations; it withholds verdicts where windows add much. */
export function leakMark(observations: readonly (readonly SizeReading[])[]): Mark | null {
  const leaks = observations.flatMap((readings) => leakOf(readings) ?? []);
  const [first] = leaks;
  if (first === undefined || 2 * leaks.length <= observations.length) return null;
  const same = leaks.filter((leak) => leak.of === first.of);
  const perRequest = median(same.map((leak) => leak.perRequest));
  const every = counted(Math.round(1 / perRequest), "request");
  const much = first.of === "memory"
    ? `its memory grows by ${formatBytes(perRequest)} a request`
    : `it keeps a file or socket open for every ${every}`;
  const text = `${much}, in ${same.length} of ${counted(observations.length, "observation")} ` +
    `(Theil-Sen slope of ${first.readings} readings, Mann-Kendall p < ${LEAK_P})`;
  const kept = leaks.flatMap((leak) => leak.kept ?? []);
  if (2 * kept.length <= observations.length) return mark("leak", `${text}: it seems to leak`);
  const grown = formatBytes(median(kept.map(({ bytes }) => bytes)));
  const share = percent(median(kept.map((one) => one.share)));
  return mark(
    "memory-kept",
    `${text}: a window added ${grown}, ${share} of what it held, and rest did not give it back`,
  );
}
