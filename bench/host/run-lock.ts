import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../core/errors.ts";

/**
 * Takes the machine for one measuring run: two at once would measure each other.
 * Throws with the holder's process id when it is taken. A lock whose process is gone is taken over.
 * @returns gives the machine back; calling it again does nothing
 */
export function takeMachine(file: string = join(tmpdir(), "levelfield.lock")): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
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

function holderOf(file: string): number | undefined {
  let pid: number;
  try {
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
