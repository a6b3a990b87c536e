import type { Mark } from "../record/outcome-schema.ts";
import { growthOf, type HeldSample } from "../statistics/growth.ts";
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

/** More descriptors than connections and files account for; a leak also needs one for so many requests. */
const LEAST_DESCRIPTORS = 64;
const REQUESTS_A_DESCRIPTOR = 10_000;

/** Evenly chosen readings of a long row, the last of them kept. */
export function thinned(readings: readonly SizeReading[]): SizeReading[] {
  const every = Math.ceil(readings.length / MOST_READINGS);
  return readings.filter((_, n) => (readings.length - 1 - n) % every === 0);
}

/**
 * Finds a leak in an observation, from the second half of its readings, when the server has built up all it needs. Its
 * memory must rise (Mann-Kendall), by more than a heap before its collection, and by more for each request than a sound
 * server keeps (Theil-Sen, see {@link growthOf}). And it must rise at least half as fast from the reading before the
 * window, the last but one, to the one after it. The same holds for descriptors. Null without a leak, or with too few
 * readings.
 */
export function leakOf(readings: readonly SizeReading[]) {
  const half = readings.slice(Math.floor(readings.length / 2));
  const [before, after] = readings.slice(-2);
  if (before === undefined || after === undefined || after[0] <= before[0]) return null;
  const goesOn = (place: 1 | 2) => (after[place] - before[place]) / (after[0] - before[0]);
  const samples = half.map(([requests, bytes, descriptors]): HeldSample => ({ requests, bytes, descriptors }));
  const memory = growthOf(samples);
  if (memory?.leaks && rises(half.map(([, bytes]) => bytes)) && goesOn(1) >= memory.bytesPerRequest / 2) {
    return { of: "memory" as const, perRequest: memory.bytesPerRequest, readings: half.length };
  }
  const open = growthOf(samples.map((sample) => ({ ...sample, bytes: sample.descriptors })));
  const many = open !== null && open.grownBytes >= LEAST_DESCRIPTORS &&
    open.bytesPerRequest * REQUESTS_A_DESCRIPTOR >= 1;
  return many && rises(half.map(([, , descriptors]) => descriptors)) && goesOn(2) >= open.bytesPerRequest / 2
    ? { of: "descriptors" as const, perRequest: open.bytesPerRequest, readings: half.length }
    : null;
}

function rises(values: readonly number[]): boolean {
  const found = trend(values);
  return found.kind === "known" && found.tau > 0 && found.p < LEAK_P;
}

/**
 * Bytes by which a server that leaked grew in its window and did not give back after it; null if that is what heaps do:
 * too little, too small a share of what it held before, or far more a request than in its warm-up.
 */
export function keptOf(readings: readonly SizeReading[]): { readonly bytes: number; readonly share: number } | null {
  const leak = leakOf(readings);
  const [before, after] = readings.slice(-2);
  if (leak?.of !== "memory" || before === undefined || after === undefined) return null;
  const bytes = after[1] - before[1], share = bytes / before[1];
  const { keptLeastBytes, keptShare, keptSteeper } = THRESHOLDS;
  return bytes < keptLeastBytes || share < keptShare || bytes > keptSteeper * leak.perRequest * (after[0] - before[0])
    ? null
    : { bytes, share };
}

/** Returns the mark of a server that leaked in most observations; it withholds verdicts where windows add much. */
export function leakMark(observations: readonly (readonly SizeReading[])[]): Mark | null {
  const text = leakText(observations);
  if (text === null) return null;
  const kept = observations.flatMap((readings) => keptOf(readings) ?? []);
  if (2 * kept.length <= observations.length) return mark("leak", `${text}: it seems to leak`);
  const grown = formatBytes(median(kept.map(({ bytes }) => bytes)));
  const share = percent(median(kept.map((one) => one.share)));
  return mark(
    "memory-kept",
    `${text}: a window added ${grown}, ${share} of what it held, and rest did not give it back`,
  );
}

function leakText(observations: readonly (readonly SizeReading[])[]): string | null {
  const leaks = observations.flatMap((readings) => leakOf(readings) ?? []);
  const [first] = leaks;
  if (first === undefined || 2 * leaks.length <= observations.length) return null;
  const same = leaks.filter((leak) => leak.of === first.of);
  const perRequest = median(same.map((leak) => leak.perRequest));
  const every = counted(Math.round(1 / perRequest), "request");
  const much = first.of === "memory"
    ? `its memory grows by ${formatBytes(perRequest)} a request`
    : `it keeps a file or socket open for every ${every}`;
  return `${much}, in ${same.length} of ${counted(observations.length, "observation")} ` +
    `(Theil-Sen slope of ${first.readings} readings, Mann-Kendall p < ${LEAK_P})`;
}
