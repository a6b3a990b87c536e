import { counted, formatCpu, formatUs, percent } from "../basics/units.ts";
import { cellKey } from "../record/cell.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { median, medianOfKnown } from "../statistics/median.ts";
import { boundOfCounters } from "./bound.ts";
import type { OkSolo, Solo } from "./lines.ts";
import { isOfOthers } from "./status.ts";
import { THRESHOLDS } from "./thresholds.ts";

type Line = Pick<Observation, "kind" | "marks" | "members" | "counters">;

/** A server that waits instead of work: most of the time no thread of it runs, though each connection has a request. */
interface WaitingServer {
  readonly member: Member;
  /** The busy share of its cores alone. */
  readonly busy: number;
  /** The median wait for a reply alone, in µs; null if unknown. */
  readonly replyUs: number | null;
  /** CPU time of a request alone, in ns; null if unknown. */
  readonly cpuNs: number | null;
}

/** Returns servers that wait for themselves in the middle of their rounds alone: not for a service, not for the generator. */
export function waitingServers(lines: readonly Line[]): WaitingServer[] {
  const alone = lines.flatMap(({ kind, members }) => kind === "ensemble" ? members : []).flatMap((member) => {
    const { counters, marks, latency } = member.alone ?? {};
    if (!counters || marks!.length > 0 || member.server?.services !== undefined) return [];
    const busy = Math.max(counters.server_share ?? 1, counters.server_thread_share ?? 0);
    const idle = (counters.generator_share ?? 1) < THRESHOLDS.waitingShare && boundOfCounters(counters) === "neither";
    return [{
      ...{ member, busy: idle ? busy : 1, replyUs: latency?.p50_us ?? null, cpuNs: counters.server_cpu_ns_per_request },
    }];
  });
  return [...Map.groupBy(alone, ({ member }) => cellKey(member.cell)).values()].flatMap((same) => {
    const busy = median(same.map((one) => one.busy));
    return busy < THRESHOLDS.waitingShare ? [{ ...same[0]!, busy }] : [];
  });
}

/**
 * True if a server alone waited for itself in the middle of its rounds, so that its waits are what limits its rate. Server and
 * generator that take turns over one connection are busy all the time between them.
 */
export function waitsAlone(solo: readonly Pick<Solo, "status" | "counters" | "member">[]): boolean {
  const busy = solo.flatMap(({ status, counters, member }) => {
    if (status !== "ok" || counters === null) return [];
    const { server_share, server_thread_share, generator_share } = counters;
    const isOwn = member.server?.services === undefined && boundOfCounters(counters) === "neither";
    return isOwn ? Math.max(server_share ?? 1, server_thread_share ?? 0) + (generator_share ?? 1) : 1;
  });
  return busy.length > 0 && median(busy) < THRESHOLDS.waitedShare;
}

/** True if servers together left their core idle in most rounds that others did not disturb: CPU time says nothing of waits. */
export function leaveCoreIdle(lines: readonly Line[]): boolean {
  const shares = lines.filter(({ marks }) => !marks.some(isOfOthers)).flatMap(({ counters }) =>
    counters?.core_share ?? []
  );
  return shares.length > 0 && median(shares) < THRESHOLDS.togetherCoreShare;
}

/** Returns in words how a server waits. */
export function waitingText(name: string, { busy, replyUs, cpuNs }: Omit<WaitingServer, "member">): string {
  const reply = replyUs === null || cpuNs === null
    ? ""
    : `: a reply takes ${formatUs(replyUs)} and ${formatCpu(cpuNs)} of CPU time`;
  return `${name} waits ${percent(1 - busy, 0)} of the time${reply}`;
}

/** With fewer connections a server may wait for the next request. */
const FEWEST_CONNECTIONS = 8;

/** Marks a server under full load that mostly waited, with no service of the run to wait for; null for any other. */
export function waitedMark(ok: readonly Pick<OkSolo, "counters" | "load" | "latency" | "services">[]): Mark | null {
  const shares = ok.map(({ counters, load, services }) => {
    const { server_share: server = null, server_thread_share: thread, generator_share: generator } = counters ?? {};
    if (server === null || counters?.link || services !== undefined) return null;
    if (load === null || load.offered_per_second !== undefined || load.connections < FEWEST_CONNECTIONS) return null;
    // A core that others fill keeps a server from work that has some.
    const busy = Math.max(server, thread ?? 0, counters?.core_share ?? 0);
    return (generator ?? 1) < THRESHOLDS.waitingShare && boundOfCounters(counters!) === "neither" ? busy : 1;
  });
  const busy = medianOfKnown(shares);
  if (busy === null || busy >= THRESHOLDS.waitingShare) return null;
  const replyUs = medianOfKnown(ok.map(({ latency }) => latency?.p50_us));
  const cpuNs = medianOfKnown(ok.map(({ counters }) => counters?.server_cpu_ns_per_request));
  return mark(
    "server-waited",
    `${
      waitingText("it", { busy, replyUs, cpuNs })
    }. Its requests wait for a pool, a lock, a timer, a disk or another program`,
  );
}

/** The state of a server that owes replies, as `Waits` of machine/peers.ts has it. */
interface Silence {
  readonly busy: number;
  readonly peers: readonly { readonly to: string; readonly connections: number; readonly states: readonly string[] }[];
}

/** A server that uses less of a core does nothing: runtimes wake now and then for timers of their own. */
const IDLE_SHARE = 0.05;

/**
 * Returns in words what a server that owes replies waits for: a pool whose connections all carry nothing, the other end of
 * them, or something within it. A server that computes waits for nothing.
 *
 * @param answered the requests that it answered one after the other before its loads
 */
export function silenceText({ busy, peers: [peer] }: Silence, answered: number): string {
  const idle = `it uses ${percent(busy, 0)} of a core`;
  if (busy >= IDLE_SHARE) return `${idle}, so it computes`;
  if (peer === undefined) {
    const before = answered === 0 ? "" : `. Before the load it answered ${counted(answered, "request")} one at a time`;
    return `${idle} and waits for no TCP connection: its requests wait for something within it, such as a place in a pool ` +
      `or a lock${before}. Requests that hold a place and take a second wait for ever`;
  }
  const { to, connections, states } = peer;
  const open = `${idle}, and ${counted(connections, "connection")} that it opened to ${to} ` +
    (connections === 1 ? "carries nothing" : "carry nothing");
  const other = states.length === 0 ? "" : ` (there they are ${states.map((state) => `"${state}"`).join(" and ")})`;
  if (states.some((state) => !state.startsWith("idle"))) return `${open}${other}: its requests wait for what is there`;
  const or = states.length === 0 ? ", or for what is there" : "";
  return `${open}${other}: its requests wait for a free connection of their pool${or}. ` +
    "Requests that hold one and take a second do so for ever";
}
