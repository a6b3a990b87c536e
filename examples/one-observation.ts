/**
 * Measures one point from a program of your own: `node examples/one-observation.ts bun sqlite 10k`.
 * Everything the command line does is a function; this is the least it takes.
 */
import { formatRate, formatUs, measurePoint, suiteNamed } from "../mod.ts";

const [runtime = "node", store = "map", sizeText = "1k"] = process.argv.slice(2);
const suite = suiteNamed("users")!;
const size = suite.axes.find(({ name }) => name === "size")!.parse(sizeText) ?? 1_000;
const observation = await measurePoint({ suite, at: { runtime, store, size }, durationMs: 1_000 });

if (observation.status === "ok") {
  process.stdout.write(
    `${runtime}/${store}/${sizeText}: ${formatRate(observation.load!.requests_per_second)} req/s, ` +
      `p99 ${formatUs(observation.latency!.p99_us!)}, ${observation.bound}-bound\n`,
  );
} else {
  process.stderr.write(`${observation.status}: ${observation.marks[0]?.text}\n`);
  process.exitCode = 1;
}
