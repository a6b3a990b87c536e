import { RATE } from "../record/cell.ts";
import { formatCpuList } from "../basics/cpu-list.ts";
import { counted, grouped, percent } from "../basics/units.ts";
import type { Member, Window } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { contentionMarks } from "./contention.ts";
import { brokenRows, COUNT_ROWS, type LoadFigures, READING_ROWS } from "./impossible.ts";
import { rateMark } from "./open-loop.ts";
import { noneRightMark } from "./replies.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { mark } from "../record/mark.ts";

type Load = NonNullable<Loaded["load"]>;

/** CPUs that servers and load generator were pinned to; null without pinning. */
export interface GivenCpus {
  readonly serverCpus: readonly number[] | null;
  readonly loadCpus: readonly number[] | null;
}

/** Whose load is judged. */
export interface JudgedLoad {
  /** Servers together need their core full. A window of a search may keep any rate; a cell at a rate must keep it. */
  readonly whose: "ceiling" | "one" | "window" | "together";
  readonly members: readonly Pick<Member, "server" | "at_rest">[];
  readonly given: GivenCpus;
}

/** Returns how an extra window is judged: one at a rate as any load of one server. */
export const windowKind = ({ at }: Pick<Window, "at">): "one" | "window" =>
  RATE in at || "pace" in at ? "one" : "window";

/** Returns everything that says why the figures of a load may not be used; nothing if there are none. */
export function judgeLoad(loaded: Loaded, of: JudgedLoad): Mark[] {
  const figures = loadFigures(loaded, of);
  if (figures === null) return [];
  const { whose, members, given } = of;
  const { load, counters, servers } = figures;
  const marks = [
    ...errorMarks(load, servers),
    messagesMark(load),
    endedMark(load),
    load.requests === 0 ? mark("no-requests", "no request was answered in the window") : undefined,
    ...brokenRows(COUNT_ROWS, figures),
    ...(counters === null || whose === "ceiling" ? [] : contentionMarks({
      ...counters,
      // The use of the generator's core does not matter if nothing is sent.
      ...(load.calls ? { generator_foreign_share: null } : {}),
      ...(load.offered_per_second === undefined ? {} : { isOpenLoop: true }),
    })),
    affinityMark("generator", load.thread_cpus, given.loadCpus),
    ...members.filter(isOurs).map(({ server }) => affinityMark("server", server!.thread_cpus, given.serverCpus)),
    whose === "window" ? undefined : rateMark(loaded),
    whose === "one" ? emptyCallMark(load, counters?.server_cpu_ns_per_request ?? null) : undefined,
    whose === "together"
      ? coreMark(loaded)
      : noneRightMark(load, { at_rest: members[0]?.at_rest, sampled: loaded.beside?.[0] ?? null }),
  ].filter((one) => one !== undefined);
  // A disturbance of the load moves its readings, and voids it by itself.
  const isVoid = marks.length + loaded.marks.length > 0;
  return isVoid || counters === null ? marks : brokenRows(READING_ROWS, { ...figures, counters });
}

/** A server that somebody else started runs on CPUs of their choice. */
const isOurs = ({ server }: Pick<Member, "server">) => server !== null && server.startup_ms !== null;

/** Returns a load with the facts its figures are compared with; null without a load. */
export function loadFigures(
  { load, latency, sent, counters }: Loaded,
  { members, given }: JudgedLoad,
): LoadFigures | null {
  if (load === null) return null;
  const { errors } = load, { serverCpus } = given;
  const known = members.length > 0 && members.every((member) => isOurs(member) && member.server!.thread_cpus !== null);
  return {
    ...{ load, latency, sent, counters },
    servers: Math.max(1, members.length),
    isClean: socketErrors(errors) + (errors.timeout ?? 0) === 0,
    cpus: serverCpus?.length ?? 1,
    isPinned: serverCpus !== null && known,
  };
}

/** The close code of a broken policy, which servers use for limits (RFC 6455, 7.4.1). */
const POLICY = "1008";

function errorMarks({ errors, connections, messages, requests }: Load, servers: number): Mark[] {
  const marks: Mark[] = [];
  const sockets = socketErrors(errors);
  if (sockets > 0) {
    const kinds = (["connect", "read", "write", "other"] as const).flatMap((kind) =>
      typeof errors[kind] === "number" ? [`${kind} ${errors[kind]}`] : []
    );
    const why = messages === undefined
      ? brokenText(errors.read ?? 0, requests)
      : messages.fault
      ? `: ${messages.fault}`
      : "";
    const limited = messages?.closes[POLICY] ?? 0;
    const limit = limited === 0 ? "" : `; ${counted(limited, "connection")} closed with ${POLICY}, as for a limit`;
    marks.push(mark("socket-errors", `${sockets} socket errors (${kinds.join(", ")})${why}${limit}`));
  }
  if (errors.timeout !== null && errors.timeout > 0) {
    marks.push(mark("timeouts", `${counted(errors.timeout, "reply", "replies")} came too late`));
  }
  // Requests in flight at the end were sent but not answered.
  const { status, expected_status: most, due_status: due = 0 } = errors;
  if (status !== null && (status > most || status < due - connections * servers)) {
    const allowed = status > most ? `at most ${counted(most, "was", "were")}` : counted(due, "was", "were");
    const message = `${counted(status, "reply", "replies")} had an error status, ${allowed} expected`;
    marks.push(mark("unexpected-status", message));
  }
  return marks;
}

/** Returns in words that connections ended under requests: such an end is an error, one before a request is none. */
function brokenText(read: number, requests: number): string {
  if (read === 0) return "";
  const often = requests < read
    ? `${counted(read, "request")}`
    : `one request in ${grouped(Math.round(requests / read) + 1)}`;
  return `: ${often} got no whole reply before its connection ended; "connection: close" announces an end that is meant`;
}

function messagesMark({ messages }: Load): Mark | undefined {
  if (messages === undefined) return undefined;
  const { expected, received, doubled, reordered, changed, connections_short: short, fault } = messages;
  const counts = { lost: expected - received, doubled, "out of order": reordered, changed };
  const parts = Object.entries(counts).flatMap(([what, count]) => count === 0 ? [] : [`${count} ${what}`]);
  if (parts.length === 0) return undefined;
  const where = short === 0 ? "" : `, on ${counted(short, "connection")}`;
  const text = `of ${counted(expected, "message")} ${parts.join(", ")}${where}${fault === null ? "" : `: ${fault}`}`;
  return mark("messages-lost", text);
}

/** Returns the mark of a call that costs less than any work does, of functions called in their process. */
export function emptyCallMark({ calls }: Load, cpuNs: number | null): Mark | undefined {
  const least = THRESHOLDS.leastCpuNsPerCall;
  if (calls !== true || cpuNs === null || cpuNs >= least) return undefined;
  return mark(
    "folded",
    `a call costs ${cpuNs.toFixed(1)} ns, and work takes at least ${least}: it does nothing, or was left out`,
  );
}

function endedMark({ connections, kept_share: kept = 1 }: Load): Mark | undefined {
  if (kept >= THRESHOLDS.leastKeptShare) return undefined;
  const text = `the server ended connections: ${percent(kept, 0)} of ${connections} still sent at the end of the load`;
  return mark("connections-ended", text);
}

/** An ensemble compares servers on a full core. */
function coreMark({ counters }: Loaded): Mark | undefined {
  const share = counters?.core_share ?? null;
  if (share === null || share >= THRESHOLDS.togetherCoreShare) return undefined;
  return mark("core-not-full", `the servers' core was busy only ${percent(share, 0)} of the time`);
}

/** Says which threads may run elsewhere than wanted. */
export function affinityMark(
  who: string,
  lists: readonly string[] | null,
  wanted: readonly number[] | null,
): Mark | undefined {
  if (lists === null || wanted === null) return undefined;
  const list = formatCpuList(wanted);
  const astray = lists.filter((each) => each !== list);
  if (astray.length === 0) return undefined;
  return mark("wrong-affinity", `${who} threads may run on CPUs ${astray.join(" and ")}, wanted ${list}`);
}

/** Errors of connections, of every kind the generator counts. */
export function socketErrors({ connect, read, write, other }: Omit<Load["errors"], "expected_status">): number {
  return (connect ?? 0) + (read ?? 0) + (write ?? 0) + (other ?? 0);
}
