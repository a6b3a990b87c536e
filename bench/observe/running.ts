import { existsSync, readFileSync } from "node:fs";
import type { Oracle, RequestPlan, SentLoad } from "../../suites/suite.ts";
import { errorLine } from "../basics/error-line.ts";
import { counted } from "../basics/units.ts";
import { connectionsOf } from "../plan/plan-parts.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { PlannedObservation } from "../record/plan.ts";
import type { SizeReading } from "../judge/leak.ts";
import { valueOf } from "../record/samples.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { type LoadPlan, type LoadResult, speaksProtocol } from "../generators/generator.ts";
import { drawnValues } from "../generators/drawn-values.ts";
import { within } from "../machine/clock.ts";
import type { Waits } from "../machine/peers.ts";
import type { HostServer } from "../pipe/host.ts";
import { sum } from "../statistics/variation.ts";
import { checkAlive, type OracleFault } from "./check-replies.ts";
import type { Idle } from "../judge/later-work.ts";
import { silenceText } from "../judge/waiting.ts";
import { affinityMark } from "../judge/judge-load.ts";
import { openedConnections } from "./findings.ts";
import type { Member } from "../record/observation-record.ts";
import type { LoadSite } from "./measure-load.ts";
import { endedService, type RunningService } from "./services.ts";
import type { Site } from "./site.ts";
import { Stopped } from "./stopped.ts";
import { mark } from "../record/mark.ts";

/** One running server of an observation. */
export interface Running {
  readonly member: Member;
  readonly requests: RequestPlan;
  /** Null for a server that does nothing: there is nothing to ask it. */
  readonly oracle: Oracle | null;
  readonly server: HostServer;
  readonly services: readonly RunningService[];
  /** The shortest round trip from the load's host, in microseconds; null if it was not measured. */
  readonly roundTripUs: number | null;
  readonly sent: SentLoad[];
  /** Sizes of its process during its warm-up, then before its window and after it. */
  readonly sizes: SizeReading[];
  /** [requests sent so far, bytes written to disks] before its window and after it. */
  readonly written: [requests: number, bytes: number][];
  /** Looks at what it waits for; null if the system does not show it. */
  readonly waits: () => Promise<Waits | null>;
  /** Its use when idle; null if it cannot be read. */
  idle: Idle | null;
  /** Bytes it held before its first load; null if the system does not report them. */
  startedBytes: number | null;
  /** Time of the slowest reply to the oracle, in ms. */
  slowestMs: number;
}

/** Seed of one of the things drawn in a step, other than its measured requests. */
export const seedOf = ({ draw_seed }: PlannedObservation, salt: number) =>
  (draw_seed ^ Math.imul(0x55555555, salt)) >>> 0;

/** Returns the time limit of a reply in ms: several times that of a full queue at the pace of the slowest reply seen. */
export function timeoutOf(running: readonly Running[], { plan }: Pick<Site, "plan">): number {
  const connections = sum(running.map(({ requests }) => connectionsOf(requests)));
  const slowestMs = Math.max(...running.map(({ slowestMs }) => slowestMs));
  return Math.min(
    THRESHOLDS.mostReplyTimeoutMs,
    Math.max(plan.reply_ms ?? THRESHOLDS.replyTimeoutMs, THRESHOLDS.replyQueues * connections * slowestMs),
  );
}

/** A load on servers for as long as one is measured alone; its caller may give it another length. */
export function loadPlanOf(running: readonly Running[], site: Site, seed: number): LoadPlan {
  const { threads } = site.tool.generator.abilities;
  return {
    targets: running.map(({ server, requests }) => ({ url: server.url, requests })) as unknown as LoadPlan["targets"],
    threads: !threads
      ? 1
      : running.length > 1
      ? running.length
      : Math.min(site.threads, connectionsOf(running[0]!.requests)),
    durationMs: site.plan.duration_ms,
    timeoutMs: timeoutOf(running, site),
    seed,
    load: running[0]!.sent.length === 0 ? 0 : Math.max(...running.map(({ sent }) => sent.length)),
  };
}

function linkOf([first]: readonly Running[], { hosts: { link } }: Pick<Site, "hosts">): LoadSite["link"] {
  return link && { name: link.name, bitsPerSecond: link.bitsPerSecond, roundTripUs: first!.roundTripUs };
}

/** Several servers take turns, unless one of them was started by somebody else and cannot be stopped. */
function inTurns(running: readonly Running[]): LoadSite["inTurns"] {
  const processes = running.flatMap(({ server }) => server.process ?? []);
  return running.length > 1 && processes.length === running.length ? processes : undefined;
}

/** Returns the site of a load: where it and its servers run. */
export const loadSiteOf = (running: readonly Running[], site: Site): LoadSite => ({
  ...site,
  link: linkOf(running, site),
  inTurns: inTurns(running),
  serverPids: running.map(({ server }) => server.pid),
  ceiling: running.every(({ oracle }) => oracle === null),
  servicePids: running.flatMap(({ services }) => services.map(({ server }) => server.pid)),
});

/** The same site with the generator that warms up, and requests it can send: a closed loop, for as long as it takes. */
export function warmingOf(running: readonly Running[], site: Site): { running: readonly Running[]; site: Site } {
  const closed = running.map((each): Running => {
    const { requests } = each;
    return { ...each, requests: { ...requests, pace: { closed: connectionsOf(requests) } } };
  });
  const tool = running.every(({ requests }) => speaksProtocol(site.wrk.generator, requests)) ? site.wrk : site.tool;
  return { running: closed, site: { ...site, tool } };
}

/** Records for audits the requests of a load to each of its servers: each has a generator thread of its own. */
export function noteSent(running: readonly Running[], plan: LoadPlan, { threads }: LoadResult): void {
  const load = Math.max(...running.map(({ sent }) => sent.length));
  running.forEach((each, n) => {
    const own = running.length > 1 ? [threads[n]!] : threads;
    each.sent.push({ load, sent: own.map(({ sent }) => sent), connections: openedConnections(plan) });
  });
}

/** Reads the size of a server after all its requests so far; nothing if the system does not show it. */
export async function noteSize({ server: { pid }, sent, sizes, written }: Running, { hosts }: Pick<Site, "hosts">) {
  const size = pid === null ? null : await hosts.server.sizeOf(pid);
  if (size === null) return;
  const requests = sum(sent.flatMap((load) => load.sent.flat()));
  sizes.push([requests, size.bytes, size.descriptors]);
  if (size.written !== undefined) written.push([requests, size.written]);
}

/** Notes the random values in a server's requests, once its window is over. */
export function noteDrawn({ member, requests, sent }: Running, { tool }: Pick<Site, "tool">): void {
  const drawn = drawnValues(requests, sent, {
    windowRequests: member.requests ?? 0,
    repeats: tool.generator.abilities.sends !== "mix",
    // One whose file is gone by now is left out.
    linesOf: (file) =>
      existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "").length : 0,
  });
  if (drawn.length > 0) member.drawn = drawn;
}

/** Returns the address of a server and the client for it: from the load's side, in the server's protocol. */
export const addressOf = ({ server: { url, spoken } }: Pick<Running, "server">, { hosts }: Pick<Site, "hosts">) => ({
  url,
  from: { client: (at: string, timeoutMs: number) => hosts.load.client(at, timeoutMs, spoken) },
});

/** Requests a load left in a server's queue are answered before this one is. */
export async function untilQueueIsEmpty(each: Running, site: Pick<Site, "hosts">, timeoutMs: number): Promise<void> {
  const alive = await checkAlive(addressOf(each, site), each.oracle!, timeoutMs);
  if ("failed" in alive) throw await stoppedBy([each], alive.failed, alive.status);
}

/** Reads back on which CPUs a server may run. Throws {@link Stopped} where these are others than it was given. */
export async function checkAffinity({ member, server }: Running, { hosts, placement }: Site): Promise<void> {
  if (server.pid === null) return;
  const lists = valueOf(await hosts.server.threadCpus(server.pid));
  member.server = { ...member.server!, thread_cpus: lists && [...lists] };
  // A server that somebody else started runs on CPUs of their choice.
  if (server.process === null) return;
  const astray = affinityMark("server", lists, placement.serverCpus);
  if (astray !== undefined) throw new Stopped([astray]);
}

/** Writes down of which server a mark is that ends the observation. */
export async function namedInMark(each: Running, { failed, status }: OracleFault): Promise<readonly Mark[]> {
  const { marks } = await stoppedBy([each], failed, status);
  each.member.marks = [...each.member.marks, ...marks];
  return marks;
}

/** Returns the last words of servers on stderr, after those of others. */
export function lastSaid(running: readonly Running[], others: readonly string[] = []): string {
  const all = [...others, ...running.map(({ server }) => server.process?.stderrTail() ?? "")];
  return all.filter((text) => text !== "").join("\n");
}

/** Returns how a server has ended, with its last words; null if it runs, or was not started here. */
export async function endingText(process: Running["server"]["process"]): Promise<string | null> {
  const ending = process === null ? "timeout" : await within(200, process.ended);
  if (ending === "timeout" || "failed" in ending) return null;
  // A killed server, or one that ended well, wrote no last words.
  const lastError = ending.signal === "SIGKILL" || ending.code === 0 ? null : errorLine(process!.stderrTail());
  return `the server ended with ${ending.signal ?? `exit ${ending.code}`}${lastError === null ? "" : `: ${lastError}`}`;
}

/**
 * Returns why an observation ends: a server that has ended explains a broken socket better than the socket does.
 *
 * @param status of a reply that is wrong by it
 */
export async function stoppedBy(
  running: readonly Running[],
  why: Mark,
  status: number | null = null,
): Promise<Stopped> {
  const stderr = lastSaid(running);
  const gone = await endedService(running.flatMap(({ services }) => services));
  if (gone !== null) return new Stopped([mark("service-failed", gone)], stderr);
  for (const { server: { process } } of running) {
    const message = await endingText(process);
    if (message !== null) return new Stopped([mark("server-crashed", message)], stderr);
  }
  const erred = status !== null && status >= 500;
  const lastError = erred ? errorLine(stderr) : null;
  // A server without an answer, or with an error, may wait for a service.
  const needed = erred || why.code === "server-hung" ? running.flatMap(({ services }) => services) : [];
  const needs = await Promise.all(needed.map(async ({ name, connections, server: { process } }) => {
    const [open, says] = [await connections(), errorLine(process?.stderrTail() ?? "")];
    return `; it needs "${name}", which runs${open === null ? "" : ` with ${counted(open, "connection")} open`}${
      says === null ? "" : ` and says "${says}"`
    }`;
  }));
  const silent = why.code === "server-hung" ? await running[0]!.waits() : null;
  const answered = running[0]?.member.oracle?.before ?? 0;
  const waits = silent === null ? "" : `; ${silenceText(silent, answered)}`;
  const text = `${why.text}${lastError === null ? "" : `, and it says "${lastError}"`}${needs.join("")}${waits}`;
  return new Stopped([{ ...why, text }], stderr);
}
