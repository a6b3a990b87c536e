/**
 * Prints what a request costs by requests so far, over what it costs from the 80 000th to the 100 000th: by runtime, from the
 * warm-ups of kept runs that went on for so long. Servers that were steady earlier are not among them.
 *
 *     node lab/warm-up-curves.ts [FOLDER…]     results/* by default
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRun } from "../bench/runs/read-run.ts";
import { exp, log } from "../bench/statistics/logarithms.ts";
import { sampleOf } from "../bench/statistics/t-interval.ts";

const BAND = 10_000, BANDS = 10;
const given = process.argv.slice(2);
const folders = given.length > 0 ? given : readdirSync("results").map((name) => join("results", name));
const byRuntime = new Map<string, number[][]>();
for (const folder of folders.filter((one) => existsSync(join(one, "journal.ndjson")))) {
  for (const { members } of readRun(folder).lines) {
    for (const { warmup, cell } of members) {
      const [slices] = warmup?.slices ?? [];
      const costs = slices === undefined ? null : bandsOf(slices);
      const runtime = String(cell.point.at["runtime"]);
      if (costs !== null) byRuntime.set(runtime, [...byRuntime.get(runtime) ?? [], costs]);
    }
  }
}
for (const [runtime, curves] of byRuntime) {
  const bands = Array.from({ length: BANDS }, (_, n) => {
    const { mean, sd, n: count } = sampleOf(curves.map((costs) => log(costs[n]!)));
    return `${exp(mean).toFixed(3)} ± ${(sd / Math.sqrt(count)).toFixed(3)}`;
  });
  process.stdout.write(`${runtime}, ${curves.length} warm-ups: ${bands.join("  ")}\n`);
}

/** Costs of each ten thousand requests over the mean of the last two; null where fewer were served. */
function bandsOf(slices: readonly (readonly [requests: number, cpuNs: number])[]): number[] | null {
  const at = Array.from({ length: BANDS + 1 }, (_, n) => spentAt(slices, n * BAND));
  if (at.some(Number.isNaN)) return null;
  const costs = Array.from({ length: BANDS }, (_, n) => at[n + 1]! - at[n]!);
  const last = (costs.at(-1)! + costs.at(-2)!) / 2;
  return costs.map((cost) => cost / last);
}

/** CPU time up to a request, with a straight line inside a slice; NaN beyond the last one. */
function spentAt(slices: readonly (readonly [number, number])[], wanted: number): number {
  let requests = 0, cpuNs = 0;
  for (const [more, cost] of slices) {
    if (requests + more >= wanted) return cpuNs + cost * (more === 0 ? 0 : (wanted - requests) / more);
    requests += more;
    cpuNs += cost;
  }
  return NaN;
}
