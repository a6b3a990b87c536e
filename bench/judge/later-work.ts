/** Work of a server after its last reply: when it is idle again, and when that work is too much. Pure. */
import { counted, percent } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Later, Member } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { median } from "../statistics/median.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Stretches in which a server is watched before its first load, at most, unless it is watched for long. */
export const IDLE_STRETCHES = 3;

/** CPU time of a server in one stretch of time, and for how long its threads waited for a CPU. */
export interface Stretch {
  readonly ms: number;
  readonly cpuNs: number;
  readonly waitNs: number;
}

const shareOf = ({ ms, cpuNs }: Pick<Stretch, "ms" | "cpuNs">) => cpuNs / (1e6 * ms);

/** Returns the part of a core that an idle server uses: that of its quietest stretch, since earlier work may still run. */
export const idleShareOf = (stretches: readonly Stretch[]): number => Math.min(...stretches.map(shareOf));

/** The use of an idle server; `idle` of one that was watched for long. */
export type Idle = Pick<Later, "idle_share" | "idle">;

/** Returns the idle use of a cell that any of its observations watched for long; null without one. */
export const longIdle = (members: readonly Pick<Member, "later">[]): Idle | null =>
  members.find(({ later }) => later?.idle !== undefined)?.later ?? null;

/** True if the last stretches were no busier than an idle server; one that waits for a CPU is not idle. */
export function isIdle(stretches: readonly Stretch[], idleShare: number): boolean {
  const last = stretches.slice(-THRESHOLDS.restStretches);
  return last.length === THRESHOLDS.restStretches &&
    last.every(({ ms, cpuNs, waitNs }) => shareOf({ ms, cpuNs: cpuNs + waitNs }) <= idleShare + THRESHOLDS.restShare);
}

interface Worked {
  readonly later?: Omit<Later, "rested" | "bytes"> & Partial<Later> | undefined;
  readonly cpu_ns: Member["cpu_ns"];
  readonly requests: Member["requests"];
}

/** Returns later CPU time over that of the window, without idle use and requests without a reply; null if unknown. */
export function laterShareOf({ later, cpu_ns, requests }: Worked): number | null {
  if (later === undefined || cpu_ns === null || cpu_ns === 0) return null;
  const inFlightNs = requests === null || requests === 0 ? 0 : later.in_flight * cpu_ns / requests;
  const idleNs = later.idle_share * later.ms * 1e6 + (later.idle?.beyond_ns ?? 0);
  const laterNs = later.cpu_ns - idleNs - inFlightNs;
  return laterNs < THRESHOLDS.laterLeastMs * 1e6 ? 0 : laterNs / cpu_ns;
}

/** The longest watch of a server that does not become idle, in ms: of one that works on after replies, and of others. */
export type WatchLimits = Readonly<Record<"laterMostMs" | "restMostMs" | "idleMostMs", number>>;

/** Returns the milliseconds for which a busy server is watched, by its {@link laterShareOf} so far. */
export const mostWatchedMs = (share: number | null, limits: WatchLimits = THRESHOLDS): number =>
  share !== null && share > THRESHOLDS.laterShare ? limits.laterMostMs : limits.restMostMs;

/** The mark of a cell whose server worked on after the replies in most of its observations; null if it did not. */
export function laterWorkMark(members: readonly Pick<Member, "later" | "cpu_ns" | "requests">[]): Mark | null {
  const idle = longIdle(members);
  const known = members.flatMap(({ later: seen, ...member }) => {
    const later = seen && { ...seen, ...idle && { idle_share: idle.idle_share, idle: idle.idle } };
    const share = laterShareOf({ ...member, later });
    return share === null ? [] : [{ share, later: later! }];
  });
  if (known.length === 0) return null;
  const share = median(known.map((one) => one.share));
  if (share <= THRESHOLDS.laterShare) return null;
  const restless = known.filter(({ later }) => !later.rested);
  const endless = 2 * restless.length > known.length;
  const times = share < 1 ? percent(share) : `${share.toFixed(share < 10 ? 1 : 0)} times`;
  const watchedS = () => (median(restless.map(({ later }) => later.ms)) / 1e3).toPrecision(2);
  const went = endless ? `, and it had not come to rest after ${watchedS()} s` : "";
  const grown = growthText(known.map(({ later }) => later.bytes));
  return mark(
    "later-work",
    `${endless ? "at least " : ""}${times} as much CPU was used after the replies as before them, in ${
      counted(known.length, "observation")
    }${went}` +
      `${grown}: work outlives the reply${endless && idle === null ? ", or a timer goes on" : ""}`,
  );
}

function growthText(bytes: readonly (readonly [number | null, number | null])[]): string {
  const freed = bytes.flatMap(([after, end]) => after === null || end === null ? [] : [after - end]);
  const middle = freed.length === 0 ? 0 : median(freed) / 2 ** 20;
  return middle < 1 ? "" : `, which gave ${Math.round(middle)} MiB back`;
}
