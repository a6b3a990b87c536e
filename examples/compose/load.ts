/**
 * Waits for the server of the other container, loads it with wrk as a run does, and prints one JSON line.
 * A look, not a result: one trial, no oracle and no counters. `bench run` in one container has all of them.
 */
import { execFileSync } from "node:child_process";
import { parseSize } from "../../bench/core/units.ts";
import { wrk } from "../../bench/generators/wrk.ts";

const url = process.env["SERVER"] ?? "http://127.0.0.1:8080";
const size = parseSize(process.env["SIZE"] ?? "10k") ?? 10_000;

const healthy = () => fetch(`${url}/health`).then((reply) => reply.ok, () => false);
for (let tries = 0; !await healthy(); tries++) {
  if (tries === 600) throw new Error(`"${url}" did not answer for a minute`);
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const plan = {
  urls: [url],
  connections: 50,
  threads: 1,
  durationMs: 3_000,
  timeoutMs: 10_000,
  requests: { kind: "ids", size, dataSeed: 42, drawSeed: 1, missShare: 0 },
} as const;
const measure = () => wrk.parse(execFileSync(wrk.program, wrk.args(plan), { encoding: "utf8" }), plan);

measure(); // warm-up
const { requests, durationUs, errors } = measure();
const rate = Math.round(requests / (durationUs / 1e6));
process.stdout.write(JSON.stringify({ requests_per_second: rate, requests, duration_us: durationUs, errors }) + "\n");
