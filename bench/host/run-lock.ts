import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../core/errors.ts";

/**
 * Takes the machine for one measuring run: two at once would measure each other.
 * Throws with the holder's process id when it is taken, by this process too. A lock whose process is gone is taken over.
 * @returns gives the machine back; calling it again does nothing
 */
export function takeMachine(file: string = join(tmpdir(), "levelfield.lock")): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(file, `${markOf(process.pid)}\n`, { flag: "wx" });
      let held = true;
      return () => {
        if (held) rmSync(file, { force: true });
        held = false;
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw failure(`cannot write the lock "${file}": ${(error as Error).message}`, undefined, error);
      }
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
        `wait for it, or end it with "kill ${holder}"`,
      );
    }
    rmSync(file, { force: true });
  }
  throw failure(`the lock "${file}" changes hands too fast`, "try again");
}

/** The process a lock names, if it is still there. */
function holderOf(file: string): number | undefined {
  let mark: string;
  try {
    mark = readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
  const pid = Number(mark.split(" ")[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return undefined;
  }
  // Process ids are used again: where it is known when the holder started, it must be that one.
  return mark === String(pid) || mark === markOf(pid) ? pid : undefined;
}

/** A process, and when it started in clock ticks since boot where that can be seen (man 5 proc, field 22 of stat). */
function markOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return `${pid} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return String(pid);
  }
}
