import { errorLine } from "../basics/error-line.ts";
import type { Failure } from "../basics/failures.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { mark as markOf, type MarkCode } from "../record/mark.ts";
import type { Child } from "../machine/child.ts";
import { within } from "../machine/clock.ts";
import { killMarked } from "../machine/server-processes.ts";
import type { Mark } from "../record/outcome-schema.ts";

/** A server or service to end, and the mark that its processes carry, if it may start others. */
interface Ended {
  readonly child: Child;
  readonly mark?: string | undefined;
}

/** The reason why a server is not ready: its words, and the failure if code distinguishes it from others. */
export interface UnreadyServer {
  readonly text: string;
  /** The code of its mark; `server-failed-to-start` by default. */
  readonly code?: MarkCode;
  readonly failure?: Failure;
}

/** A server that did not become ready, with its stderr. */
export interface NotReady {
  readonly failed: Mark;
  readonly stderr: string;
  readonly failure?: Failure;
}

/** Ends a server that did not become ready, and returns why. */
export async function endFailed(running: Ended, why: string | UnreadyServer): Promise<NotReady> {
  const { text, code = "server-failed-to-start", ...more } = typeof why === "string" ? { text: why } : why;
  endAll(running);
  await running.child.ended;
  return { failed: markOf(code, text), stderr: running.child.stderrTail(), ...more };
}

/** Kills a child and its descendants, also those that left its session. */
export function endAll({ child, mark }: Ended): void {
  child.killAll();
  if (mark !== undefined) killMarked(mark);
}

/** Returns how a child ended, with its last error line. */
export async function howEnded(child: Child): Promise<string> {
  const ending = await child.ended;
  const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
  // Some programs log errors on stdout.
  const why = errorLine(child.stderrTail()) ?? errorLine(child.stdout());
  return why === null ? how : `${how}: ${why}`;
}

/** Asks a child to stop in the way it supports, then kills it; its descendants end with it. */
export async function stopChild(running: Ended, stop: "stdin" | "SIGTERM"): Promise<void> {
  const { child, mark } = running;
  // A stopped process would not get the signal to end.
  child.kill("SIGCONT");
  if (stop === "SIGTERM") child.kill("SIGTERM");
  child.closeStdin();
  if (await within(THRESHOLDS.stopTimeoutMs, child.ended) === "timeout") {
    child.kill("SIGKILL");
    endAll(running);
    await child.ended;
  } else if (mark !== undefined) endAll(running);
}
