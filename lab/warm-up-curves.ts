/**
 * Prints what warm-ups of kept runs tell of later requests, the first two from those that went on to the 100 000th.
 *
 *     node lab/warm-up-curves.ts [FOLDER…]     results/* by default
 *
 * 1. By runtime: what a request costs by requests so far, over what it costs from the 80 000th to the 100 000th.
 * 2. By runtime: what a window costs among others after longer warm-ups of the same server.
 * 3. By requests before a window: how far its cost over the same scatters from round to round, how far two servers of a run
 *    truly differ in it, and for how many servers their rounds show that it is level, at 90 %.
 * 4. Requests of servers that settle together, over those of as much time in their warm-ups.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../bench/basics/units.ts";
import { everyTwo } from "../bench/plan/families.ts";
import { SETTLE_TOGETHER_MS } from "../bench/plan/lengths.ts";
import { cellKey } from "../bench/record/cell.ts";
import { journalName } from "../bench/runs/journal-file.ts";
import { readRun } from "../bench/runs/read-run.ts";
import { exp, log } from "../bench/statistics/logarithms.ts";
import { sampleOf, standardError, tInterval } from "../bench/statistics/t-interval.ts";
import { mean, sum } from "../bench/statistics/variation.ts";

const BAND = 10_000, BANDS = 10, WINDOW = 20_000;
/** Requests of a server's warm-ups that tell what more of them do: least and most that count, and the least difference. */
const LEAST = 40_000, MOST = 130_000, APART = 15_000;

type Slices = readonly (readonly [requests: number, cpuNs: number])[];

const folders = process.argv[2] ? process.argv.slice(2) : readdirSync("results").map((name) => join("results", name));
const all = folders.filter((one) => existsSync(join(one, journalName(one)))).flatMap((run) =>
  readRun(run).lines.flatMap((line) =>
    line.members.flatMap(({ warmup, cell, cpu_ns_per_request: cost, marks }, n) => {
      const [slices] = warmup?.slices ?? [];
      if (warmup === null || slices === undefined) return [];
      const settling = sum((line.warmup?.slices?.[n] ?? []).map(([requests]) => requests));
      const common = mean(line.members.map((member) => log(member.cpu_ns_per_request ?? NaN)));
      return {
        ...{ run, slices, runtime: String(cell.point.at["runtime"]), server: `${run} ${cellKey(cell)}` },
        ...{ requests: warmup.requests, isPlanned: warmup.ended === "planned" },
        windowCost: line.members.length < 3 || marks.length > 0 ? NaN : log(cost ?? NaN) - common,
        settled: settling / (warmup.requests / warmup.duration_us * 1e3 * SETTLE_TOGETHER_MS),
      };
    })
  )
);
const say = (line: string) => process.stdout.write(`${line}\n`);
const percents = (value: number) => `${(100 * value).toFixed(1)} %`;
const byRuntime = [...Map.groupBy(all, ({ runtime }) => runtime)];
const byServer = (some: typeof all) => [...Map.groupBy(some, ({ server }) => server).values()];

for (const [runtime, some] of byRuntime) {
  const curves = some.map(({ slices }) => Array.from({ length: BANDS }, (_, n) => over(slices, n * BAND, BAND)))
    .filter((curve) => !curve.some(Number.isNaN));
  const usable = byServer(some.filter(({ isPlanned, windowCost }) => !isPlanned && !Number.isNaN(windowCost)))
    .map((ofServer) => ofServer.map(({ requests, windowCost }) => [Math.min(requests, MOST), windowCost] as const))
    .filter((points) => {
      const requests = points.map(([x]) => x).sort((a, b) => a - b);
      return points.length > 2 && requests[0]! >= LEAST && requests.at(-1)! - requests[0]! >= APART;
    });
  if (curves.length < 2 || usable.length < 2) continue;
  const bands = Array.from({ length: BANDS }, (_, n) => sampleOf(curves.map((curve) => curve[n]!)));
  const texts = bands.map((band) => `${exp(band.mean).toFixed(3)} ± ${standardError(band).toFixed(3)}`);
  say(`${runtime}, ${counted(curves.length, "warm-up")}: ${texts.join("  ")}`);
  const points = usable.flatMap((ofServer) => {
    const [x, y] = [mean(ofServer.map((one) => one[0])), mean(ofServer.map((one) => one[1]))];
    return ofServer.map((one) => [one[0] - x, one[1] - y] as const);
  });
  // One straight line's slope for all servers.
  const spread = sum(points.map(([x]) => x ** 2)), slope = sum(points.map(([x, y]) => x * y)) / spread;
  const left = sum(points.map(([x, y]) => (y - slope * x) ** 2)) / (points.length - usable.length - 1);
  const [change, error] = [slope, Math.sqrt(left / spread)].map((each) => percents(WINDOW * each));
  say(`  a window after ${WINDOW} more: ${change} ± ${error}, of ${counted(usable.length, "server")}`);
}

for (const from of [10_000, 20_000, 30_000, 40_000, 50_000, 60_000]) {
  const known = byServer(all).flatMap((some) => {
    const logs = some.map(({ slices }) => over(slices, from, WINDOW)).filter((one) => !Number.isNaN(one));
    return logs.length < 2 ? [] : { run: some[0]!.run, ...sampleOf(logs) };
  });
  const scatter = Math.sqrt(sum(known.map(({ n, sd }) => (n - 1) * sd ** 2)) / sum(known.map(({ n }) => n - 1)));
  // What means differ by beyond what their rounds scatter.
  const pairs = [...Map.groupBy(known, ({ run }) => run).values()].flatMap(everyTwo);
  const apart = mean(pairs.map(([a, b]) => (a.mean - b.mean) ** 2 - standardError(a) ** 2 - standardError(b) ** 2));
  const reach = known.map((one) => tInterval(one, 0.9)).map(({ low, high }) => Math.max(-low, high));
  const shown = [0.01, 0.02, 0.05].map((limit) => `${reach.filter((one) => one < limit).length} by ${percents(limit)}`);
  const texts = [scatter, Math.sqrt(Math.max(0, apart))].map(percents).join(", two differ by ");
  say(`after ${from}: scatter ${texts}; of ${counted(known.length, "server")} level: ${shown.join(", ")}`);
}

const settled = all.filter((one) => !one.isPlanned && one.settled > 0).map((one) => one.settled).sort((a, b) => a - b);
const quantiles = [5, 10, 50].map((p) => `${p} % below ${settled[settled.length * p / 100 | 0]?.toFixed(2)}`);
say(`settling: ${quantiles.join(", ")}`);

/** The log cost of so many requests over the mean of the last twenty thousand; NaN where fewer were served. */
function over(slices: Slices, from: number, requests: number): number {
  const [begin, end, last, all] = [from, from + requests, 80_000, 100_000].map((wanted) => spentAt(slices, wanted));
  return log((end! - begin!) / requests) - log((all! - last!) / 20_000);
}

/** CPU time up to a request, with a straight line inside a slice; NaN beyond the last one. */
function spentAt(slices: Slices, wanted: number): number {
  let requests = 0, cpuNs = 0;
  for (const [more, cost] of slices) {
    if (requests + more >= wanted) return cpuNs + cost * (more === 0 ? 0 : (wanted - requests) / more);
    requests += more;
    cpuNs += cost;
  }
  return NaN;
}
