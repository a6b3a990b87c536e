import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { orElse } from "../basics/errors.ts";
import { findProgram } from "./programs.ts";

/** The highest priority an ordinary program can have. */
export const RAISED_NICE = -20;

/**
 * Leads from any niceness to the highest priority: `nice` counts from the current one, and the kernel stops at the highest.
 */
const NICE_STEP = -40;

/**
 * Returns a command that runs at raised priority: `nice` sets it before there is a second thread. If Linux shares CPUs
 * between sessions first (autogroups), niceness counts inside a session only. The program then gets a new session, which is
 * raised as a whole.
 */
export function atRaisedPriority(command: readonly string[]): string[] {
  const nice = ["nice", "-n", String(NICE_STEP)];
  if (!hasAutogroups() || findProgram("setsid") === undefined) return [...nice, ...command];
  // Without CAP_SYS_ADMIN the kernel allows one such change in a tenth of a second over all processes.
  const change = `echo ${RAISED_NICE} >/proc/self/autogroup && break; sleep 0.1`;
  const raise = `for _ in 1 2 3 4 5; do ${change}; done 2>/dev/null; exec "$@"`;
  return [...nice, "setsid", "sh", "-c", raise, "raised", ...command];
}

/** Returns true if the kernel shares CPUs between sessions before it shares them between processes. */
export function hasAutogroups(): boolean {
  return orElse(() => readFileSync("/proc/sys/kernel/sched_autogroup_enabled", "utf8").trim() === "1", false);
}

/** The raised niceness of servers and load generator, or why it cannot be raised. */
export type Priority = { readonly nice: number } | { readonly nice: null; readonly why: string };

/**
 * Tries whether this process may raise the priority of what it starts (root and CAP_SYS_NICE may). Work of others on
 * the same core then hardly gets in between. A busy loop that moved a ratio by a tenth no longer moved it.
 */
export function raisedPriority(): Priority {
  if (findProgram("nice") === undefined) return { nice: null, why: "nice is not installed" };
  // Without the right, nice warns and starts the program all the same, so the program's own report is the proof.
  const [file, ...args] = atRaisedPriority(["sh", "-c", "nice; cat /proc/self/autogroup 2>/dev/null"]);
  const { stdout } = spawnSync(file!, args, { encoding: "utf8" });
  const [niceness, session] = (stdout ?? "").trim().split("\n");
  if (Number(niceness || NaN) !== RAISED_NICE) {
    return { nice: null, why: "only root, or who has CAP_SYS_NICE, may raise priority" };
  }
  if (hasAutogroups() && !session?.endsWith(` ${RAISED_NICE}`)) {
    return { nice: null, why: "this kernel shares CPUs between sessions (autogroups), and theirs cannot be raised" };
  }
  return { nice: RAISED_NICE };
}

/** Lets a running thread in before all others of its CPU, as real-time work; false where that is not allowed. Linux only. */
export const raiseThread = (id: number): boolean =>
  spawnSync("chrt", ["--fifo", "--pid", "1", String(id)]).status === 0;
