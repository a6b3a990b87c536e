import { linkSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BenchError, failure } from "../core/errors.ts";

/**
 * Takes the machine for one measuring run: two at once would measure each other.
 * Throws with the holder's process id when it is taken. A lock whose process is gone is taken over.
 * @returns gives the machine back; calling it again does nothing
 */
export function takeMachine(file: string = join(tmpdir(), "levelfield.lock")): () => void {
  const own = `${file}.${process.pid}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      // Linked, so that it is there whole or not at all: half a lock looks like one nobody holds.
      writeFileSync(own, `${process.pid}\n`);
      linkSync(own, file);
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
      rmSync(own, { force: true });
    }
    const holder = holderOf(file);
    if (holder !== undefined) {
      throw failure(
        `another run is measuring on this machine: process ${holder}`,
        `wait for it, or end it with "kill ${holder}"`,
      );
    }
    clearAway(file, own);
  }
  throw failure(`the lock "${file}" changes hands too fast`, "try again");
}

/** As many as may find one stale lock at the same moment, and more. */
const ATTEMPTS = 20;

/** Removes a stale lock: moved aside first, which only one of several can do, and put back if it is a new one by then. */
function clearAway(file: string, own: string): void {
  const aside = `${own}.stale`;
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
      `remove it as its owner: rm ${file}`,
      error,
    );
  }
}

function holderOf(file: string): number | undefined {
  let pid: number;
  try {
    // Reading a pipe would wait for whoever writes to it.
    if (!statSync(file).isFile()) return undefined;
    pid = Number(readFileSync(file, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? pid! : undefined;
  }
  // Process ids are used again: the holder must look like a driver where that can be seen.
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("bench") ? pid : undefined;
  } catch {
    return pid;
  }
}
