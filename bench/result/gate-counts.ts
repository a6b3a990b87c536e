import type { CountedLook } from "../record/gated.ts";
import { mean } from "../statistics/variation.ts";

/** A count for each request of base and yours. */
export interface CountRow {
  /** Name of a system call, `calls` for all of them, or `bytes` to disk. */
  readonly name: string;
  readonly base: number;
  readonly yours: number;
  /** `more` or `less`: they differ by more than looks at one of them do. `varies`: looks do, too. */
  readonly says: "more" | "less" | "the same" | "varies";
}

/** A call made for less than one request in twenty is the runtime's own work, such as collecting garbage. */
const LEAST_CALLS = 0.05;
/** Fewer bytes a request are a file of the runtime's own, such as a cache of code. */
const LEAST_BYTES = 16;
const MOST_ROWS = 5;

/**
 * Compares the counts of base and yours: all system calls, those that differ (the most first), and bytes to disk. A count
 * of one request after the other is the same each time, so no interval is needed: two looks at each say what varies even
 * so, and only what differs by more is called different.
 */
export function countRows(base: readonly CountedLook[], yours: readonly CountedLook[]): CountRow[] {
  const sides = [base, yours];
  const row = (name: string, least: number, of: (look: CountedLook) => number | null): CountRow[] => {
    const [ofBase, ofYours] = sides.map((looks) => looks.flatMap((look) => of(look) ?? [])) as [number[], number[]];
    if (ofBase.length === 0 || ofYours.length === 0) return [];
    const [a, b] = [mean(ofBase), mean(ofYours)];
    const spread = Math.max(...[ofBase, ofYours].map((all) => Math.max(...all) - Math.min(...all)));
    const apart = Math.abs(b - a);
    const says = Math.max(apart, spread) <= least ? "the same" : apart <= spread ? "varies" : b > a ? "more" : "less";
    return [{ name, base: a, yours: b, says }];
  };
  const names = new Set(sides.flat().flatMap(({ calls }) => Object.keys(calls ?? {})));
  const kinds = [...names].flatMap((name) => row(name, LEAST_CALLS, ({ calls }) => calls && (calls[name] ?? 0)));
  const all = ({ calls }: CountedLook) => calls && Object.values(calls).reduce((sum, count) => sum + count, 0);
  const size = ({ base, yours }: CountRow) => Math.abs(yours - base);
  return [
    ...row("calls", LEAST_CALLS, all),
    ...kinds.filter(countsDiffer).sort((a, b) => size(b) - size(a)).slice(0, MOST_ROWS),
    ...row("bytes", LEAST_BYTES, ({ written_bytes }) => written_bytes),
  ];
}

/** True if base and yours differ in a count. */
export const countsDiffer = ({ says }: CountRow): boolean => says === "more" || says === "less";

/** Usual causes of more or fewer system calls, by a pattern of their names; the first match counts. */
const CAUSES: readonly (readonly [name: RegExp, cause: string])[] = [
  [/^(f(data)?sync|sync|msync|sync_file_range)$/, "what is made safe on disk for each request: transactions, logs"],
  [/^(open|creat|l?stat|newfstat|fstat|access|faccess|readlink|getdents|unlink|rename)/, "files opened or looked up"],
  [/^(socket|connect|bind|shutdown|getsockopt|setsockopt)$/, "connections opened for each request: a pool, keep-alive"],
  [/^(p?write|send)/, "how many pieces replies, queries or logs go out in"],
  [/^(p?read|recv)/, "how many pieces bodies, files or replies of services come in"],
  [/^(futex|sched_yield|tgkill|eventfd)/, "work handed to other threads: files, crypto, compression"],
  [/^(m(map|unmap|advise|protect|remap)|brk)$/, "memory taken and given back: large buffers"],
  [/^(clone|fork|vfork|execve|wait)/, "processes or threads started for each request"],
  [/^(epoll|p?poll|p?select|timerfd|io_uring)/, "how often a request waits: steps through the event loop, timers"],
];

/** Returns what to look at where a system call is made more or less often; null if nothing is known of it. */
export const causeOf = (name: string): string | null => CAUSES.find(([known]) => known.test(name))?.[1] ?? null;
