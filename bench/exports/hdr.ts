import { deflateSync } from "node:zlib";
import { cellName } from "../record/cell.ts";
import { printable } from "../report/align.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { soloObservations } from "./rows.ts";

/** Significant digits of a value: those that latencies have, see `latencySchema`. */
const DIGITS = 3;
/** The exponent of two of the slots that each doubling of values has: the least with a slot of 1 up to 2 × 10^DIGITS. */
const SLOTS = 10;
/** Cookies of the V2 encoding, and of the same compressed (HdrHistogram's EncodableHistogram.java). */
const ENCODED = 0x1c849313, COMPRESSED = 0x1c849314;

/** Returns the slot of a value in ns: 2048 slots of 1 ns, then 1024 for each doubling. */
function slotOf(ns: number): number {
  let doubled = 0;
  while (ns >= 2 ** (doubled + SLOTS + 1)) doubled++;
  return doubled * 2 ** SLOTS + Math.floor(ns / 2 ** doubled);
}

/** A signed whole number as ZigZag LEB128. */
function zigZag(value: number): number[] {
  const bytes: number[] = [];
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
  return [...bytes, rest];
}

/** Counts of latencies in the compressed V2 encoding of HdrHistogram, in base64. Values become ns. */
function encoded(histogram: readonly (readonly [us: number, count: number])[]): string {
  const counts = new Map<number, number>();
  for (const [us, count] of histogram) {
    const slot = slotOf(Math.round(us * 1_000));
    counts.set(slot, (counts.get(slot) ?? 0) + count);
  }
  const payload: number[] = [];
  let next = 0;
  for (const [slot, count] of [...counts].sort(([a], [b]) => a - b)) {
    // Empty slots are one negative number.
    if (slot > next) payload.push(...zigZag(next - slot));
    payload.push(...zigZag(count));
    next = slot + 1;
  }
  const head = Buffer.alloc(40);
  head.writeInt32BE(ENCODED, 0);
  head.writeInt32BE(payload.length, 4);
  head.writeInt32BE(DIGITS, 12);
  head.writeBigInt64BE(1n, 16);
  const highest = Math.max(2, ...histogram.map(([us]) => Math.round(us * 1_000)));
  head.writeBigInt64BE(BigInt(highest), 24);
  head.writeDoubleBE(1, 32);
  // Stored: how far a deflater packs differs between runtimes, and an export has the same bytes on each.
  const packed = deflateSync(Buffer.concat([head, Buffer.from(payload)]), { level: 0 });
  const outer = Buffer.alloc(8);
  outer.writeInt32BE(COMPRESSED, 0);
  outer.writeInt32BE(packed.length, 4);
  return Buffer.concat([outer, packed]).toString("base64");
}

const seconds = (ms: number) => (ms / 1_000).toFixed(3);

/**
 * The log of HdrHistogram, version 1.3, V2 encoding: a line for each window of a server alone, in the order of measuring,
 * tagged with the cell's name. Values are ns, by which readers print ms; open loops count from when a request was due.
 * Windows whose generator keeps no histogram are comments.
 */
export function toHdr(files: RunFiles): string {
  const { run } = files;
  const began = Date.parse(run.started_at);
  const lines = soloObservations(files).map((solo) => {
    const { line, load, latency, member, round, status } = solo;
    const name = cellName(run.plan.axes, member.cell), histogram = latency?.histogram ?? [];
    if (load === null || histogram.length === 0) return `# no histogram: ${name}, round ${round}, ${status}`;
    const start = seconds(Date.parse(line.started_at) - began), length = seconds(load.duration_us / 1_000);
    const mostMs = Math.max(...histogram.map(([us]) => us)) / 1_000;
    return `Tag=${name.replaceAll(/[\s,]+/g, "_")},${start},${length},${mostMs.toFixed(3)},${encoded(histogram)}`;
  });
  const head = [
    `#[Levelfield run ${run.run}, values in ns, lines in s, Interval_Max in ms]`,
    "#[Histogram log format version 1.3]",
    `#[StartTime: ${seconds(began)} (seconds since epoch), ${new Date(began).toISOString()}]`,
    `#[BaseTime: ${seconds(began)} (seconds since epoch)]`,
    `"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"`,
  ];
  return [...head, ...lines].map((line) => `${printable(line)}\n`).join("");
}
