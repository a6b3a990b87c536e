import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { orElse } from "../basics/errors.ts";
import { statFields } from "./linux/proc-text.ts";

/** The variable in which every child of this process finds its {@link ownerTag}. */
export const OWNER_VARIABLE = "LEVELFIELD_OWNER";

/** Pattern of an {@link ownerTag} within a name. */
export const TAG_PATTERN = "[0-9a-z]+-[0-9a-z]+-[0-9a-f]{6}";

/** A view of the system's processes. */
interface ProcessView {
  /** Six digits that identify a machine and its space of process ids. */
  readonly space: string;
  /**
   * When a process started, in clock ticks since boot; 0 if the system does not show it, null if there is no such process.
   */
  startOf(pid: number): number | null;
}

/** The processes of this machine. */
export const processView = (): ProcessView => ({ space: spaceHere(), startOf });

let tag: string | undefined;

/** Returns the {@link tagOf} this process. */
export const ownerTag = (): string => tag ??= tagOf(process.pid);

/**
 * Returns words for a process that fit into a file's name: its id and start, and where that id is valid. Short, since the
 * path of a socket may have no more than 107 bytes.
 */
export const tagOf = (pid: number): string =>
  [pid.toString(36), (startOf(pid) ?? 0).toString(36), spaceHere()].join("-");

/**
 * Returns true where a tag's process has certainly ended. One of another machine or of another container is never known to
 * have: their process ids mean nothing here.
 */
export function hasEnded(tag: string, { space, startOf }: ProcessView): boolean {
  const [pid, start, where] = tag.split("-") as [string, string, string];
  if (where !== space) return false;
  const then = parseInt(start, 36), now = startOf(parseInt(pid, 36));
  return now === null || (now !== then && now !== 0 && then !== 0);
}

/** The id of a process means something within its namespace, on its machine. */
const spaceHere = () =>
  createHash("sha256").update(`${hostname()} ${orElse(() => readlinkSync("/proc/self/ns/pid"), "")}`).digest("hex")
    .slice(0, 6);

/** See {@link ProcessView}: fields 3 and 22 of stat (man 5 proc). One that waits to be buried has ended. */
function startOf(pid: number): number | null {
  const fields = statFieldsOf(pid);
  if (fields === null) return processExists(pid) ? 0 : null;
  return /[ZX]/.test(fields[0]!) ? null : Number(fields[19]);
}

/** Fields of `/proc/<pid>/stat` from the third on; null where the system does not show them. */
export const statFieldsOf = (pid: number | "self"): string[] | null =>
  orElse(() => statFields(readFileSync(`/proc/${pid}/stat`, "utf8")), null);

/** Returns true if a process exists, also one of another user. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
