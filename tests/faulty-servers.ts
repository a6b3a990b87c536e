/** Copies of the servers with one fault built in, measured by real trials. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN, type Plan } from "../bench/core/plan.ts";
import type { TrialRecord } from "../bench/core/result/trial-record.ts";
import { inspectRuntime, PROJECT_ROOT, type RuntimeBinary } from "../bench/host/runtimes.ts";
import { conductTrial } from "../bench/trial/conduct-trial.ts";
import { equip } from "../bench/trial/equip.ts";
import { prepareData } from "../bench/trial/prepare-data.ts";

const SIZE = 1_000;
const DATA = join(tmpdir(), "levelfield-test-data");

/** One measured trial, as a test wants it. */
export interface FaultyTrial {
  /** Rewrites servers/users-app.ts; the text it looks for must be there. */
  readonly patch?: (source: string) => string;
  /** Changes what is believed of the runtime. */
  readonly runtime?: (runtime: RuntimeBinary) => RuntimeBinary;
  /** Runs beside the trial, with the server's process id once it is there. */
  readonly beside?: (serverPid: () => number | undefined) => Promise<void>;
}

/** Replaces a text that must be there. */
export function replaced(source: string, from: string, to: string): string {
  if (!source.includes(from)) throw new Error(`"${from}" is not in the source`);
  return source.replace(from, to);
}

/** Makes one trial of bun/map at 1k users against a copy of the servers, faulty or not. */
export async function tryServer({ patch, runtime, beside }: FaultyTrial): Promise<TrialRecord> {
  const root = mkdtempSync(join(tmpdir(), "levelfield-faulty-"));
  try {
    for (const part of ["servers", "stores", "package.json", "deno.json", "bunfig.toml"]) {
      cpSync(join(PROJECT_ROOT, part), join(root, part), { recursive: true });
    }
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
    const app = join(root, "servers", "users-app.ts");
    if (patch !== undefined) writeFileSync(app, patch(readFileSync(app, "utf8")));

    const plan: Plan = {
      subjects: [],
      duets: [],
      rounds: 1,
      durationMs: 1_000,
      duetMs: 1_000,
      warmupMs: 1_000,
      connections: 50,
      seed: 1,
      dataSeed: 42,
      missShare: 0,
      profile: "test",
      generator: "wrk",
      engine: "native",
    };
    const bun = await inspectRuntime("bun");
    const equipment = await equip(plan, {}, [bun]);
    const { parts } = await prepareData({ dataDirectory: DATA, seed: 42, sizes: [SIZE], stores: ["map"] });
    const directory = parts.find((part) => part.part === "map")!.directory;
    const cell = { suite: "users", workload: "read", runtime: "bun", store: "map", size: SIZE };
    const trial = conductTrial({ kind: "trial", index: 0, round: 0, cell, label: MAIN, drawSeed: 7 }, {
      ...equipment,
      plan,
      runtime: () => runtime === undefined ? bun : runtime(bun),
      runtimeForCeiling: bun,
      storeDirectory: () => ({ directory }),
      specialOf: () => ({ root }),
      onStart: () => {},
    });
    await beside?.(() => childRunning(join(root, "servers", "main.ts")));
    return await trial;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The process that runs a script, or undefined. */
function childRunning(script: string): number | undefined {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").includes(script)) return Number(name);
    } catch {
      // It ended meanwhile.
    }
  }
  return undefined;
}

/** Waits. */
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Waits until a server is there and gives its process id. */
export async function waitForServer(serverPid: () => number | undefined): Promise<number> {
  for (let n = 0; n < 400; n++) {
    const pid = serverPid();
    if (pid !== undefined) return pid;
    await sleep(25);
  }
  throw new Error("no server appeared");
}
