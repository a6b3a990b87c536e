import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The variable every process of a server inherits, also one that has left its session. */
export const MARK = "LEVELFIELD_SERVER";

const numbered = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/** Processes that carry a mark, whoever their parent is now; none where the system does not show them. */
export function markedProcesses(mark: string): number[] {
  const wanted = `${MARK}=${mark}`;
  return numbered("/proc").filter((pid) => {
    try {
      return readFileSync(join("/proc", pid, "environ"), "utf8").split("\0").includes(wanted);
    } catch {
      // Somebody else's, or it ended meanwhile.
      return false;
    }
  }).map(Number);
}

/** A process, all it has started, and what carries its mark, if it has one. */
export function processesOf(pid: number, mark: string | undefined): number[] {
  const found = new Set([pid, ...(mark === undefined ? [] : markedProcesses(mark))]);
  for (const each of found) {
    for (const thread of numbered(join("/proc", String(each), "task"))) {
      try {
        const children = readFileSync(join("/proc", String(each), "task", thread, "children"), "utf8");
        for (const child of children.split(" ").filter((word) => /^\d+$/.test(word))) found.add(Number(child));
      } catch {
        // It ended meanwhile.
      }
    }
  }
  return [...found];
}

/** Kills what still carries a mark, and says how many processes that were. */
export function killMarked(mark: string): number {
  const found = markedProcesses(mark);
  for (const pid of found) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  return found.length;
}
