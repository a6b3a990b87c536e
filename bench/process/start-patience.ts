import { readFileSync } from "node:fs";
import { orElse } from "../basics/errors.ts";
import type { Child } from "../machine/child.ts";
import { LIMITS, within } from "../machine/clock.ts";
import { parseStatTimes } from "../machine/linux/proc-text.ts";
import { processesOf } from "../machine/server-processes.ts";

/** The interval between two looks at a starting server, in ms. */
const LOOK_MS = 1_000;

/** Share of a core below which a process counts as idle: timers of a waiting runtime use less. */
const IDLE_SHARE = 0.01;

/** A server that starts, as it is seen. */
interface Starting {
  readonly child: Pick<Child, "pid" | "stdout" | "stderrTail">;
  readonly mark?: string | undefined;
}

/** The clock and counters of a wait; those of this machine by default. */
interface Seen {
  readonly now: () => number;
  /** CPU time of a server's processes so far, in ns; null if the system does not show it. */
  readonly cpuNs: () => number | null;
}

/**
 * Returns a function for repeated calls: true once a starting server used no CPU time and wrote nothing for so long that
 * it waits for something which does not come. A time in which the driver itself was halted counts as one look.
 *
 * @param quietMs the longest time without a sign of work
 */
export function quietWatch(
  starting: Starting,
  quietMs: number = LIMITS.quietStartMs,
  { now, cpuNs }: Seen = { now: () => performance.now(), cpuNs: () => cpuNsOf(starting) },
): () => boolean {
  const look = () => ({ at: now(), cpu: cpuNs(), said: starting.child.stdout() + starting.child.stderrTail() });
  let last = look(), quiet = 0;
  return () => {
    const sinceMs = now() - last.at;
    if (sinceMs < LOOK_MS) return false;
    const next = look();
    const share = next.cpu === null || last.cpu === null ? 1 : (next.cpu - last.cpu) / (sinceMs * 1e6);
    quiet = share >= IDLE_SHARE || next.said !== last.said ? 0 : quiet + Math.min(sinceMs, 2 * LOOK_MS);
    last = next;
    return quiet >= quietMs;
  };
}

/**
 * Waits for a starting server as {@link quietWatch} says, at most for a time limit in ms. A server is "busy" once it used
 * more CPU time than `mostCpuMs`: on a machine that others use, this bound is as far away as on an idle one.
 */
export async function whileItWorks<T>(
  starting: Starting,
  readyMs: number,
  promise: Promise<T>,
  mostCpuMs: number = Infinity,
): Promise<T | "timeout" | "quiet" | "busy"> {
  const isQuiet = quietWatch(starting);
  for (let leftMs = readyMs; leftMs > 0; leftMs -= LOOK_MS) {
    const found = await within(Math.min(LOOK_MS, leftMs), promise);
    if (found !== "timeout") return found;
    if (isQuiet()) return "quiet";
    if ((cpuNsOf(starting) ?? 0) > mostCpuMs * 1e6) return "busy";
  }
  return "timeout";
}

/** The words for a server that was given up because it did nothing. */
export const quietText = () => `in the last ${LIMITS.quietStartMs / 1_000} s it used no CPU time and wrote nothing`;

function cpuNsOf({ child: { pid }, mark }: Starting): number | null {
  const times = processesOf(pid, mark).flatMap((each) =>
    orElse(() => parseStatTimes(readFileSync(`/proc/${each}/stat`, "utf8")), undefined) ?? []
  );
  return times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0);
}
