import type { ExplainedUse, ThreadKind } from "../record/explanation-schema.ts";
import type { ServerUse } from "../record/samples.ts";

/** Two readings of a server around a load, and its replies between them. */
export interface UsedBetween {
  readonly before: ServerUse;
  readonly after: ServerUse;
  /** Thread that runs JavaScript: its id is that of the process. */
  readonly main: number;
  /** True while its runtime's profiler ran. */
  readonly profiled: boolean;
  readonly requests: number;
  readonly windowMs: number;
  /** Bytes of replies, heads included; null if the generator does not report them. */
  readonly sentBytes: number | null;
}

/** Names of threads as the kernel keeps them, cut to fifteen letters, and what they do; the first that fits. */
const KINDS: readonly (readonly [name: RegExp, kind: ThreadKind])[] = [
  [/^v8:ProfEvntProc/, "profiler"],
  [/^node-V8Worker|^V8 (Default|Single|Multi)?Worke|^V8Worker/, "helpers"],
  [/^Heap ?Helper|^mi-scavenger|^JSC Heap|^HeapTimer|^Scavenger|^Collector/i, "garbage-collection"],
  [/JITWork|^JSCWarmUp|DFG|FTL|^JIT/, "compiling"],
];

/** Bun's profiler has a thread without a distinct name. */
const UNNAMED = "thread";

/** Returns the kind of a thread by its name. */
export function threadKind(name: string, isMain: boolean, profiled: boolean): ThreadKind {
  if (isMain) return "main";
  if (profiled && name === UNNAMED) return "profiler";
  return KINDS.find(([known]) => known.test(name))?.[1] ?? "other";
}

const GROWING = ["userNs", "systemNs", "cpuNs", "voluntarySwitches", "involuntarySwitches"] as const;
type Grown = Readonly<Record<typeof GROWING[number], number>>;

const grownBetween = (before: Grown | undefined, after: Grown) =>
  Object.fromEntries(GROWING.map((field) => [field, Math.max(0, after[field] - (before?.[field] ?? 0))])) as Grown;

/** Ticks of threads that have ended are known only to the process; fewer than these are rounding. */
const ROUNDING_NS = 20e6;

/** The use of a server a request. CPU time is exact; its split by user and system is sampled, 250 times a second. */
export function useOfWindow(between: UsedBetween): ExplainedUse {
  const { before, after, main, profiled, requests, windowMs } = between;
  const kinds: Partial<Record<ThreadKind, { user_us: number; system_us: number }>> = {};
  const add = (kind: ThreadKind, cpuNs: number, userShare: number) => {
    const { user_us, system_us } = kinds[kind] ?? { user_us: 0, system_us: 0 };
    const us = cpuNs / 1e3 / requests;
    kinds[kind] = { user_us: user_us + us * userShare, system_us: system_us + us * (1 - userShare) };
  };
  const grown = [...after.threads].map(([id, thread]) => ({
    kind: threadKind(thread.name, id === main, profiled),
    ...grownBetween(before.threads.get(id), thread),
  }));
  for (const [kind, ofKind] of Map.groupBy(grown, ({ kind }) => kind)) {
    const [userNs, systemNs, cpuNs] = [sum(ofKind, "userNs"), sum(ofKind, "systemNs"), sum(ofKind, "cpuNs")];
    // One that ran for less than a tick was met by none: helpers compute, mostly.
    if (cpuNs > 0) add(kind, cpuNs, userNs + systemNs === 0 ? 1 : userNs / (userNs + systemNs));
  }
  const endedNs = endedNsOf(between, grown);
  const endedUserNs = after.userNs - before.userNs - sum(grown, "userNs");
  if (endedNs > ROUNDING_NS) add("other", endedNs, Math.min(1, Math.max(0, endedUserNs / endedNs)));
  const all = Object.values(kinds);
  const perRequest = (from: number | null, to: number | null) =>
    from === null || to === null ? null : Math.max(0, to - from) / requests;
  return {
    requests,
    window_ms: windowMs,
    user_us: all.reduce((total, { user_us }) => total + user_us, 0),
    system_us: all.reduce((total, { system_us }) => total + system_us, 0),
    threads: kinds,
    voluntary_switches: sum(grown, "voluntarySwitches") / requests,
    involuntary_switches: sum(grown, "involuntarySwitches") / requests,
    minor_faults: perRequest(before.minorFaults, after.minorFaults),
    major_faults: perRequest(before.majorFaults, after.majorFaults),
    received_bytes: null,
    sent_bytes: between.sentBytes === null ? null : between.sentBytes / requests,
  };
}

/** CPU time of threads that ended in a window: the process has it, and none of its threads. */
const endedNsOf = ({ before, after }: UsedBetween, grown: readonly Pick<Grown, "userNs" | "systemNs">[]): number =>
  after.userNs + after.systemNs - before.userNs - before.systemNs - sum(grown, "userNs") - sum(grown, "systemNs");

const sum = <K extends string>(many: readonly Readonly<Record<K, number>>[], field: K) =>
  many.reduce((total, each) => total + each[field], 0);

/** Threads of a runtime's own pools, which run no JavaScript: all others may be workers, which have names of the app's choice. */
const POOLS = /^(libuv-worker|tokio|Bun Pool|HTTP Client|iou-)/;
/** A thread with a smaller share of a request is not named. */
const LEAST_SHARE = 0.02;

/**
 * Returns the CPU time a request of threads that no profiler sampled, the most first: threads of pools, and those of workers,
 * also ended ones, and of other processes unless a profile besides that of the main thread was written. Threads that collect
 * and compile are layers of their own.
 */
export function unsampledThreads(windows: readonly UsedBetween[], profiles: number): { where: string; us: number }[] {
  const requests = windows.reduce((total, window) => total + window.requests, 0);
  const used = windows.flatMap((window) => {
    const threads = [...window.after.threads].map(([id, thread]) => ({
      serves: threadKind(thread.name, id === window.main, false) === "other" &&
        (profiles < 2 || POOLS.test(thread.name)),
      where: thread.process === window.main
        ? `threads "${thread.name.replace(/[- ]?\d+$/, "")}"`
        : "processes that it started",
      ...grownBetween(window.before.threads.get(id), thread),
    }));
    const endedNs = endedNsOf(window, threads);
    const ended = { serves: profiles < 2 && endedNs > ROUNDING_NS, where: "threads that ended", cpuNs: endedNs };
    return [...threads, ended];
  });
  const all = sum(used, "cpuNs");
  return [...Map.groupBy(used.filter(({ serves }) => serves), ({ where }) => where)]
    .map(([where, same]) => ({ where, cpuNs: sum(same, "cpuNs") }))
    .filter(({ cpuNs }) => cpuNs > LEAST_SHARE * all)
    .map(({ where, cpuNs }) => ({ where, us: cpuNs / 1e3 / requests })).toSorted((a, b) => b.us - a.us);
}
