import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BenchError, failure, orElse } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { ownerTag, processExists, statFieldsOf } from "../machine/owner.ts";

/**
 * Takes the machine for one measuring run: two at once would measure each other.
 * Throws with the holder's process id when it is taken, by this process too. A lock whose process is gone is taken over.
 * @returns gives the machine back; calling it again does nothing
 */
export function takeMachine(file: string = join(tmpdir(), "levelfield.lock")): () => void {
  const part = `${file}.${ownerTag()}-${randomBytes(4).toString("hex")}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      // A link appears whole or not at all: half a lock looks like one without a holder. The temporary name cannot be
      // foreseen, and a link is not followed.
      writeFileSync(part, `${markOf(process.pid)}\n`, { flag: "wx" });
      linkSync(part, file);
      let held = true;
      return () => {
        if (held) rmSync(file, { force: true });
        held = false;
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
        throw failure(`cannot write the lock "${file}": ${why}`, "set TMPDIR to a folder that can be written", error);
      }
    } finally {
      removePart(part);
    }
    const holder = holderOf(file);
    if (holder === process.pid) {
      throw failure(
        "this process is measuring already, and two runs at once would measure each other",
        "wait for the first to end, or abort it",
      );
    }
    if (holder !== undefined) {
      throw failure(
        `another run is measuring on this machine: process ${holder}`,
        mayEnd(holder, ownersOf(file, holder))
          ? `wait for it, or end it with "kill ${holder}"`
          : `wait for it; see whose it is: ls -l ${shellQuoted(file)}; ps -o user,args -p ${holder}`,
      );
    }
    clearAway(file, part);
  }
  throw failure(`the lock "${file}" changes hands too fast`, "try again");
}

/** Removes the temporary file of a lock. If it could not be written, that error was already reported. */
const removePart = (part: string): void => orElse(() => rmSync(part, { force: true }), undefined);

/** The number of attempts: more than the processes that may find one stale lock at the same moment. */
const ATTEMPTS = 20;

/** Removes a stale lock: moved aside first, which only one of several can do, and put back if it is a new one by then. */
function clearAway(file: string, part: string): void {
  const aside = `${part}.stale`;
  try {
    if (lstatSync(file).isDirectory()) {
      throw failure(
        `the lock "${file}" is a folder, which no bench makes`,
        "move it away, or set TMPDIR to another one",
      );
    }
    renameSync(file, aside);
    if (holderOf(aside) !== undefined) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error instanceof BenchError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EEXIST") return;
    throw failure(
      `the lock "${file}" was left behind and cannot be removed: ${code ?? (error as Error).message}`,
      `remove it as its owner: rm ${shellQuoted(file)}`,
      error,
    );
  }
}

/** Owners of a lock and of the process it names, and this user; null if the system does not show them. */
interface Owners {
  readonly lock: number | null;
  readonly process: number | null;
  readonly asking: number | null;
}

/**
 * Returns true if a message may name the command that ends a process: its lock and the process are the user's. Any user can
 * write the number of another process into the shared temporary folder, and root would end it.
 */
export const mayEnd = (pid: number, { lock, process, asking }: Owners): boolean =>
  pid > 1 && asking !== null && lock === asking && process === asking;

const ownersOf = (file: string, pid: number): Owners => ({
  lock: orElse(() => lstatSync(file).uid, null),
  process: orElse(() => statSync(`/proc/${pid}`).uid, null),
  asking: process.getuid?.() ?? null,
});

/** No lock has more bytes. */
const MOST_BYTES = 100;

/** The process a lock names, if it is still there. */
export function holderOf(file: string): number | undefined {
  // A pipe would be waited for, a link would have a file of another program taken for a lock.
  const found = orElse(() => lstatSync(file), null);
  if (!found?.isFile() || found.size > MOST_BYTES) return undefined;
  const mark = orElse(() => readFileSync(file, "utf8").trim(), "");
  const pid = Number(mark.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !processExists(pid)) return undefined;
  // Process ids are reused: if the holder's start time is known, it must match.
  return mark === String(pid) || mark === markOf(pid) ? pid : undefined;
}

/** A process, and when it started in clock ticks since boot where that can be seen (man 5 proc, field 22 of stat). */
function markOf(pid: number): string {
  const fields = statFieldsOf(pid);
  return fields === null ? String(pid) : `${pid} ${fields[19]}`;
}
