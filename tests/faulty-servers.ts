/** Copies of the servers with one fault built in, measured by real observations. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AA, MAIN } from "../bench/core/cell.ts";
import { kindOf, type PlannedObservation } from "../bench/core/plan.ts";
import { probeOf } from "../bench/core/points.ts";
import type { Observation } from "../bench/core/result/observation-record.ts";
import { inspectRuntime, PROJECT_ROOT, type RuntimeBinary } from "../bench/host/runtimes.ts";
import { directoryFor, neutralOf } from "../bench/observe/conduct-run.ts";
import { equip } from "../bench/observe/equip.ts";
import { observe } from "../bench/observe/observe.ts";
import { prepareFiles } from "../bench/observe/prepare-files.ts";
import { SUITES } from "../suites/registry.ts";

const DATA = join(tmpdir(), "levelfield-test-data");
const WARM_UP_LOADS = 2;

/** One observation, as a test wants it. */
export interface FaultyObservation {
  /** Rewrites suites/users/users-app.ts; the text it looks for must be there. */
  readonly patch?: (source: string) => string;
  /** Changes what is believed of the runtime. */
  readonly runtime?: (runtime: RuntimeBinary) => RuntimeBinary;
  /** Runs beside it, with the server's process id, once the measured load has begun. */
  readonly underLoad?: (serverPid: number) => Promise<void>;
  /** Servers together, all faulty alike; 1 by default. */
  readonly servers?: 1 | 2;
}

/** Replaces a text that must be there. */
export function replaced(source: string, from: string, to: string): string {
  if (!source.includes(from)) throw new Error(`"${from}" is not in the source`);
  return source.replace(from, to);
}

/** Makes one observation of bun/map at 1k users against a copy of the servers, faulty or not. */
export async function tryServer({ patch, runtime, underLoad, servers = 1 }: FaultyObservation): Promise<Observation> {
  const root = mkdtempSync(join(tmpdir(), "levelfield-faulty-"));
  try {
    for (const part of ["servers", "stores", "suites", "package.json", "deno.json", "bunfig.toml"]) {
      cpSync(join(PROJECT_ROOT, part), join(root, part), { recursive: true });
    }
    symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
    const app = join(root, "suites", "users", "users-app.ts");
    if (patch !== undefined) writeFileSync(app, patch(readFileSync(app, "utf8")));

    const suite = SUITES[0]!;
    const point = { suite: suite.name, at: { ...probeOf(suite), runtime: "bun", store: "map", size: 1_000 } };
    const bun = await inspectRuntime("bun");
    const believed = runtime === undefined ? bun : runtime(bun);
    const equipment = await equip({ generator: "wrk", threads: null }, {}, [believed]);
    const spec = suite.files!(point);
    const files = await prepareFiles({ dataDirectory: DATA, specs: [spec!] });
    const cells = [MAIN, AA].slice(0, servers).map((label) => ({ point, label }));
    const step: PlannedObservation = {
      kind: kindOf(cells),
      index: 0,
      round: 0,
      draw_seed: 7,
      purpose: servers === 1 ? null : "aa",
      cells,
    };
    const observation = observe(step, {
      ...equipment,
      suite,
      plan: { duration_ms: 1_000, ensemble_ms: 1_000, warmup_ms: 1_000, warmup_loads: WARM_UP_LOADS },
      neutral: await neutralOf(equipment),
      directoryOf: () => directoryFor(spec, files),
      specialOf: () => ({ root }),
      onStart: () => {},
    });
    if (underLoad !== undefined) {
      // wrk runs for each warm-up load, then for the measured one.
      let load = await appearing("wrk.lua");
      for (let n = 0; n < WARM_UP_LOADS; n++) load = await appearing("wrk.lua", load);
      await underLoad(await appearing(join(root, "servers", "main.ts")));
    }
    return await observation;
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
