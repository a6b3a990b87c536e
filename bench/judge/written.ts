import { counted, formatBytes } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { median } from "../statistics/median.ts";

/** [requests sent so far, bytes written to disks]. */
type Reading = readonly [requests: number, bytes: number];

/** Less is what a log or a runtime's own files write; what a database commits is a page of 4 KiB and more. */
const LEAST_BYTES = 1_000_000;
const LEAST_BYTES_A_REQUEST = 64;

/** Returns the mark of a server that had bytes written to disks with its requests in most observations. */
export function writtenMark(observations: readonly (readonly Reading[])[]): Mark | null {
  const known = observations.flatMap((readings) => {
    const [first, last] = [readings[0], readings.at(-1)];
    if (first === undefined || last === undefined || last[0] <= first[0]) return [];
    const bytes = last[1] - first[1];
    return [{ bytes, each: bytes / (last[0] - first[0]) }];
  });
  const writing = known.filter(({ bytes, each }) => bytes >= LEAST_BYTES && each >= LEAST_BYTES_A_REQUEST);
  if (writing.length === 0 || 2 * writing.length <= known.length) return null;
  const [each, bytes] = [median(writing.map((one) => one.each)), median(writing.map((one) => one.bytes))];
  return mark(
    "disk-written",
    `it has ${formatBytes(each)} written to disk a request (${formatBytes(bytes)} in all), in ${writing.length} of ` +
      `${counted(known.length, "observation")}${burstsText(observations)}: ` +
      "write-back and checkpoints fall into some windows and not into others",
  );
}

/** Between two readings a request may have this many times what it has between two others: more is bursts. */
const BURSTS = 2;

/** Returns in words how unlike the bytes a request are from one reading to the next; empty where they are alike. */
function burstsText(observations: readonly (readonly Reading[])[]): string {
  const each = observations.flatMap((readings) =>
    readings.slice(1).flatMap(([requests, bytes], n) => {
      const [before, had] = readings[n]!;
      return requests > before ? [(bytes - had) / (requests - before)] : [];
    })
  );
  const [least, most] = [Math.min(...each), Math.max(...each)];
  return most < BURSTS * least || each.length < 2
    ? ""
    : `, in bursts of ${formatBytes(least)} to ${formatBytes(most)} a request from one load to the next`;
}
