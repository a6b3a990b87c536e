import { counted, percent } from "../basics/units.ts";
import { nullServer } from "../generators/wrk.ts";
import { ceilingRequests } from "../plan/ceiling-requests.ts";
import { judgedAlone } from "../judge/judge-line.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { within } from "../machine/clock.ts";
import { check, loadWaiting, warm } from "./check-and-warm.ts";
import type { Member } from "../record/observation-record.ts";
import { keepAtWork } from "./keep-at-work.ts";
import { cellKey } from "../record/cell.ts";
import { noteIdleUse } from "./idle-use.ts";
import { noteLaterWork } from "./later-work.ts";
import { loadForReplies } from "./load-once.ts";
import { checkAffinity, type Running, stoppedBy } from "./running.ts";
import type { Servers } from "./servers.ts";
import { aloneMs } from "../plan/schedule.ts";
import {
  type RunningService,
  serviceAddresses,
  serviceFactsOf,
  startServices,
  stopServices,
  withServiceAccess,
} from "./services.ts";
import type { Site } from "./site.ts";
import { Stopped } from "./stopped.ts";
import { mark } from "../record/mark.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { valueOf } from "../record/samples.ts";
import type { ServerSpec } from "../../suites/suite.ts";

/** Starts, checks and warms up each server, and measures it alone if that is planned, one after the other. */
export async function makeReady(
  members: readonly Member[],
  step: PlannedObservation,
  site: Site,
  servers: Servers,
) {
  const single = members.length === 1;
  // Waiting servers collect garbage and compile, so they are stopped while one is alone on the core.
  const all = async (signal: "SIGSTOP" | "SIGCONT") => {
    for (const { server } of single ? [] : servers.running()) await server.process?.kill(signal);
  };
  const waiting = () => servers.running().slice(0, -1).filter(({ server }) => server.process !== null);
  let lost: Stopped | null = null;
  const begin = async () => {
    const load = await loadWaiting(waiting(), step, site);
    const end = () =>
      load.end().catch((error) => {
        if (!(error instanceof Stopped)) throw error;
        lost = error;
      });
    return { ...load, end };
  };
  const atWork = keepAtWork(() => waiting().map(({ server }) => server.process!), begin);
  for (const member of members) {
    await all("SIGSTOP");
    const ended = step.ended?.get(cellKey(member.cell));
    await servers.orLeftOut(member, async () => {
      if (ended !== undefined) throw new Stopped([ended]);
      servers.add(await start(member, step, site));
    });
    const started = servers.running().find((each) => each.member === member);
    if (started === undefined || step.kind === "ceiling") continue;
    if (!single) await checkMemory(servers.running(), site);
    await servers.orLeftOut(member, async () => {
      await check(started, step, site);
      await noteIdleUse(started, site);
      const { process } = started.server;
      await (single || process === null
        ? warm(started, step, site)
        : atWork.during(process, (still) => warm(started, step, site, still)));
      if (!step.alone || single && step.apart === undefined) return;
      if (step.apart) await checkAffinity(started, site);
      member.alone = await measureAlone(started, step, site);
      if (step.apart) await noteLaterWork([started], site, member.alone.load?.connections ?? 0);
      site.onAlone?.(member);
    });
    // A server that ended while it waited is not the fault of the one that warmed up.
    const gone = await endedOf(servers.running().filter((one) => one !== started));
    for (const one of gone) {
      const reason = mark("server-crashed", "the server has ended");
      await servers.orLeftOut(one.member, async () => {
        throw await stoppedBy([one], reason);
      });
    }
    if (lost !== null && gone.length === 0) throw lost as Stopped;
    lost = null;
  }
  await all("SIGCONT");
}

/** Servers whose process is gone. */
async function endedOf(running: readonly Running[]): Promise<Running[]> {
  const ended: Running[] = [];
  for (const each of running) {
    const { process } = each.server;
    if (process !== null && await within(1, process.ended) !== "timeout") ended.push(each);
  }
  return ended;
}

/** Throws if servers of an ensemble have left too little memory. */
async function checkMemory(running: readonly Running[], { hosts }: Site): Promise<void> {
  const free = valueOf(await hosts.server.freeMemoryShare());
  if (free === null || free >= THRESHOLDS.freeMemoryShare) return;
  const message = `with ${counted(running.length, "server")} running ${percent(free)} of the memory is free`;
  throw new Stopped([mark("memory-short", `${message}: measure fewer together`)]);
}

async function start(member: Member, step: PlannedObservation, site: Site): Promise<Running> {
  const { point } = member.cell;
  const ceiling = step.kind === "ceiling";
  const files = ceiling ? { directory: null, ofServices: null } : site.directoryOf(member.cell);
  if ("failed" in files) throw new Stopped([mark("files-failed", files.failed)]);
  const services = ceiling ? [] : await startServices(site.suite.services?.(point, files.ofServices) ?? [], site);
  try {
    return await startWithServices(services, files.directory, member, step, site);
  } catch (error) {
    await stopServices(services, site);
    throw error;
  }
}

/** Starts a server after its services. */
async function startWithServices(
  services: readonly RunningService[],
  directory: string | null,
  member: Member,
  step: PlannedObservation,
  site: Site,
): Promise<Running> {
  const ceiling = step.kind === "ceiling";
  const { point } = member.cell;
  const planned = site.suite.requests(point), requests = ceiling ? ceilingRequests(planned) : planned;
  const spec: ServerSpec = ceiling
    ? nullServer(site.serversWrk.program, requests)
    : withServiceAccess(site.suite.server(point, directory, serviceAddresses(services)), services);
  const named = spec.kind === "running" ? undefined : spec.runtime;
  const runtime = named === undefined ? null : site.runtimes.get(named) ?? null;
  const server = await site.hosts.server.serve({
    spec: site.specOf?.(member.cell, spec, runtime) ?? spec,
    runtime,
    cpus: site.placement.serverCpus,
    raised: site.priority.nice !== null,
    onStart: site.onStart,
    ...(site.hosts.address === undefined ? {} : { hostname: site.hosts.address }),
    ...(ceiling ? {} : site.specialOf?.(member.cell)),
    ...(requests.protocol === undefined ? {} : { protocol: requests.protocol }),
  });
  if ("unsupported" in server) throw new Stopped([mark("unsupported", server.unsupported)]);
  if ("failed" in server) throw new Stopped([server.failed], server.stderr);
  const { ready } = server;
  member.server = {
    version: ready?.version ?? runtime?.version ?? (server.served?.length === 1 ? server.served[0]!.version : null) ??
      (spec.kind === "app" ? null : spec.identity?.["version"] ?? null),
    startup_ms: server.startupMs,
    open_ms: ready?.openMs ?? null,
    disk_bytes: ready?.diskBytes ?? null,
    peak_rss_bytes: null,
    facts: { ...(spec.kind === "app" ? {} : spec.identity), ...ready?.facts, ...server.negotiated },
    thread_cpus: null,
    ...(server.served === undefined ? {} : { served: [...server.served] }),
    ...(services.length === 0
      ? {}
      : { services: await Promise.all(services.map((each) => serviceFactsOf(each, site))) }),
  };
  return {
    member,
    requests,
    oracle: ceiling ? null : site.suite.oracle(point),
    server,
    services,
    roundTripUs: site.hosts.link === undefined ? null : await site.hosts.load.roundTripUs(server.url),
    sent: [],
    sizes: [],
    written: [],
    waits: async () => server.pid === null ? null : await site.hosts.server.waitsOf(server.pid, server.mark),
    idle: null,
    startedBytes: null,
    slowestMs: 0,
  };
}

/** Measures one server of an ensemble alone, while the others wait. */
async function measureAlone(
  each: Running,
  step: PlannedObservation,
  site: Site,
): Promise<NonNullable<Member["alone"]>> {
  const { loaded } = await loadForReplies([each], step, site, aloneMs(site.plan, step));
  return { ...loaded, marks: judgedAlone(loaded, each.member, site.placement) };
}
