import { boundOf } from "../core/bound.ts";
import type { Counters } from "../core/counters.ts";
import { faultsOf, latencyOf } from "../core/judge-load.ts";
import { formatCpuList } from "../core/cpu-list.ts";
import { type Plan, type PlannedTrial, WARM_UP_LOADS } from "../core/plan.ts";
import type { Placement } from "../core/placement.ts";
import type { Reason, TrialRecord } from "../core/result/trial-record.ts";
import { valueOf } from "../core/samples.ts";
import type { Generator, LoadPlan, LoadResult } from "../generators/generator.ts";
import { type Child, within } from "../host/child.ts";
import type { Machine } from "../host/machine.ts";
import type { RuntimeBinary } from "../host/runtimes.ts";
import { askOracle } from "./ask-oracle.ts";
import { measureLoad } from "./measure-load.ts";
import { type ServerProcess, type ServerRequest, startServer, stopServer } from "./server-process.ts";

/** Everything a trial needs besides its place in the plan. */
export interface TrialSite {
  readonly plan: Plan;
  readonly machine: Machine;
  readonly placement: Placement;
  readonly generator: Generator;
  /** Path of the generator's program. */
  readonly program: string;
  /** Threads of the generator. */
  readonly threads: number;
  runtime(name: string): RuntimeBinary;
  /** The runtime whose null server shows the generator's ceiling. */
  readonly runtimeForCeiling: RuntimeBinary;
  /** The folder with a store's files for a size, or why there is none. */
  storeDirectory(
    store: string,
    size: number,
    label: string,
  ): { readonly directory: string } | { readonly failed: string };
  /** What is special about servers of a label: another checkout, or extra work. */
  specialOf?(label: string): Pick<ServerRequest, "root" | "ballast">;
  /** Told how to end the process just started, so that an interrupt leaves none behind. */
  readonly onStart: (kill: () => void) => void;
}

/** What a trial knows so far; whatever happens next, this much is written down. */
type Findings = Pick<TrialRecord, "server" | "oracle" | "warmup_requests_per_second" | "load" | "latency" | "counters">;

/**
 * A reply may take this long, in milliseconds, before the server counts as hung: time for a full queue of scans over a
 * data set of that size on a slow machine.
 */
export function replyTimeoutMs(size: number): number {
  return 10_000 + size * 0.005;
}

/**
 * Makes one trial: a fresh server process, checked, warmed up, measured once, checked again, stopped.
 * Never throws for what a server or generator does: the record says what happened.
 */
export async function conductTrial(trial: PlannedTrial, site: TrialSite): Promise<TrialRecord> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const found: { -readonly [K in keyof Findings]: Findings[K] } = {
    server: null,
    oracle: null,
    warmup_requests_per_second: null,
    load: null,
    latency: null,
    counters: null,
  };
  let reasons: Reason[];
  let stderr = "";
  const files = site.storeDirectory(trial.cell.store, trial.cell.size, trial.label);
  if ("failed" in files) {
    reasons = [{ code: "data-set-failed", message: files.failed }];
  } else {
    const { placement, plan } = site;
    const server = await startServer({
      runtime: site.runtime(trial.cell.runtime),
      app: "users",
      store: { name: trial.cell.store, directory: files.directory, engine: plan.engine },
      cpus: placement.serverCpus,
      onStart: site.onStart,
      ...site.specialOf?.(trial.label),
    });
    if ("failed" in server) {
      reasons = [server.failed];
      stderr = server.stderr;
    } else {
      try {
        reasons = await measureServer(trial, site, server, found);
      } finally {
        await stopServer(server.child);
      }
      stderr = server.child.stderrTail();
    }
  }
  const counters: Counters | null = found.counters;
  return {
    schema: "levelfield.trial/1",
    index: trial.index,
    round: trial.round,
    cell: { ...trial.cell },
    label: trial.label,
    draw_seed: trial.drawSeed,
    status: statusOf(reasons),
    reasons,
    started_at: startedAt,
    wall_ms: performance.now() - started,
    bound: counters === null ? "unknown" : boundOf(counters.server_share, counters.generator_share),
    ...found,
    stderr_tail: reasons.length === 0 || stderr === "" ? null : stderr,
  };
}

/** The steps from the ready line to the last check; fills in what it finds and returns what is wrong. */
async function measureServer(
  trial: PlannedTrial,
  site: TrialSite,
  server: ServerProcess,
  found: { -readonly [K in keyof Findings]: Findings[K] },
): Promise<Reason[]> {
  const { plan, machine, placement, generator } = site;
  const { ready, child } = server;
  const pid = ready.pid;
  found.server = serverFacts(server);
  const timeoutMs = replyTimeoutMs(trial.cell.size);
  const question = {
    url: ready.url,
    dataSeed: plan.dataSeed,
    size: trial.cell.size,
    sampleSeed: trial.drawSeed,
    replyTimeoutMs: timeoutMs,
  };
  const explain = (reason: Reason) => explainBy(child, reason);

  const before = await askOracle(question);
  if ("failed" in before) return await explain(before.failed);
  found.oracle = { before: before.replies, after: 0 };

  const load = (durationMs: number, drawSeed: number): LoadPlan => ({
    urls: [ready.url],
    connections: plan.connections,
    threads: site.threads,
    durationMs,
    timeoutMs,
    requests: {
      kind: "ids",
      size: trial.cell.size,
      dataSeed: plan.dataSeed,
      drawSeed,
      missShare: plan.missShare,
    },
  });
  const loadSite = {
    machine,
    serverPid: pid,
    serverCpus: placement.serverCpus,
    loadCpus: placement.loadCpus,
    program: site.program,
    onStart: site.onStart,
  };
  for (let n = 1; n <= WARM_UP_LOADS; n++) {
    const warmup = await measureLoad(generator, load(plan.warmupMs, (trial.drawSeed ^ 0x55555555 * n) >>> 0), loadSite);
    if ("failed" in warmup) return await explain({ code: "generator-failed", message: `warm-up: ${warmup.failed}` });
    found.warmup_requests_per_second = rateOf(warmup.result);
    // Requests the warm-up left in the server's queue are answered before this one is.
    const settled = await askOracle({ ...question, sampleSeed: (trial.drawSeed ^ 1) >>> 0, checks: "health" });
    if ("failed" in settled) return await explain(settled.failed);
  }

  const threadCpus = valueOf(machine.threadCpus(pid));
  found.server = { ...found.server, thread_cpus: threadCpus && [...threadCpus] };
  const astray = affinityFault("server", threadCpus, placement.serverCpus);
  if (astray !== undefined) return [astray];

  const measured = await measureLoad(generator, load(plan.durationMs, trial.drawSeed), loadSite);
  if ("failed" in measured) return await explain({ code: "generator-failed", message: measured.failed });
  const { result, counters, generatorThreadCpus } = measured;
  const counted = { ...result, connections: plan.connections };
  found.counters = counters;
  found.latency = latencyOf(counted);
  found.load = loadFacts(result, plan, site.threads, generatorThreadCpus);
  const faults = faultsOf(counted);
  const loadAstray = affinityFault("generator", generatorThreadCpus, placement.loadCpus);
  if (loadAstray !== undefined) faults.push(loadAstray);

  const after = await askOracle({ ...question, sampleSeed: (trial.drawSeed ^ 2) >>> 0 });
  if ("failed" in after) return [...await explain(after.failed), ...faults];
  found.oracle = { before: before.replies, after: after.replies };
  return faults;
}

/** What a ready server says of itself, as results keep it. */
export function serverFacts({ ready, startupMs }: ServerProcess): NonNullable<TrialRecord["server"]> {
  return {
    version: ready.version,
    startup_ms: startupMs,
    load_ms: ready.loadMs,
    disk_bytes: ready.store!.diskBytes,
    store_engine: ready.store!.engine,
    sqlite_version: ready.store!.sqliteVersion,
    sqlite_source_id: ready.store!.sqliteSourceId,
    pragmas: ready.store!.pragmas,
    thread_cpus: null,
  };
}

/** A server that has ended explains a broken socket better than the socket does. */
export async function explainBy(child: Child, reason: Reason): Promise<Reason[]> {
  const ending = await within(200, child.ended);
  if (ending === "timeout" || "failed" in ending) return [reason];
  return [{ code: "server-crashed", message: `the server ended with ${ending.signal ?? `exit ${ending.code}`}` }];
}

function loadFacts(
  result: LoadResult,
  plan: Plan,
  threads: number,
  threadCpus: readonly string[] | null,
): TrialRecord["load"] {
  return {
    duration_us: result.durationUs,
    requests: result.requests,
    requests_per_second: rateOf(result),
    reply_bytes: result.bytes,
    sent_per_100ms: sumSlots(result.slotsByThread),
    connections: plan.connections,
    threads,
    errors: { ...result.errors, expected_status: Math.min(result.errors.status, result.sentMisses) },
    thread_cpus: threadCpus && [...threadCpus],
  };
}

/** Requests all threads together sent in each slot. */
function sumSlots(slotsByThread: LoadResult["slotsByThread"]): number[] {
  const slots = Math.max(0, ...slotsByThread.map((thread) => thread.length));
  return Array.from({ length: slots }, (_, n) => slotsByThread.reduce((sum, thread) => sum + (thread[n] ?? 0), 0));
}

/** Says which threads may run elsewhere than wanted. */
export function affinityFault(
  who: string,
  lists: readonly string[] | null,
  wanted: readonly number[] | null,
): Reason | undefined {
  if (lists === null || wanted === null) return undefined;
  const list = formatCpuList(wanted);
  const astray = lists.filter((own) => own !== list);
  if (astray.length === 0) return undefined;
  return { code: "wrong-affinity", message: `${who} threads may run on CPUs ${astray.join(" and ")}, wanted ${list}` };
}

/** Requests a second. */
function rateOf(result: LoadResult): number {
  return result.requests / (result.durationUs / 1e6);
}

/** Reasons that say the measurement itself never came to be. */
const FAILED: readonly Reason["code"][] = [
  "server-failed-to-start",
  "wrong-runtime",
  "server-crashed",
  "server-hung",
  "connection-closed",
  "generator-failed",
  "data-set-failed",
];

function statusOf(reasons: readonly Reason[]): TrialRecord["status"] {
  if (reasons.length === 0) return "ok";
  return reasons.some((reason) => FAILED.includes(reason.code)) ? "failed" : "invalid";
}
