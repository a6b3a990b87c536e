import { spawnSync } from "node:child_process";
import { findProgram, hasAutogroups, raised, RAISED_NICE } from "./child.ts";

/** Whether servers and load generator run before everybody else on their CPUs, or why not. */
export type Priority = { readonly nice: number } | { readonly nice: null; readonly why: string };

/**
 * Tries whether this process may raise the priority of what it starts (root and CAP_SYS_NICE may). Work of others on
 * the same core then hardly gets in between. A busy loop that moved a ratio by a tenth no longer moved it.
 */
export function raisedPriority(): Priority {
  if (findProgram("nice") === undefined) return { nice: null, why: "nice is not installed" };
  // Without the right, nice warns and goes on as it was, so what a program says of itself is the proof.
  const [file, ...args] = raised(["sh", "-c", "nice; cat /proc/self/autogroup 2>/dev/null"]);
  const { stdout } = spawnSync(file!, args, { encoding: "utf8" });
  const [own, session] = (stdout ?? "").trim().split("\n");
  if (Number(own || NaN) !== RAISED_NICE) {
    return { nice: null, why: "only root, or who has CAP_SYS_NICE, may raise priority" };
  }
  if (hasAutogroups() && !session?.endsWith(` ${RAISED_NICE}`)) {
    return { nice: null, why: "this kernel shares CPUs between sessions (autogroups), and theirs cannot be raised" };
  }
  return { nice: RAISED_NICE };
}
