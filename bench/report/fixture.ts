/** Made-up runs for tests, cloned from real lines: a matrix of any size, noise and faults included, always the same. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "../core/random.ts";
import type { DuetRecord } from "../core/result/duet-record.ts";
import type { JournalLine } from "../core/result/journal-line.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { TrialRecord } from "../core/result/trial-record.ts";

/** Which matrix to make. */
export interface FixtureAxes {
  readonly runtimes: readonly string[];
  readonly stores: readonly string[];
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly run: string;
  /** Factor on every rate: to make a later run that differs. */
  readonly speed: number;
}

/** The matrix most tests use. */
export const AXES: FixtureAxes = {
  runtimes: ["node", "deno", "bun"],
  stores: ["linear", "map", "binary", "sqlite", "drizzle"],
  sizes: [10_000, 100_000, 1_000_000],
  rounds: 6,
  run: "2026-11-20-120000",
  speed: 1,
};

/** Real lines of a small run: one trial, one duet, one ceiling, and its run.json. */
interface Seed {
  readonly run: RunRecord;
  readonly trial: TrialRecord;
  readonly duet: DuetRecord;
  readonly ceiling: JournalLine;
}

const seed: Seed = JSON.parse(readFileSync(join(fileURLToPath(new URL(".", import.meta.url)), "fixture.json"), "utf8"));

const RUNTIME_SPEED: Readonly<Record<string, number>> = { node: 0.76, deno: 1, bun: 1.02 };
/** Requests per second on the fastest runtime and the exponent of its growth with the number of users. */
const STORE_RATE: Readonly<Record<string, readonly [rate: number, exponent: number]>> = {
  linear: [480, -1],
  map: [68_000, 0],
  binary: [26_000, -0.02],
  sqlite: [50_000, -0.01],
  drizzle: [31_000, -0.01],
};

/** A run of the given axes with its journal. Equal axes give equal runs. */
export function makeFixture(change: Partial<FixtureAxes> = {}): { run: RunRecord; lines: JournalLine[] } {
  const axes = { ...AXES, ...change };
  const random = createRandom(7);
  const noise = (share: number) => 1 + share * (random() + random() - 1);
  const { rounds } = axes;
  const cells = axes.sizes.flatMap((size) =>
    axes.stores.flatMap((store) =>
      axes.runtimes.map((runtime) => ({ suite: "users", workload: "read", runtime, store, size }))
    )
  );
  const twin = cells.find((cell) => cell.runtime === "deno" && cell.store === "sqlite") ?? cells[0]!;
  const subjects = [...cells.map((cell) => ({ cell, label: "main" })), { cell: twin, label: "aa" }];
  const lines: JournalLine[] = [];
  const at = (n: number) => new Date(Date.parse("2026-11-20T12:00:00.000Z") + 4_000 * n).toISOString();
  const rateOf = ({ runtime, store, size }: TrialRecord["cell"]) => {
    const [rate, exponent] = STORE_RATE[store] ?? [10_000, 0];
    return axes.speed * rate * (RUNTIME_SPEED[runtime] ?? 1) * (size / 10_000) ** exponent;
  };
  const next = () => ({ index: lines.length, started_at: at(lines.length) });
  for (let round = 0; round < rounds; round++) {
    lines.push({ ...seed.ceiling, ...next(), round } as JournalLine);
    for (const { cell, label } of subjects) {
      lines.push(trialOf(cell, label, round, rateOf(cell) * noise(0.03), next()));
    }
  }
  const duets = axes.sizes.flatMap((size) =>
    axes.stores.flatMap((store) => {
      const own = subjects.filter(({ cell, label }) => cell.size === size && cell.store === store && label === "main");
      return own.flatMap((a, n) => own.slice(n + 1).map((b) => ({ purpose: "runtimes" as const, a, b })));
    })
  );
  duets.unshift({ purpose: "aa" as never, a: { cell: twin, label: "main" }, b: { cell: twin, label: "aa" } });
  for (let round = 0; round < rounds; round++) {
    for (const { a, b } of duets) {
      const costs = [a, b].map(({ cell }) => 1e9 / rateOf(cell) * noise(0.01));
      const side = (n: 0 | 1, subject: typeof a): DuetRecord["a"] => ({
        ...seed.duet[n === 0 ? "a" : "b"],
        ...subject,
        cpu_ns_per_request: costs[n]!,
      });
      lines.push({
        ...seed.duet,
        ...next(),
        round,
        a: side(0, a),
        b: side(1, b),
        log_ratio: Math.log(costs[1]! / costs[0]!),
      });
    }
  }
  const run: RunRecord = {
    ...seed.run,
    run: axes.run,
    started_at: at(0),
    finished_at: at(lines.length),
    plan: { ...seed.run.plan, subjects, duets, rounds },
    runtimes: axes.runtimes.map((name) => ({
      ...seed.run.runtimes[0]!,
      label: name,
      wanted: name,
      name,
      version: VERSIONS[name] ?? "1.0.0",
    })),
    stores: axes.stores.map((name) => ({
      name,
      title: name,
      complexity: name === "linear" ? "O(n)" : name === "map" ? "O(1)" : "O(log n)",
      durability: name === "map" ? "memory" : "buffered",
    })),
    data_sets: axes.sizes.map((size) => ({ ...seed.run.data_sets[0]!, size })),
  };
  return { run, lines };
}

const VERSIONS: Readonly<Record<string, string>> = { node: "26.10.0", deno: "2.9.5", bun: "1.4.5" };

/** One trial at a rate: the real line with its figures scaled; three cells are made to be marked. */
function trialOf(
  cell: TrialRecord["cell"],
  label: string,
  round: number,
  rate: number,
  place: { readonly index: number; readonly started_at: string },
): TrialRecord {
  const { trial } = seed;
  const load = trial.load!, latency = trial.latency!, counters = trial.counters!;
  const slower = load.requests_per_second / rate;
  const us = (value: number) => Number((value * slower).toPrecision(3));
  const requests = Math.round(rate * load.duration_us / 1e6);
  const limited = cell.store === "map" && cell.runtime === "bun" && cell.size === 10_000;
  const spoilt = cell.store === "drizzle" && cell.runtime === "node" && cell.size === 1_000_000 && round === 2;
  return {
    ...trial,
    ...place,
    round,
    cell,
    label,
    status: spoilt ? "invalid" : "ok",
    reasons: spoilt ? [{ code: "socket-errors", message: "3 socket errors: read 3" }] : [],
    bound: limited ? "generator" : "server",
    server: {
      ...trial.server!,
      version: VERSIONS[cell.runtime] ?? "1.0.0",
      startup_ms: 60 + cell.size / (cell.store === "map" ? 900 : 90_000),
      disk_bytes: cell.store === "map" ? 0 : cell.size * 105,
      store_engine: cell.store,
    },
    load: {
      ...load,
      requests,
      requests_per_second: requests / load.duration_us * 1e6,
      sent_per_100ms: load.sent_per_100ms.map(() => Math.round(requests / load.sent_per_100ms.length)),
      reply_bytes: requests * 251,
    },
    latency: {
      ...latency,
      p50_us: us(latency.p50_us),
      p90_us: us(latency.p90_us),
      p99_us: us(latency.p99_us),
      p999_us: us(latency.p999_us),
      max_us: us(latency.max_us),
      mean_us: us(latency.mean_us),
      histogram: latency.histogram.map(([value, count]) => [us(value), count]),
      littles_law_gap: -0.004,
    },
    counters: {
      ...counters,
      server_cpu_ns_per_request: 0.99e9 / rate,
      server_share: limited ? 0.9 : 0.99,
      generator_share: limited ? 0.99 : 0.4 * rate / 68_000,
      server_wait_share: 0.001,
      foreign_share: 0.002,
      steal_share: 0,
      server_peak_rss_bytes: 62e6 + (cell.store === "map" ? cell.size * 310 : 0),
    },
  };
}
