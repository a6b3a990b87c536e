/**
 * Measures one cell from a program of your own: `node examples/one-trial.ts bun sqlite 10k`.
 * Everything the command line does is a function; this is the least it takes.
 */
import { formatRate, formatUs, measureCell, parseSize } from "../mod.ts";

const [runtime = "node", store = "map", size = "1k"] = process.argv.slice(2);
const trial = await measureCell({ runtime, store, size: parseSize(size) ?? 1_000, durationMs: 1_000 });

if (trial.status === "ok") {
  process.stdout.write(
    `${runtime}/${store}/${size}: ${formatRate(trial.load!.requests_per_second)} req/s, ` +
      `p99 ${formatUs(trial.latency!.p99_us)}, ${trial.bound}-bound\n`,
  );
} else {
  process.stderr.write(`${trial.status}: ${trial.reasons[0]?.message}\n`);
  process.exitCode = 1;
}
