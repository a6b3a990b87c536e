/** Everything that can be wrong, as codes with their effect. */

/** The effect of a mark. `note`: information; `withholds`: no verdict and no pick; `voids`: its figures mean nothing. */
export type Effect = "note" | "withholds" | "voids";

/**
 * The remedy against a mark. `again`: the same run once more; `alone`: servers measured alone; `longer`: longer windows;
 * `generator`, `service`: more cores for it, or another host; `server`: a change of the server itself; `limited`: a limit on
 * what the server keeps.
 */
export type Remedy = typeof REMEDIES[number];
export const REMEDIES = [
  ...["rounds", "warmup", "quiet", "again", "alone", "longer", "generator", "service", "server", "limited"] as const,
] as const;

/** The row of a mark: everything that code needs to know of one. */
interface MarkRow {
  readonly effect: Effect;
  readonly means: string;
  readonly helps: Remedy | null;
  /** The cause: the server itself, in all its rounds; other processes; another limit; or the run, whatever its cells are. */
  readonly of?: "server" | "others" | "limit" | "run";
  /** The status of an observation that has it; `invalid` without one. */
  readonly status?: "failed" | "unsupported";
  /** True if it is computed from figures, when measuring and again when verifying. Other marks report events. */
  readonly computed?: true;
  /** The code of a mark that explains it: where that one stands, this one is not repeated. */
  readonly follows?: string;
  /** True if figures contradict each other. */
  readonly contradicts?: true;
  /** The rate moved by a known size: inside its windows, or by the CPU time that others took. */
  readonly moves?: "inside" | "taken";
  /** The fault of a server that its timers can cause, which generators count: broken connections, late replies, wrong statuses. */
  readonly counted?: "broken" | "late" | "statuses";
  /** Steps end of a `function` that has it once, or of a `server` that has it in each of its first rounds. */
  readonly lasts?: "function" | "server";
  /** True if memory grows with requests. */
  readonly grows?: true;
}

type More = Omit<MarkRow, "effect" | "means" | "helps">;

const as =
  (effect: Effect, all: More = {}) => (means: string, helps: Remedy | null = null, more: More = {}): MarkRow => ({
    ...{ effect, means, helps },
    ...all,
    ...more,
  });
const [voids, withholds, note] = [as("voids"), as("withholds"), as("note")];
const [failed, computed] = [as("voids", { status: "failed" }), as("voids", { computed: true })];
const [ofServer, ofRun] = [as("withholds", { of: "server" }), as("withholds", { of: "run" })];

/** The row of each code. Only marks of observations void; marks of cells and runs do not. Of several contradictions the weightiest stands first. */
export const MARKS = {
  // Of an observation: it never came to a measurement.
  "unsupported": voids("the point cannot be measured", null, { status: "unsupported" }),
  "server-failed-to-start": failed("the server did not start", "server"),
  "wrong-runtime": failed("the server ran on another runtime than requested", null, { of: "server" }),
  "server-crashed": failed("the server ended by itself", "server"),
  "server-hung": failed("the server did not answer in time", "server", { lasts: "server" }),
  "connection-closed": failed("the server closed a connection in use", "server"),
  "generator-failed": failed("the load generator failed"),
  "files-failed": failed("files the server needs could not be built"),
  "service-failed": voids("a service the server needs did not start, or ended", "server"),
  "memory-short": failed("servers together left too little memory", "alone"),
  "too-few-servers": failed("fewer than two servers were left to compare", "alone"),
  // It did, and something speaks against its figures.
  "wrong-affinity": computed("threads could run on other CPUs than they were given"),
  "wrong-answer": voids("a reply is not what the oracle says", "server", { of: "server", lasts: "function" }),
  "unread-replies": voids("replies the load generator reads wrongly: after interim ones, or ended by close"),
  "audit-failed": voids("what the server kept is not what it was sent", "server", { of: "server" }),
  "socket-errors": computed("connections broke", "server", { counted: "broken" }),
  "messages-lost": computed("messages were lost, came twice, out of order, or changed", "server"),
  "connections-ended": computed(
    "the server ended connections, and the load generator opened none in their place",
    "server",
  ),
  "unexpected-status": computed("replies had an unexpected error status, or lacked an expected one", "server", {
    of: "server",
    counted: "statuses",
  }),
  "timeouts": computed("replies came too late", "server", { counted: "late" }),
  "no-requests": computed("no request was answered", "server"),
  "histogram-broken": computed("reported latencies do not match the requests counted"),
  "littles-law-broken": computed("rate and latencies cannot both be true"),
  "core-not-full": computed("servers together left their core idle", "alone", { follows: "contended" }),
  "too-few-requests": computed("a server together with others answered too little to compare", "longer"),
  "folded": computed("a call costs next to nothing: the engine left its work out, or it has none"),
  "cpu-unreadable": computed("a server's CPU time cannot be read"),
  "contended": computed("others used the cores of servers or load generator", "quiet", {
    of: "others",
    follows: "machine-contended",
  }),
  "clock-changed": computed("the clock rate of the cores or the system's clock changed", "quiet", { of: "others" }),
  "claim-contradicted": computed("figures contradict each other: one of them cannot be"),
  "rate-not-kept": computed("requests that were due at a given rate were not answered", "server"),
  "no-right-reply": computed("no reply sampled under load was right", "server", { of: "server" }),
  // Of a cell, over its rounds.
  "workers-crowded": withholds("a server had more workers than cores"),
  "workers-unsound": note("what workers counted is not what was sent"),
  "near-ceiling": withholds("the rate is near the most the load generator can do", "generator", {
    of: "limit",
    follows: "other-bound",
  }),
  "near-service-ceiling": withholds("the rate is near the most that a service of the server can answer", "service", {
    of: "limit",
    follows: "other-bound",
  }),
  "service-waited-for": withholds(
    "the server waited for a service more than both computed: that decides, not the server",
    "service",
  ),
  "steal": withholds("the hypervisor took time of the cores", "quiet", { moves: "taken" }),
  "foreign-cpu": withholds("others used some of the server's cores", "quiet", { moves: "taken" }),
  "foreign-cpu-beside": note("others used some of the machine, but not the cores of server and load generator"),
  "cpu-wait": note("a thread of the server waited for a CPU"),
  "generator-late": withholds(
    "the load generator sent requests late by more than a tenth of what they waited",
    "generator",
  ),
  "server-waited": note("the server mostly waited, for no service of the run: a pool, a lock or a disk decides"),
  "generator-wait": note("connections waited for the load generator"),
  "spread": note("rates vary over the rounds"),
  "trend": note("rates changed over the run"),
  "warming-up": withholds("the server grew faster inside its windows", "warmup", { moves: "inside" }),
  "slowing-down": withholds("the server grew slower inside its windows", "server", {
    follows: "cost-grows",
    moves: "inside",
  }),
  "other-runtime": ofServer("what served is another runtime than the cell is named after"),
  "never-steady": withholds("the server's cost was still changing when most warm-ups were given up", "warmup", {
    follows: "cost-grows",
  }),
  "noisy-warm-up": note("most warm-ups were too noisy to be seen steady"),
  "cost-grows": ofServer(
    "the server's cost grows with each request and does not come to rest, so it is no single figure",
    "limited",
  ),
  "cold-cache": note("windows requested many values for the first time: a server that caches was measured cold"),
  "later-work": ofServer("the server goes on working after its last reply", "server"),
  "rounds-lost": note("some rounds are void"),
  "in-flight-counted": note("windows held few replies of each connection, so the rate holds those in flight as well"),
  "few-replies": withholds("windows held too few replies of each connection, and these took unlike times", "longer"),
  "other-replies": ofServer("replies under load were others than those recorded", "server"),
  "connections-starved": ofServer("connections got no reply or few, so latencies are those of the others", "server"),
  "memory-kept": ofServer("the server's memory grows with its requests, by much, and is not given back", "limited", {
    grows: true,
  }),
  "connections-left": note("the server leaves connections open at a service"),
  "memory-unsettled": withholds("a server's memory was still growing, so it is no single figure"),
  "rates-contradict": withholds(
    "rates of one server contradict each other: the machine did not keep its speed",
    "quiet",
    { contradicts: true },
  ),
  "disk-written": note("the server writes to disk with each request, so write-back and checkpoints fall into windows"),
  "leak": note("the server seems to keep memory or descriptors of each request", null, { grows: true }),
  // Of passes that say why.
  "layers-gap": note("layers of a request do not sum to what it costs without the profiler"),
  "profiler-dear": note("a request costs far more with the profiler, so layers may be of another state"),
  "profiler-waits": note("the profiler's thread may not go first, so it looks when the server waits"),
  "few-samples": note("the profiler met too little JavaScript to part it well"),
  "samples-lost": voids("the profiler was kept from its work, so its samples say nothing of the rest"),
  "threads-unsampled": note("threads worked that no profiler sampled, so native code has what they did"),
  "no-profile": note("a runtime's profiler wrote nothing"),
  "calls-not-counted": note("strace is there and could not count system calls"),
  // Of a comparison.
  "given-rate": withholds("a server was sent a given rate, which says nothing of what it could do"),
  "other-bound": withholds("something else than the server was the limit", null, { of: "limit" }),
  "unlike-use": withholds("two servers use their services differently"),
  "restless": withholds("a server was still changing against the others when most windows began", "warmup", {
    follows: "cost-grows",
  }),
  "crowded": withholds("servers that share a core crowd each other out of the cache", "alone"),
  "timed-work": withholds("time triggers work of a server, which turns do not count as it comes alone", "alone"),
  "incomparable": withholds("a cell has no verdict against another one, so it has no rank"),
  "run-contradicted": ofRun("the run found a cell different from itself", "again", { contradicts: true }),
  "noise-floor-unknown": ofRun("no pair of equal cells says how much is noise", "rounds"),
  "too-few-rounds": ofRun("there are fewer rounds than a verdict needs", "rounds"),
  "too-few-runs": ofRun("there are fewer runs a side than a verdict needs"),
  "single-runs": ofRun("each side is a single run, and its rounds are not runs"),
  "not-measured": ofRun("one of the two was not measured"),
  // Of a run.
  "aa-different": note("a cell was found different from itself", "again", { contradicts: true }),
  "parts-disagree": withholds("two servers differ one way together and the other way alone", "again", {
    contradicts: true,
  }),
  "ceiling-drift": note("the load generator's ceiling changed during the run", "quiet"),
  "machine-steal": note("the hypervisor took time in most observations", "quiet"),
  "halts": note("servers failed or did other work after halts than alone, so all were measured alone", null, {
    of: "server",
  }),
  "servers-waited": note("servers waited instead of work, so all were measured alone and are compared by rates"),
  "machine-contended": withholds("others had the machine in many observations", "quiet", { of: "others" }),
  "above-ceiling": withholds("a rate is above what the load generator can do", "again", { contradicts: true }),
  "nothing-measured": withholds("no cell was measured"),
  "undecided": withholds("too few comparisons are decided for a pick"),
  "knee-open": withholds("the highest rate that keeps a limit is not known"),
  "suite-caveat": note(
    "the suite says something against a value that all cells have, or what figures of a value are of",
  ),
  "service-limit": note("services were the limit of most cells, or these waited for them", null, { of: "limit" }),
  "lower-bounds": note("rates are lower bounds, as something else than the server was the limit"),
  "interrupted": note("the run has not come to its end: what it says is provisional"),
} satisfies Record<string, MarkRow>;

/** See {@link MARKS}. */
export type MarkCode = keyof typeof MARKS;

/** Returns the row of a mark, or of anything else with its code. */
export const rowOf = ({ code }: { readonly code: MarkCode }): MarkRow & { readonly follows?: MarkCode } =>
  MARKS[code] as MarkRow & { readonly follows?: MarkCode };

/** Returns marks without those that another one explains; with several cells, each explains its own. */
export function withoutFollowing<M extends { readonly code: MarkCode; readonly cell?: string | undefined }>(
  marks: readonly M[],
): M[] {
  return marks.filter((one) => !marks.some(({ code, cell }) => code === rowOf(one).follows && cell === one.cell));
}

/** Returns a mark with the effect of its code and a sentence for people. */
export const mark = (code: MarkCode, text: string): { code: MarkCode; effect: Effect; text: string } => ({
  code,
  effect: MARKS[code].effect,
  text,
});

/** Returns a mark of a cell for a place that speaks of several cells: its text begins with the cell's name. */
export const markOf = <M extends { readonly text: string }>(
  cell: string,
  ofCell: M,
): M & { readonly cell: string } => ({
  ...ofCell,
  cell,
  text: `${cell}: ${ofCell.text}`,
});
