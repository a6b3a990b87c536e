import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { hasEnded, OWNER_VARIABLE, processView, TAG_PATTERN } from "./owner.ts";

/** An entry of a folder, links not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "folder" | "file" | "other";
  /** Its owner and its permissions. */
  readonly uid: number;
  readonly mode: number;
}

/** Names with an owner's tag: temporary folders, a lock being written, a revision being assembled. */
const OWNED = new RegExp(
  `^(?:levelfield(?:-[a-z]+)*-|levelfield\\.lock\\.|[0-9a-f]{12}\\.part-)(${TAG_PATTERN})(?:-\\w+)?(?:\\.stale)?$`,
);

/** Permissions to write of all but the owner. */
const OTHERS_WRITE = 0o022;

/**
 * Returns true for an entry that a bench of this user left behind: its name carries the tag of a process that has ended,
 * and no other user owns it or may write into it.
 */
export function isLeftBehind(
  { name, kind, uid, mode }: FolderEntry,
  user: number,
  ended: (tag: string) => boolean,
): boolean {
  const tag = OWNED.exec(name)?.[1];
  const ours = uid === user && (kind === "file" || (kind === "folder" && (mode & OTHERS_WRITE) === 0));
  return tag !== undefined && ours && ended(tag);
}

/** Removes what killed benches left in a folder, and ends processes that still work in it. */
export function clearLeftFiles(folder: string): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  const view = processView(), real = orElse(() => realpathSync(folder), folder);
  for (const name of orElse(() => readdirSync(real), [])) {
    if (!OWNED.test(name)) continue;
    const path = join(real, name);
    const entry = orElse(() => entryAt(path, name), null);
    if (entry !== null && isLeftBehind(entry, user, (tag) => hasEnded(tag, view))) removeWhole(path);
  }
}

function entryAt(path: string, name: string): FolderEntry {
  const stats = lstatSync(path);
  const kind = stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other";
  return { name, kind, uid: stats.uid, mode: stats.mode };
}

/** Removes a folder of this project, and ends processes that work in it. What cannot be removed stays. */
export function removeWhole(path: string): void {
  for (const pid of pidsHere()) {
    if (orElse(() => `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${path}/`), false)) end(pid);
  }
  orElse(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }), undefined);
}

/** Ends processes of this user that a killed bench started: each carries its owner's tag in its environment. */
export function endLeftProcesses(): void {
  const user = process.getuid?.(), view = processView();
  const words = new RegExp(`(?:^|\0)${OWNER_VARIABLE}=(${TAG_PATTERN})(?:\0|$)`);
  for (const pid of pidsHere()) {
    // Foreign processes are not shown, or do not count.
    const tag = orElse(
      () => statSync(`/proc/${pid}`).uid === user ? words.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1] : "",
      "",
    );
    if (tag !== undefined && tag !== "" && hasEnded(tag, view)) end(pid);
  }
}

const pidsHere = (): number[] =>
  orElse(() => readdirSync("/proc"), []).filter((name) => /^\d+$/.test(name)).map(Number);

function end(pid: number): void {
  orElse(() => process.kill(pid, "SIGKILL"), false);
}
