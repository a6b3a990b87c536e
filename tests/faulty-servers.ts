/** Copies of the servers with one fault built in, measured by real trials. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAIN, type Plan, WARM_UP_LOADS } from "../bench/core/plan.ts";
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
  /** Runs beside the trial, with the server's process id, once the measured load has begun. */
  readonly underLoad?: (serverPid: number) => Promise<void>;
}

/** Replaces a text that must be there. */
export function replaced(source: string, from: string, to: string): string {
  if (!source.includes(from)) throw new Error(`"${from}" is not in the source`);
  return source.replace(from, to);
}

/** Makes one trial of bun/map at 1k users against a copy of the servers, faulty or not. */
export async function tryServer({ patch, runtime, underLoad }: FaultyTrial): Promise<TrialRecord> {
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
    if (underLoad !== undefined) {
      // wrk runs for each warm-up load, then for the measured one.
      let load = await appearing("wrk.lua");
      for (let n = 0; n < WARM_UP_LOADS; n++) load = await appearing("wrk.lua", load);
      await underLoad(await appearing(join(root, "servers", "main.ts")));
    }
    return await trial;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Waits for a child of this process with a word in its command line, other than one known already; gives its id. */
async function appearing(word: string, known?: number): Promise<number> {
  for (let n = 0; n < 2_000; n++) {
    const pid = childWith(word);
    if (pid !== undefined && pid !== known) return pid;
    await sleep(10);
  }
  throw new Error(`no process with "${word}" appeared`);
}

function childWith(word: string): number | undefined {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
      if (Number(parent) !== process.pid) continue;
      if (readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word)) return Number(name);
    } catch {
      // It ended meanwhile.
    }
  }
  return undefined;
}

/** Waits. */
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
