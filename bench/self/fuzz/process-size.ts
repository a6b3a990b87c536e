import { readdirSync, readFileSync } from "node:fs";
import { parseStatusField } from "../../host/linux/proc-text.ts";

/** What a process holds now; null where the system does not tell, or it has ended. */
export function sizeOf(pid: number): { readonly bytes: number; readonly descriptors: number } | null {
  try {
    const resident = parseStatusField(readFileSync(`/proc/${pid}/status`, "utf8"), "VmRSS");
    const kib = Number(/^(\d+) kB$/.exec(resident ?? "")?.[1] ?? NaN);
    return kib > 0 ? { bytes: kib * 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length } : null;
  } catch {
    return null;
  }
}
