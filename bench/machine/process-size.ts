import { readdirSync, readFileSync } from "node:fs";
import { childrenOf } from "./left-behind.ts";
import { parseStatusField } from "./linux/proc-text.ts";

/** What a process holds: resident memory, and open files and sockets. */
export interface ProcessSize {
  readonly bytes: number;
  readonly descriptors: number;
}

/** What a process holds now; null where the system does not tell, or it has ended. */
export function sizeOf(pid: number): ProcessSize | null {
  try {
    const resident = parseStatusField(readFileSync(`/proc/${pid}/status`, "utf8"), "VmRSS");
    const kib = Number(/^(\d+) kB$/.exec(resident ?? "")?.[1] ?? NaN);
    return kib > 0 ? { bytes: kib * 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length } : null;
  } catch {
    return null;
  }
}

/** The same of a process with all it has started, as far as the system shows them. */
export function sizeOfAll(pid: number): ProcessSize | null {
  const own = sizeOf(pid);
  // What a thread other than the first has started is read with it only where a server has few threads.
  return own && childrenOf(pid, String(pid)).map(sizeOfAll).reduce<ProcessSize>((sum, child) => ({
    bytes: sum.bytes + (child?.bytes ?? 0),
    descriptors: sum.descriptors + (child?.descriptors ?? 0),
  }), own);
}
