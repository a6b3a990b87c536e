import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { parseStatusField } from "./linux/proc-text.ts";

/** The variable every process of a server inherits, also one that has left its session. */
export const MARK = "LEVELFIELD_SERVER";

const numbered = (folder: string): string[] =>
  orElse(() => readdirSync(folder).filter((name) => /^\d+$/.test(name)), []);

/** Returns processes with a mark, whatever their parent is now; none if the system does not show them. */
export function markedProcesses(mark: string): number[] {
  const wanted = `${MARK}=${mark}`;
  return numbered("/proc").filter((pid) => {
    // Somebody else's, or it ended meanwhile.
    return orElse(() => readFileSync(join("/proc", pid, "environ"), "utf8").split("\0").includes(wanted), false);
  }).map(Number);
}

/** The ids of a process, of all its descendants, and of the processes that carry its mark. */
export function processesOf(pid: number, mark: string | undefined): number[] {
  const found = new Set([pid, ...(mark === undefined ? [] : markedProcesses(mark))]);
  for (const each of found) {
    for (const thread of numbered(join("/proc", String(each), "task"))) {
      for (const child of childrenOf(each, thread)) found.add(child);
    }
  }
  return [...found];
}

/** Returns the living children of a thread of a process; none if it ended meanwhile, or the system does not show them. */
function childrenOf(pid: number, thread: string): number[] {
  const children = orElse(() => readFileSync(join("/proc", String(pid), "task", thread, "children"), "utf8"), "");
  return children.split(" ").filter((word) => /^\d+$/.test(word)).map(Number);
}

/** Kills processes that still carry a mark, and returns how many they were. */
export function killMarked(mark: string): number {
  const found = markedProcesses(mark);
  for (const pid of found) {
    // It may have ended by itself.
    orElse(() => process.kill(pid, "SIGKILL"), false);
  }
  return found.length;
}

/** The resident memory of a process, and its open files and sockets. */
export interface ProcessSize {
  readonly bytes: number;
  readonly descriptors: number;
  /** Bytes it has had written to disks; absent if the system does not say. */
  readonly written?: number | undefined;
}

/** Bytes that a process has had written to disks (man 5 proc, `write_bytes` of io), those of children that have ended included. */
const writtenBy = (pid: number): { written: number } | null =>
  orElse(() => {
    const written = Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? NaN);
    return Number.isFinite(written) ? { written } : null;
  }, null);

/** Returns the size of a process now; null if the system does not show it, or the process has ended. */
export function sizeOf(pid: number): ProcessSize | null {
  try {
    const resident = parseStatusField(readFileSync(`/proc/${pid}/status`, "utf8"), "VmRSS");
    const kib = Number(/^(\d+) kB$/.exec(resident ?? "")?.[1] ?? NaN);
    return kib > 0
      ? { bytes: kib * 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length, ...writtenBy(pid) }
      : null;
  } catch {
    return null;
  }
}

/** Returns the size of a process with all it has started, as far as the system shows them. */
export function sizeOfAll(pid: number): ProcessSize | null {
  const size = sizeOf(pid);
  // Children of other threads are read with it only if a server has few threads.
  return size && childrenOf(pid, String(pid)).map(sizeOfAll).reduce<ProcessSize>((sum, child) => ({
    bytes: sum.bytes + (child?.bytes ?? 0),
    descriptors: sum.descriptors + (child?.descriptors ?? 0),
    ...(sum.written === undefined ? {} : { written: sum.written + (child?.written ?? 0) }),
  }), size);
}
