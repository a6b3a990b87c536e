import { judgeLine } from "../judge/judge-line.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { CEILING_MS, orderOf, windowTogetherMs } from "../plan/schedule.ts";
import { costOf } from "../statistics/slices.ts";
import type { Member, Observation, Warmup, Window } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import { NO_LOAD } from "../judge/lines.ts";
import { isOfServer } from "../judge/status.ts";
import { valueOf } from "../record/samples.ts";
import { counted } from "../basics/units.ts";
import { checkReplies, type OracleFault, runAudit } from "./check-replies.ts";
import { noteAtRest } from "./check-and-warm.ts";
import { openMember } from "./findings.ts";
import { noteLaterWork } from "./later-work.ts";
import { loadForReplies, loadOnce } from "./load-once.ts";
import { makeReady } from "./make-ready.ts";
import { measureWindows } from "./measure-windows.ts";
import {
  addressOf,
  checkAffinity,
  namedInMark,
  noteDrawn,
  noteSize,
  type Running,
  seedOf,
  timeoutOf,
} from "./running.ts";
import { Stopped } from "./stopped.ts";
import { nowText } from "./sample-load.ts";
import { noServers, type Servers } from "./servers.ts";
import type { Site } from "./site.ts";
import { mark } from "../record/mark.ts";

/** The findings so far; they are kept whatever happens next. */
type Findings = Loaded & Pick<Observation, "warmup" | "windows">;

/**
 * Makes one observation: a fresh server process for each cell on the same core, each checked and warmed up until it is
 * steady, measured alone where that is planned; then all loaded together, checked again, stopped. One path for one server,
 * for several, and for the server that does nothing. Servers that bear no halts are measured alone only.
 *
 * A slower core slows all its servers by the same share, so ratios of their CPU time per request stand where rates drift. The
 * idea of measuring two at once is duet benchmarking (Bulej et al., ICPE 2020).
 *
 * Never throws for what a server or generator does: the record says what happened. A server that fails before the others
 * are loaded with it is left out and named; the others go on without it.
 */
export async function observe(step: PlannedObservation, site: Site): Promise<Observation> {
  const started = performance.now();
  const startedAt = nowText();
  const members = step.cells.map(openMember);
  const order = orderOf(members.length, step.round);
  const inTurn = order.map((place) => members[place]!);
  const single = members.length === 1;
  const servers = noServers(site.hosts, single);
  let found: Findings = { ...NO_LOAD, warmup: null, marks: [] }, stderr = "";
  try {
    if (step.apart) await measureApart(inTurn, step, site, servers);
    else await makeReady(inTurn, step, site, servers);
    const { nextWindow } = site;
    if (step.apart) found = { ...found, windows: [] };
    else if (single || nextWindow === undefined) found = await loadAll(inTurn, step, site, servers.running());
    if (nextWindow !== undefined && step.apart === undefined && (!single || found.load !== null)) {
      for (const each of single ? [] : servers.running()) await checkAffinity(each, site);
      const before = { ...found, draw_seed: step.draw_seed, order, members };
      const { windows, stopped } = await measureWindows(servers, step, site, before, nextWindow);
      found = { ...found, windows };
      if (stopped !== null) throw stopped;
      if (!single) await noteWindows(members, servers.running(), site, windows);
    }
    found = { ...found, marks: await checkAfterwards(servers.running(), step, site, single) };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    found = { ...found, marks: [...error.marks] };
    stderr = error.stderr;
  } finally {
    await servers.stopAll();
  }
  stderr ||= servers.stderr();
  const { cells: _, apart: __, ended: ___, ...planned } = step;
  const line = judgeLine({
    schema: "levelfield.observation/3",
    ...planned,
    status: "ok",
    started_at: startedAt,
    wall_ms: performance.now() - started,
    members,
    order,
    ...found,
    stderr_tail: null,
  }, site.placement);
  return { ...line, stderr_tail: line.status === "ok" || stderr === "" ? null : stderr };
}

/** Measures one server after the other, none of which is ever halted: each has ended before the next one starts. */
async function measureApart(members: readonly Member[], step: PlannedObservation, site: Site, servers: Servers) {
  for (const member of members) {
    await makeReady([member], step, site, servers);
    for (const each of servers.running()) await notePeak(each, site);
    // A fault is a mark of its server, and does not affect the others.
    await checkAfterwards(servers.running(), step, site, false);
    await servers.stopAll();
  }
}

/** Loads all servers that are ready, and notes their figures. Throws {@link Stopped} if too few are left. */
async function loadAll(
  members: readonly Member[],
  step: PlannedObservation,
  site: Site,
  running: readonly Running[],
): Promise<Findings> {
  const ceiling = step.kind === "ceiling";
  const single = members.length === 1;
  if (!single && running.length < 2) {
    const why = members.flatMap((member) => member.marks);
    throw new Stopped(
      members.length === 2 && why.length > 0
        ? why.slice(0, 1)
        : [mark("too-few-servers", `only ${running.length} of ${counted(members.length, "server")} could be measured`)],
    );
  }
  for (const each of running) await checkAffinity(each, site);
  const plannedMs = single
    ? site.plan.duration_ms
    : windowTogetherMs(step.counted_ms ?? site.plan.ensemble_ms, running.length);
  const { loaded, ...measured } = ceiling
    ? await loadOnce(running, site, CEILING_MS, step.draw_seed)
    : await loadForReplies(running, step, site, plannedMs);
  for (const [n, { member }] of running.entries()) {
    const work = measured.windows[n]!;
    const [sockets, late, status] = (single ? undefined : measured.result.threads[n]?.failed) ?? [0, 0, 0];
    Object.assign(member, work, { cpu_ns_per_request: costOf(work) || null });
    if (sockets + late + status > 0) member.failed = [sockets, late, status];
    const byConnection = single ? undefined : measured.result.byConnection?.[n];
    if (byConnection !== undefined) member.by_connection = byConnection;
  }
  if (!ceiling) await noteLaterWork(running, site, loaded.load?.connections ?? 0);
  for (const each of running) {
    const { member, sizes, written } = each;
    await noteSize(each, site);
    if (!ceiling) noteDrawn(each, site);
    if (!ceiling && sizes.length > 0) member.sizes = sizes.map(([...reading]) => reading);
    if (!ceiling && written.length > 1) member.written = written;
    await notePeak(each, site);
  }
  const places = recordPlaces(running, members, step.round);
  return {
    ...loaded,
    warmup: measured.warmup && inRecordOrder(measured.warmup, places),
    ...(loaded.beside === undefined ? {} : { beside: places.map((place) => loaded.beside![place] ?? null) }),
    ...(loaded.services === undefined ? {} : { services: places.map((place) => loaded.services![place] ?? []) }),
  };
}

async function notePeak({ member, server: { pid } }: Running, { hosts }: Site): Promise<void> {
  const peak = pid === null ? null : valueOf(await hosts.server.peakRssBytes(pid));
  member.server = { ...member.server!, peak_rss_bytes: peak };
}

/** Notes memory and later work of servers after windows by turns. Throws {@link Stopped} if none could be measured. */
async function noteWindows(
  members: readonly Member[],
  running: readonly Running[],
  site: Site,
  windows: readonly Window[],
): Promise<void> {
  if (windows.length === 0) throw new Stopped(members.flatMap(({ marks }) => marks).slice(0, 1));
  await noteLaterWork(running, site, Math.max(...windows.map(({ connections }) => connections)));
  for (const each of running) await notePeak(each, site);
}

/** Runs the audit of each server, and keeps its facts. */
async function checkAfterwards(
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  single: boolean,
): Promise<Mark[]> {
  for (const each of running) {
    const failed = await lastChecks(each, site, seedOf(step, 2), timeoutOf(running, site));
    if (failed === null) {
      if (each.oracle !== null) await noteAtRest(each, step, site);
      continue;
    }
    const why = await namedInMark(each, failed);
    // A wrong reply of one server does not affect the others; a server that is gone left them more of the core.
    if (single || !why.every(isOfServer)) return [...why];
  }
  return [];
}

/** Runs the oracle and the audit again after the load; returns the reason if replies are wrong. */
async function lastChecks(each: Running, site: Site, seed: number, timeoutMs: number): Promise<OracleFault | null> {
  const { member, oracle } = each;
  const server = addressOf(each, site);
  if (oracle === null) return null;
  const after = await checkReplies(server, oracle, seed, timeoutMs);
  if ("failed" in after) {
    if (after.lasting === null) return after;
    const again = await checkReplies(server, oracle, seed, timeoutMs);
    const lasts = "failed" in again && again.lasting === after.lasting;
    return lasts ? { ...after, failed: { ...after.failed, text: after.lasting } } : after;
  }
  member.oracle = { ...member.oracle!, after: after.replies };
  const audit = oracle.audit?.(each.sent);
  if (audit === undefined) return null;
  const audited = await runAudit(server, audit, timeoutMs);
  if ("failed" in audited) return audited;
  member.oracle = { ...member.oracle, audit: audited.replies };
  member.audit_facts = { ...audited.facts };
  return null;
}

/** For each member of the record its place among those that ran; -1 if it was left out. */
function recordPlaces(running: readonly Running[], inTurn: readonly Member[], round: number): number[] {
  const order = orderOf(inTurn.length, round);
  const members = order.map((_, place) => inTurn[order.indexOf(place)]!);
  return members.map((member) => running.findIndex((each) => each.member === member));
}

/** Returns the warm-up of each server in the order of the record; nothing for servers that were left out. */
function inRecordOrder(warmup: Warmup, places: readonly number[]): Warmup {
  return {
    ...warmup,
    slices: warmup.slices && places.map((place) => warmup.slices![place] ?? []),
    steadiness: places.map((place) => warmup.steadiness[place] ?? "unknown"),
    changes: places.map((place) => warmup.changes[place] ?? null),
  };
}
