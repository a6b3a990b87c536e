import { join } from "node:path";
import type { Oracle, RequestPlan, SentLoad, ServerSpec } from "../../suites/suite.ts";
import { boundOf } from "../core/bound.ts";
import { faultsOf, latencyOf } from "../core/judge-load.ts";
import { CEILING_MS, orderOf, type PlannedObservation } from "../core/plan.ts";
import type { Observation, Reason } from "../core/result/observation-record.ts";
import { valueOf } from "../core/samples.ts";
import { THRESHOLDS } from "../core/thresholds.ts";
import type { LoadPlan } from "../generators/generator.ts";
import { type Child, within } from "../host/child.ts";
import { PROJECT_ROOT } from "../host/runtimes.ts";
import { askAlive, askAudit, askOracle } from "./ask-oracle.ts";
import {
  affinityFault,
  connectionsOf,
  loadFacts,
  noteCost,
  type OpenMember,
  rateOf,
  sentTo,
  statusOf,
  sum,
  togetherFaults,
} from "./findings.ts";
import { type MeasuredLoad, measureLoad } from "./measure-load.ts";
import { type NoServer, type ServerProcess, startServer, stopServer } from "./server-process.ts";
import type { Site } from "./site.ts";

/** What is known so far; whatever happens next, this much is written down. */
type Findings = { -readonly [K in "warmup" | "load" | "latency" | "counters"]: Observation[K] };

/** One running server of an observation. */
interface Running {
  readonly member: OpenMember;
  readonly requests: RequestPlan;
  /** Null for a server that does nothing: there is nothing to ask it. */
  readonly oracle: Oracle | null;
  readonly server: ServerProcess;
  readonly sent: SentLoad[];
}

/** Thrown inside an observation to end it with reasons. */
class Stopped extends Error {
  readonly reasons: readonly Reason[];
  constructor(reasons: readonly Reason[]) {
    super(reasons[0]?.message);
    this.reasons = reasons;
  }
}

/**
 * Makes one observation: a fresh server process for each cell on the same core, checked, warmed up and loaded together,
 * checked again, stopped. One path for one server, for several, and for the server that does nothing.
 *
 * What slows the core slows all its servers alike, so ratios of their CPU time per request stand where rates drift. The
 * idea of measuring two at once is duet benchmarking (Bulej et al., ICPE 2020).
 *
 * Never throws for what a server or generator does: the record says what happened.
 */
export async function observe(step: PlannedObservation, site: Site): Promise<Observation> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const members = step.cells.map((cell): OpenMember => ({
    cell,
    server: null,
    oracle: null,
    audit_facts: {},
    requests: null,
    cpu_ns: null,
    cpu_ns_per_request: null,
    parts: null,
  }));
  const order = orderOf(members.length, step.round);
  const found: Findings = { warmup: [], load: null, latency: null, counters: null };
  const running: Running[] = [];
  let reasons: readonly Reason[];
  let stderr = "";
  try {
    for (const place of order) running.push(await start(members[place]!, step, site));
    reasons = await measure(running, step, site, found);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    reasons = error.reasons;
    if ("stderr" in error) stderr = String(error.stderr);
  } finally {
    for (const { server } of running) await stopServer(server);
  }
  stderr ||= running.map(({ server }) => server.child?.stderrTail() ?? "").filter((text) => text !== "").join("\n");
  return {
    schema: "levelfield.observation/1",
    index: step.index,
    round: step.round,
    kind: step.kind,
    purpose: step.purpose,
    draw_seed: step.draw_seed,
    status: statusOf(reasons),
    reasons: [...reasons],
    started_at: startedAt,
    wall_ms: performance.now() - started,
    bound: found.counters === null ? "unknown" : boundOf(found.counters.server_share, found.counters.generator_share),
    members,
    order,
    ...found,
    stderr_tail: reasons.length === 0 || stderr === "" ? null : stderr,
  };
}

const NULL_APP = join(PROJECT_ROOT, "servers", "apps", "null.ts");

async function start(member: OpenMember, step: PlannedObservation, site: Site): Promise<Running> {
  const { point } = member.cell;
  const requests = site.suite.requests(point);
  const ceiling = step.kind === "ceiling";
  const files = ceiling ? { directory: null } : site.directoryOf(member.cell);
  if ("failed" in files) throw new Stopped([{ code: "files-failed", message: files.failed }]);
  const spec: ServerSpec = ceiling
    ? { kind: "app", runtime: site.neutral.label, module: NULL_APP }
    : site.suite.server(point, files.directory);
  const runtime = spec.kind !== "app" ? null : ceiling ? site.neutral : site.runtimes.get(spec.runtime) ?? null;
  const server: ServerProcess | NoServer = await startServer({
    spec,
    runtime,
    cpus: site.placement.serverCpus,
    onStart: site.onStart,
    ...(ceiling ? {} : site.specialOf?.(member.cell)),
  });
  if ("unsupported" in server) throw new Stopped([{ code: "unsupported", message: server.unsupported }]);
  if ("failed" in server) {
    throw Object.assign(new Stopped([server.failed]), { stderr: server.stderr });
  }
  const { ready } = server;
  member.server = {
    version: ready?.version ?? (spec.kind === "app" ? null : spec.identity?.["version"] ?? null),
    startup_ms: server.startupMs,
    open_ms: ready?.openMs ?? null,
    disk_bytes: ready?.diskBytes ?? null,
    peak_rss_bytes: null,
    facts: { ...(spec.kind === "app" ? {} : spec.identity), ...ready?.facts },
    thread_cpus: null,
  };
  return { member, requests, oracle: ceiling ? null : site.suite.oracle(point), server, sent: [] };
}

/** The steps from the first check to the last; fills in what it finds and returns what is wrong with it. */
async function measure(
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  found: Findings,
): Promise<Reason[]> {
  const { plan } = site;
  const asked = connectionsOf(running[0]!.requests);
  const threads = running.length > 1 ? running.length : Math.min(site.threads, asked);
  // Each thread opens the same whole number of them: four threads make 48 of 50.
  const connections = running.length > 1 ? asked : Math.floor(asked / threads) * threads;
  const seed = (salt: number) => (step.draw_seed ^ salt) >>> 0;

  let slowestMs = 0;
  for (const each of running) {
    if (each.oracle === null) continue;
    const answer = await askOracle(each.server.url, each.oracle, step.draw_seed, THRESHOLDS.mostReplyTimeoutMs / 2);
    if ("failed" in answer) throw await explained(each.server.child, answer.failed);
    each.member.oracle = { before: answer.replies, after: 0, audit: null };
    slowestMs = Math.max(slowestMs, answer.slowestMs);
  }
  const timeoutMs = Math.min(
    THRESHOLDS.mostReplyTimeoutMs,
    Math.max(THRESHOLDS.replyTimeoutMs, THRESHOLDS.replyQueues * connections * running.length * slowestMs),
  );

  const load = async (durationMs: number, seedOfLoad: number): Promise<MeasuredLoad> => {
    const loads = running[0]!.sent.length;
    const loadPlan: LoadPlan = {
      targets: running.map(({ server, requests }) => ({ url: server.url, requests })) as unknown as LoadPlan["targets"],
      threads,
      durationMs,
      timeoutMs,
      seed: seedOfLoad,
      load: loads,
    };
    const measured = await measureLoad(loadPlan, {
      machine: site.machine,
      serverPids: running.map(({ server }) => server.pid),
      serverCpus: site.placement.serverCpus,
      loadCpus: site.placement.loadCpus,
      generator: site.generator,
      program: site.program,
      onStart: site.onStart,
    });
    if ("failed" in measured) {
      const fault = { code: "generator-failed", message: measured.failed } as const;
      throw await explained(running.map(({ server }) => server.child), fault);
    }
    running.forEach(({ sent }, n) => sent.push(sentTo(n, running.length, loads, measured.result, connections)));
    return measured;
  };

  if (step.kind !== "ceiling") {
    for (let n = 1; n <= plan.warmup_loads; n++) {
      const { result } = await load(plan.warmup_ms, seed(0x55555555 * n));
      found.warmup.push({ duration_us: result.durationUs, requests_per_second: rateOf(result) });
      // Requests the warm-up left in a server's queue are answered before this one is.
      for (const each of running) {
        const settled = await askAlive(each.server.url, each.oracle!, timeoutMs);
        if ("failed" in settled) throw await explained(each.server.child, settled.failed);
      }
    }
    checkAffinity(running, site);
  }

  const windowMs = step.kind === "ceiling" ? CEILING_MS : running.length > 1 ? plan.ensemble_ms : plan.duration_ms;
  const measured = await load(windowMs, step.draw_seed);
  const { result } = measured;
  const counted = {
    ...result,
    connections: connections * running.length,
    errorsDue: sum(result.threads.map(({ errorsDue }) => errorsDue)),
    errorsAllowed: sum(result.threads.map(({ errorsAllowed }) => errorsAllowed)),
  };
  found.counters = measured.counters;
  found.latency = latencyOf(counted);
  found.load = loadFacts(measured, counted, running[0]!.requests, connections);
  running.forEach(({ member, server }, n) => {
    noteCost(member, n, running.length, measured, connections);
    const peak = server.pid === null ? null : valueOf(site.machine.peakRssBytes(server.pid));
    member.server = { ...member.server!, peak_rss_bytes: peak };
  });

  const faults = faultsOf(counted);
  const astray = affinityFault("generator", measured.generatorThreadCpus, site.placement.loadCpus);
  if (astray !== undefined) faults.push(astray);
  if (running.length > 1) {
    faults.push(...togetherFaults(running.map(({ member }) => member), measured, connections, windowMs));
  }

  for (const each of running) {
    if (each.oracle === null) continue;
    const after = await askOracle(each.server.url, each.oracle, seed(2), timeoutMs);
    if ("failed" in after) return [...(await explained(each.server.child, after.failed)).reasons, ...faults];
    each.member.oracle = { ...each.member.oracle!, after: after.replies };
    const audit = each.oracle.audit?.(each.sent);
    if (audit === undefined) continue;
    const told = await askAudit(each.server.url, audit, timeoutMs);
    if ("failed" in told) return [...(await explained(each.server.child, told.failed)).reasons, ...faults];
    each.member.oracle = { ...each.member.oracle, audit: told.replies };
    each.member.audit_facts = { ...told.facts };
  }
  return faults;
}

function checkAffinity(running: readonly Running[], { machine, placement }: Site): void {
  for (const { member, server } of running) {
    if (server.pid === null) continue;
    const lists = valueOf(machine.threadCpus(server.pid));
    member.server = { ...member.server!, thread_cpus: lists && [...lists] };
    const astray = affinityFault("server", lists, placement.serverCpus);
    if (astray !== undefined) throw new Stopped([astray]);
  }
}

/** A server that has ended explains a broken socket better than the socket does. */
async function explained(children: (Child | null) | readonly (Child | null)[], reason: Reason): Promise<Stopped> {
  for (const child of [children].flat() as (Child | null)[]) {
    if (child === null) continue;
    const ending = await within(200, child.ended);
    if (ending === "timeout" || "failed" in ending) continue;
    const message = `the server ended with ${ending.signal ?? `exit ${ending.code}`}`;
    return new Stopped([{ code: "server-crashed", message }]);
  }
  return new Stopped([reason]);
}
