/** Copies of the servers with one fault built in, measured by real observations. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AA, MAIN } from "../bench/record/cell.ts";
import { SETTLE_MS } from "../bench/core/warm-up-lengths.ts";
import { probeOf } from "../bench/core/points.ts";
import type { Observation } from "../bench/record/observation-record.ts";
import { inspectRuntime, PROJECT_ROOT, type RuntimeBinary } from "../bench/host/runtimes.ts";
import { equip, hostsHere } from "../bench/observe/equip.ts";
import { observeOnce } from "../bench/observe/observe-once.ts";
import { prepareFiles } from "../bench/observe/prepare-files.ts";
import type { Equipment } from "../bench/observe/site.ts";
import { SUITES } from "../suites/registry.ts";
import { until } from "./testing.ts";

const DATA = join(tmpdir(), "levelfield-test-data");

/** Labels of servers together. */
const LABELS = [MAIN, AA, "third", "fourth", "fifth", "sixth"];

/** Rewrites suites/users/users-app.ts; the text it looks for must be there. */
export type Patch = (source: string) => string;

/** One observation, as a test wants it. */
export interface FaultyObservation {
  /** Of every server. */
  readonly patch?: Patch;
  /** In place of it, of the first servers, one each; those after them are sound. */
  readonly patches?: readonly Patch[];
  /** Changes what is believed of the runtime. */
  readonly runtime?: (runtime: RuntimeBinary) => RuntimeBinary;
  /** Runs beside it, with the first server's process id, once the measured load has begun: of several the joint one. */
  readonly underLoad?: (serverPid: number) => Promise<void>;
  /** Servers together; 1 by default. */
  readonly servers?: 1 | 2 | 3 | 6;
  /** Connections to each server; the suite's own by default. Replies of fewer are missed sooner. */
  readonly connections?: number;
  /** Whether several are measured alone as well. */
  readonly alone?: boolean;
  /** Ordinary priority, wherever a higher one is allowed. */
  readonly ordinary?: boolean;
  /** When a reply counts as missing, in milliseconds: soon, where a server is known to hang. */
  readonly replyMs?: number;
  /** The load generator that measures; wrk by default. */
  readonly generator?: string;
}

/** Replaces a text that must be there. */
export function replaced(source: string, from: string, to: string): string {
  if (!source.includes(from)) throw new Error(`"${from}" is not in the source`);
  return source.replace(from, to);
}

/** Makes one observation of bun/map at 1k users against copies of the servers, faulty or not. */
export async function tryServer(
  {
    patch,
    patches,
    runtime,
    underLoad,
    servers = 1,
    connections,
    alone = false,
    ordinary = false,
    replyMs,
    generator = "wrk",
  }: FaultyObservation,
): Promise<Observation> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-faulty-"));
  try {
    const checkout = copyServers(join(folder, "all"), patch);
    const own = (patches ?? []).map((each, n) => copyServers(join(folder, LABELS[n]!), each));
    const rootOf = (label: string) => own[LABELS.indexOf(label)] ?? checkout;

    const suite = SUITES[0]!;
    const at = { ...probeOf(suite), runtime: "bun", store: "map", size: 1_000 };
    const point = { suite: suite.name, at: connections === undefined ? at : { ...at, connections } };
    const bun = await inspectRuntime("bun");
    const believed = runtime === undefined ? bun : runtime(bun);
    const equipment = await equip({ generator, threads: null }, {}, [believed], hostsHere());
    const files = await prepareFiles({ dataDirectory: DATA, specs: [suite.files!(point)!] });
    const priority: Equipment["priority"] = ordinary ? { nice: null, why: "as the test wants it" } : equipment.priority;
    const observation = observeOnce({
      suite,
      cells: LABELS.slice(0, servers).map((label) => ({ point, label })),
      files,
      drawSeed: 7,
      durationMs: servers === 1 || alone ? 1_000 : 500,
      warmup: { kind: "fixed", ms: SETTLE_MS, loads: 1 },
      alone: servers === 1 || alone,
      replyMs,
      specialOf: ({ label }) => ({ root: rootOf(label) }),
      onStart: () => {},
    }, { ...equipment, priority });
    if (underLoad !== undefined) {
      const server = await appearing(join(rootOf(MAIN), "servers", "main.ts"));
      // Before the measured load wrk runs to warm each server up and, where it is measured alone, to settle and measure it.
      const before = servers === 1 ? 2 : servers * (alone ? 3 : 1);
      let load: number | undefined;
      for (let n = 0; n <= before; n++) load = await appearing("wrk.lua", load);
      await underLoad(server);
    }
    return await observation;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A checkout that serves: this one, or a copy with its app rewritten. */
function copyServers(root: string, patch?: Patch): string {
  if (patch === undefined) return PROJECT_ROOT;
  mkdirSync(root);
  for (const part of ["servers", "stores", "suites", "package.json", "deno.json", "bunfig.toml"]) {
    cpSync(join(PROJECT_ROOT, part), join(root, part), { recursive: true });
  }
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  const app = join(root, "suites", "users", "users-app.ts");
  writeFileSync(app, patch(readFileSync(app, "utf8")));
  return root;
}

/** Waits for a child of this process with a word in its command line, other than one known already; gives its id. */
const appearing = (word: string, known?: number): Promise<number> =>
  until(() => childrenWith(word).find((each) => each !== known));

/** Children of this process with a word in their command line. */
export function childrenWith(word: string): number[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
      if (Number(parent) !== process.pid) return [];
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word) ? [Number(name)] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

/** Waits. */
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** An observation as a failed test shows it: without what is long. */
export const told = (record: Observation) => JSON.stringify({ ...record, latency: null, load: record.load?.errors });
