import { cellLabel } from "../core/cell.ts";
import { cpuNsBetween } from "../core/counters.ts";
import { sentBy } from "../core/duet-steadiness.ts";
import { type PlannedDuet, type Subject, WARM_UP_LOADS } from "../core/plan.ts";
import type { DuetRecord } from "../core/result/duet-record.ts";
import type { Reason } from "../core/result/trial-record.ts";
import type { ProcessSample, Reading } from "../core/samples.ts";
import { THRESHOLDS } from "../core/thresholds.ts";
import type { LoadPlan } from "../generators/generator.ts";
import { askOracle } from "./ask-oracle.ts";
import { affinityFault, explainBy, replyTimeoutMs, serverFacts, type TrialSite } from "./conduct-trial.ts";
import { startLoad } from "./load-process.ts";
import { type ServerProcess, startServer, stopServer } from "./server-process.ts";

type Side = { -readonly [K in keyof DuetRecord["a"]]: DuetRecord["a"][K] };

const sideOf = ({ cell, label }: Subject): Side => ({
  cell: { ...cell },
  label,
  server: null,
  oracle: null,
  requests: null,
  cpu_ns: null,
  cpu_ns_per_request: null,
  parts: null,
});

/** When the driver wakes in the window, as shares of it: what comes before and after the first is compared. */
const EARLY = 1 / 3;
const LATE = 0.9;

/**
 * Makes one duet: two fresh servers on the same core, checked, warmed up together, loaded together, checked again.
 * What slows the core slows both alike, so the ratio of their CPU time per request stands where rates drift.
 * The idea of measuring both at once is duet benchmarking (Bulej et al., ICPE 2020).
 */
export async function conductDuet(duet: PlannedDuet, site: TrialSite): Promise<DuetRecord> {
  const durationMs = site.plan.duetMs;
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const first = duet.round % 2 === 0 ? "a" : "b";
  const sides = { a: sideOf(duet.a), b: sideOf(duet.b) };
  const order = first === "a" ? ["a", "b"] as const : ["b", "a"] as const;
  const found: Pick<DuetRecord, "duration_us" | "servers_share" | "core_share" | "generator_share" | "foreign_share"> =
    {
      duration_us: null,
      servers_share: null,
      core_share: null,
      generator_share: null,
      foreign_share: null,
    };
  const servers: { side: Side; process: ServerProcess }[] = [];
  let reasons: Reason[] = [];
  let stderr = "";
  try {
    for (const name of order) {
      const side = sides[name];
      const files = site.storeDirectory(side.cell.store, side.cell.size, side.label);
      if ("failed" in files) {
        reasons = [{ code: "data-set-failed", message: files.failed }];
        break;
      }
      const process = await startServer({
        runtime: site.runtime(side.cell.runtime),
        app: "users",
        store: { name: side.cell.store, directory: files.directory, engine: site.plan.engine },
        cpus: site.placement.serverCpus,
        onStart: site.onStart,
        ...site.specialOf?.(side.label),
      });
      if ("failed" in process) {
        reasons = [{ ...process.failed, message: `${cellLabel(side.cell)}: ${process.failed.message}` }];
        stderr = process.stderr;
        break;
      }
      side.server = serverFacts(process);
      servers.push({ side, process });
    }
    if (reasons.length === 0) reasons = await measureBoth(duet, site, servers, durationMs, found);
  } finally {
    for (const { process } of servers) await stopServer(process.child);
    stderr ||= servers.map(({ process }) => process.child.stderrTail()).filter((text) => text !== "").join("\n");
  }
  const { a, b } = sides;
  const ok = reasons.length === 0 && a.cpu_ns_per_request !== null && b.cpu_ns_per_request !== null;
  const invalid = reasons.every((reason) =>
    ["core-not-full", "too-few-requests", "unexpected-status"].includes(reason.code)
  );
  return {
    schema: "levelfield.duet/2",
    index: duet.index,
    round: duet.round,
    purpose: duet.purpose,
    draw_seed: duet.drawSeed,
    first,
    a,
    b,
    status: ok ? "ok" : invalid ? "invalid" : "failed",
    reasons,
    started_at: startedAt,
    wall_ms: performance.now() - started,
    ...found,
    log_ratio: ok ? Math.log(b.cpu_ns_per_request! / a.cpu_ns_per_request!) : null,
    stderr_tail: reasons.length === 0 || stderr === "" ? null : stderr,
  };
}

/** CPU time between two samples of a process in nanoseconds; null where one could not be read. */
function cpuNs(from: Reading<ProcessSample>, to: Reading<ProcessSample>): number | null {
  return "value" in from && "value" in to ? cpuNsBetween(from.value, to.value) : null;
}

async function measureBoth(
  duet: PlannedDuet,
  site: TrialSite,
  servers: readonly { side: Side; process: ServerProcess }[],
  durationMs: number,
  found: Pick<DuetRecord, "duration_us" | "servers_share" | "core_share" | "generator_share" | "foreign_share">,
): Promise<Reason[]> {
  const { plan, machine, placement, generator } = site;
  const { size } = duet.a.cell;
  const ask = async (sampleSeed: number, checks: "all" | "health", replies: (side: Side, count: number) => void) => {
    for (const { side, process } of servers) {
      const answer = await askOracle({
        url: process.ready.url,
        dataSeed: plan.dataSeed,
        size: side.cell.size,
        sampleSeed,
        replyTimeoutMs: replyTimeoutMs(side.cell.size),
        checks,
      });
      if ("failed" in answer) return await explainBy(process.child, answer.failed);
      replies(side, answer.replies);
    }
    return [];
  };
  const load = (ms: number, drawSeed: number): LoadPlan => ({
    urls: servers.map(({ process }) => process.ready.url) as [string, ...string[]],
    connections: plan.connections,
    threads: servers.length,
    durationMs: ms,
    timeoutMs: replyTimeoutMs(size),
    requests: { kind: "ids", size, dataSeed: plan.dataSeed, drawSeed, missShare: plan.missShare },
  });
  const start = (ms: number, drawSeed: number) => {
    const process = startLoad(generator, site.program, load(ms, drawSeed), placement.loadCpus);
    site.onStart(() => process.child.kill("SIGKILL"));
    return process;
  };

  let faults = await ask(duet.drawSeed, "all", (side, before) => side.oracle = { before, after: 0 });
  if (faults.length > 0) return faults;
  for (let load = 1; load <= WARM_UP_LOADS; load++) {
    const warmup = await start(plan.warmupMs, (duet.drawSeed ^ 0x55555555 * load) >>> 0).result;
    if ("failed" in warmup) return [{ code: "generator-failed", message: `warm-up: ${warmup.failed}` }];
    faults = await ask(duet.drawSeed, "health", () => {});
    if (faults.length > 0) return faults;
  }
  for (const { side, process } of servers) {
    const lists = machine.threadCpus(process.ready.pid);
    const astray = affinityFault("server", "value" in lists ? lists.value : null, placement.serverCpus);
    if (astray !== undefined) return [astray];
    side.server = { ...side.server!, thread_cpus: "value" in lists ? [...lists.value] : null };
  }

  const sampleServers = () => servers.map(({ process }) => machine.sampleProcess(process.ready.pid));
  const before = sampleServers();
  const generating = start(durationMs, duet.drawSeed);
  const sample = () => ({
    servers: sampleServers(),
    generator: machine.sampleProcess(generating.child.pid),
    cpus: machine.sampleSystem().cpus,
    atUs: 1_000 * (performance.timeOrigin + performance.now()),
  });
  let early: ReturnType<typeof sample> | undefined, late: ReturnType<typeof sample> | undefined;
  const timers = [
    setTimeout(() => early = sample(), durationMs * EARLY),
    setTimeout(() => late = sample(), durationMs * LATE),
  ];
  const result = await generating.result;
  for (const timer of timers) clearTimeout(timer);
  const after = sampleServers();
  if ("failed" in result) return [{ code: "generator-failed", message: result.failed }];

  found.duration_us = result.durationUs;
  if (early !== undefined && late !== undefined) {
    const [from, to] = [early, late];
    const generatorNs = cpuNs(from.generator, to.generator);
    const each = from.servers.map((reading, n) => cpuNs(reading, to.servers[n]!));
    if ("value" in from.generator && "value" in to.generator && each.every((ns) => ns !== null)) {
      const windowNs = (to.generator.value.atMs - from.generator.value.atMs) * 1e6;
      const serversNs = each.reduce((sum, ns) => sum + ns, 0);
      found.servers_share = serversNs / windowNs / (placement.serverCpus?.length ?? 1);
      found.generator_share = generatorNs! / windowNs;
      if ("value" in from.cpus && "value" in to.cpus && placement.serverCpus !== null) {
        const [earlier, later] = [from.cpus.value, to.cpus.value];
        const busyOf = (cpus: readonly number[]) =>
          cpus.reduce((sum, cpu) => sum + (later.get(cpu)?.busyNs ?? 0) - (earlier.get(cpu)?.busyNs ?? 0), 0);
        const busyNs = busyOf([...new Set([...placement.serverCpus, ...placement.loadCpus])]);
        found.core_share = busyOf(placement.serverCpus) / windowNs / placement.serverCpus.length;
        found.foreign_share = Math.max(0, busyNs - serversNs - generatorNs!) / windowNs;
      }
    }
  }
  const reasons: Reason[] = [];
  servers.forEach(({ side }, n) => {
    // Each connection has one request in flight at any moment: sent, and as a rule not answered.
    const answered = (sent: number) => Math.max(0, sent - plan.connections);
    const requests = side.requests = answered(result.sentByThread[n]!);
    side.cpu_ns = cpuNs(before[n]!, after[n]!);
    if (side.cpu_ns === null) return;
    if (early !== undefined && late !== undefined) {
      const by = (atUs: number) =>
        answered(sentBy(result.slotsByThread[n]!, result.slotUs, result.startedUs[n]!, atUs));
      const [head, tail] = [cpuNs(before[n]!, early.servers[n]!), cpuNs(early.servers[n]!, late.servers[n]!)];
      if (head !== null && tail !== null) {
        const first = by(early.atUs);
        side.parts = [{ requests: first, cpu_ns: head }, { requests: by(late.atUs) - first, cpu_ns: tail }];
      }
    }
    side.cpu_ns_per_request = requests === 0 ? null : side.cpu_ns / requests;
    if (requests < plan.connections * THRESHOLDS.duetMinRequestsPerConnection) {
      reasons.push({
        code: "too-few-requests",
        message: `${cellLabel(side.cell)} served ${requests} requests, too few to compare in ${durationMs / 1000} s`,
      });
    }
  });
  const { errors } = result;
  if (errors.connect + errors.read + errors.write + errors.timeout > 0) {
    reasons.push({ code: "socket-errors", message: `socket errors or timeouts: ${JSON.stringify(errors)}` });
  }
  if (errors.status > result.sentMisses) {
    reasons.push({ code: "unexpected-status", message: `${errors.status} replies had an error status` });
  }
  if (found.core_share !== null && found.core_share < THRESHOLDS.duetCoreShare) {
    reasons.push({
      code: "core-not-full",
      message: `the servers' core was busy only ${(100 * found.core_share).toFixed(0)} % of the time`,
    });
  }
  faults = await ask(
    (duet.drawSeed ^ 2) >>> 0,
    "all",
    (side, replies) => side.oracle = { ...side.oracle!, after: replies },
  );
  return [...faults, ...reasons];
}
