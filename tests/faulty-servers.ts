/** Servers of the lab with one fault built in, measured by real observations. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTLE_MS } from "../bench/plan/lengths.ts";
import { inspectRuntime, type RuntimeBinary } from "../bench/runtimes/runtimes.ts";
import { equip, hostsHere } from "../bench/observe/equip.ts";
import { AA, MAIN } from "../bench/record/cell.ts";
import type { Observation } from "../bench/record/observation-record.ts";
import { observeOnce } from "../bench/observe/observe-once.ts";
import { suite } from "../lab/faults/faulty-suite.ts";
import { until } from "./testing.ts";

/** Labels of servers together. */
const LABELS = [MAIN, AA, "third", "fourth", "fifth", "sixth"];

/** Connections where a server hangs: how long its replies are waited for goes by how many there are. */
export const FEW = 10;

/** One observation, as a test wants it. */
export interface FaultyObservation {
  /** What the first servers do, by names of lab/faults/behaviours.ts; those after them are sound. */
  readonly behaviours?: readonly string[];
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

/** Makes one observation of servers on Bun, faulty or not. */
export async function tryServer(
  {
    behaviours = [],
    runtime = (known) => known,
    underLoad,
    servers = 1,
    connections,
    alone = false,
    ordinary = false,
    replyMs,
    generator = "wrk",
  }: FaultyObservation,
): Promise<Observation> {
  const equipment = await equip({ generator, threads: null }, {}, [runtime(await inspectRuntime("bun"))], hostsHere());
  const observation = observeOnce({
    suite: connections === undefined ? suite : {
      ...suite,
      requests: (point) => ({ ...suite.requests(point), pace: { closed: connections } }),
    },
    cells: LABELS.slice(0, servers).map((label, n) => {
      const at = { behaviour: behaviours[n] ?? "sound", runtime: "bun", as: "app" };
      return { point: { suite: suite.name, at }, label };
    }),
    files: { ready: [], failed: null, directoryOf: () => undefined },
    drawSeed: 7,
    durationMs: servers === 1 || alone ? 1_000 : 500,
    warmup: { kind: "fixed", ms: SETTLE_MS, loads: 1 },
    alone: servers === 1 || alone,
    replyMs,
    onStart: () => {},
  }, ordinary ? { ...equipment, priority: { nice: null, why: "as the test wants it" } } : equipment);
  if (underLoad !== undefined) {
    const server = await appearing(join("servers", "main.ts"));
    // Before the measured load wrk runs to warm each server up and, where it is measured alone, to settle and measure it.
    const before = servers === 1 ? 2 : servers * (alone ? 3 : 1);
    let load: number | undefined;
    for (let n = 0; n <= before; n++) load = await appearing("wrk.lua", load);
    await underLoad(server);
  }
  return await observation;
}

/** Waits for a child of this process with a word in its command line, other than one known already; gives its id. */
const appearing = (word: string, known?: number): Promise<number> =>
  until(() => childrenWith(word).find((each) => each !== known));

/** Children of this process with a word in their command line. */
function childrenWith(word: string): number[] {
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

/** No server and no load generator of a test's observations is left. */
export function assertNobodyLeft(): void {
  assert.deepEqual([...childrenWith("servers/main.ts"), ...childrenWith("wrk.lua")], []);
}

/** An observation as a failed test shows it: without what is long. */
export const factsOf = (record: Observation) => JSON.stringify({ ...record, latency: null, load: record.load?.errors });
