import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { lookAt } from "../files/plain-file.ts";
import { JOURNAL, PACKED_JOURNAL } from "./journal-file.ts";

interface FoundRun {
  readonly path: string;
  readonly name: string;
}

interface NotFound {
  readonly name: string;
  readonly fault: string;
}

const DEEPEST = 8;

/** Any of these files makes a folder a run, or the remains of one. */
const MARKS = ["run.json", JOURNAL, PACKED_JOURNAL, "SHA256SUMS"];

/** Returns true if a folder is a run, or the remainder of one. */
export const isRunFolder = (path: string): boolean => MARKS.some((mark) => lookAt(join(path, mark)) !== undefined);

const PASSED_BY = ["node_modules"];

/** Returns the runs in folders by name, links and hidden folders left out. An unreadable folder is reported. */
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
      yield { name, fault: "it is no folder" };
      return;
    }
    if (isRunFolder(path)) {
      yield { path, name };
      return;
    }
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
      const inside = join(path, entry.name);
      const called = `${name}/${entry.name}`;
      if (!entry.isDirectory() || entry.name.startsWith(".") || PASSED_BY.includes(entry.name)) continue;
      if (depth < DEEPEST) yield* findIn(inside, called, depth + 1);
      else yield { name: called, fault: `it lies deeper than ${DEEPEST} folders, and was not looked into` };
    }
  } catch (error) {
    yield { name, fault: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}` };
  }
}
