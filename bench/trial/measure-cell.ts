import { tmpdir } from "node:os";
import { join } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { failure } from "../core/errors.ts";
import { MAIN, type Plan } from "../core/plan.ts";
import type { TrialRecord } from "../core/result/trial-record.ts";
import { inspectRuntime } from "../host/runtimes.ts";
import { conductTrial } from "./conduct-trial.ts";
import { equip } from "./equip.ts";
import { prepareData } from "./prepare-data.ts";

/** One cell to measure once. */
export interface CellRequest {
  readonly runtime: string;
  readonly store: string;
  /** Number of users. */
  readonly size: number;
  /** Whole seconds in milliseconds; 3 000 by default. */
  readonly durationMs?: number;
  /** Whole seconds in milliseconds; 1 000 by default. */
  readonly warmupMs?: number;
  readonly connections?: number;
  readonly seed?: number;
  /** Where data sets are kept; a folder under the system's temporary one by default. */
  readonly dataDirectory?: string;
}

/**
 * Makes one trial of one cell with everything a run gives it: pinning, oracle, warm-up, counters. Throws when a tool is
 * missing or the data cannot be built; what the server does wrong is in the record.
 */
export async function measureCell(request: CellRequest): Promise<TrialRecord> {
  const runtime = RUNTIME_NAMES.find((name) => name === request.runtime);
  if (runtime === undefined) {
    throw failure(`unknown runtime "${request.runtime}"`, `known are ${RUNTIME_NAMES.join(", ")}`);
  }
  const plan: Plan = {
    subjects: [],
    duets: [],
    rounds: 1,
    durationMs: request.durationMs ?? 3_000,
    duetMs: 1_000,
    warmupMs: request.warmupMs ?? 1_000,
    connections: request.connections ?? 50,
    seed: request.seed ?? 1,
    dataSeed: 42,
    missShare: 0,
    profile: "one cell",
    generator: "wrk",
    engine: "native",
  };
  const equipment = await equip(plan, {}, [await inspectRuntime(runtime)]);
  const data = await prepareData({
    dataDirectory: request.dataDirectory ?? join(tmpdir(), "levelfield-data"),
    seed: plan.dataSeed,
    sizes: [request.size],
    stores: [request.store],
  });
  const part = data.parts.find((candidate) => candidate.part === request.store);
  const cell = { suite: "users", workload: "read", runtime, store: request.store, size: request.size };
  return await conductTrial({ kind: "trial", index: 0, round: 0, cell, label: MAIN, drawSeed: plan.seed }, {
    ...equipment,
    plan,
    runtime: (name) => equipment.runtimes.get(name)!,
    runtimeForCeiling: equipment.runtimes.get(runtime)!,
    storeDirectory: () =>
      part === undefined ? { failed: data.failed ?? "it was not built" } : { directory: part.directory },
    onStart: () => {},
  });
}
