import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { lookAt } from "./plain-file.ts";

/** What the name of a packed run ends in. */
export const PACKED = ".levelfield.gz";

/** The file that says that a folder is a board: what stands in it was read already, for that board. */
export const BOARD_FILE = "board.json";

/** Something that should be a run: a folder, or one file that holds such a folder. */
export interface FoundRun {
  readonly kind: "folder" | "packed";
  readonly path: string;
  /** What it is called for people: from the folder that was named on, which says nothing of where that one is. */
  readonly name: string;
}

/** What was looked for and cannot be looked into, or holds nothing. */
export interface NotFound {
  readonly name: string;
  readonly fault: string;
}

/** Folders of folders of folders: deeper than anybody sorts runs by hand. */
const DEEPEST = 8;

/** Any of these makes a folder a run, or what is left of one. */
const MARKS = ["run.json", "journal.ndjson", "SHA256SUMS"];

/** Folders that hold programs, not runs. */
const PASSED_BY = ["node_modules"];

/**
 * Runs in folders, one after the other in the order of their names: run folders and packed runs. They may lie at any
 * depth a person would sort them by. Links inside are not followed, hidden folders and finished boards are passed by.
 * What cannot be looked into is told, and the search goes on.
 */
export function* findRuns(paths: readonly string[]): Generator<FoundRun | NotFound> {
  for (const path of paths) {
    let found = 0;
    const name = basename(resolve(path));
    for (const one of findIn(path, name, 0)) {
      found++;
      yield one;
    }
    if (found === 0) yield { name, fault: "there is no run in it" };
  }
}

function* findIn(path: string, name: string, depth: number): Generator<FoundRun | NotFound> {
  try {
    if (statSync(path).isFile()) {
      yield path.endsWith(PACKED)
        ? { kind: "packed", path, name }
        : { name, fault: `it is neither a folder nor a packed run (*${PACKED})` };
      return;
    }
    if (MARKS.some((mark) => lookAt(join(path, mark)) !== undefined)) {
      yield { kind: "folder", path, name };
      return;
    }
    if (lookAt(join(path, BOARD_FILE)) !== undefined) return;
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
      const inside = join(path, entry.name);
      const called = `${name}/${entry.name}`;
      if (entry.isFile() && entry.name.endsWith(PACKED)) yield { kind: "packed", path: inside, name: called };
      if (!entry.isDirectory() || entry.name.startsWith(".") || PASSED_BY.includes(entry.name)) continue;
      if (depth < DEEPEST) yield* findIn(inside, called, depth + 1);
      else yield { name: called, fault: `it lies deeper than ${DEEPEST} folders, and was not looked into` };
    }
  } catch (error) {
    yield { name, fault: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}` };
  }
}
