import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { BenchError, failure } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { resultsFolder } from "../runtimes/project-folders.ts";
import { lookAt, makeFolderInside, readPlainFile, writePlainFile } from "../files/plain-file.ts";

/** Makes sure runs can be written, before anything is measured. Throws with the folder's name. */
export const checkResultsFolder = (results: string): void => checkFolder(results, "results");

/** Makes sure what servers need can be built, before anything is measured. Throws with the folder's name. */
export const checkDataFolder = (data: string): void => checkFolder(data, "data");

function checkFolder(folder: string, what: "results" | "data"): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw failure(`cannot write ${what} to "${folder}": ${code}`, `choose another folder with --${what}`, error);
  }
}

/** Makes the folder of a new run, named after the time it starts. */
export const createRunFolder = (results: string, startedAt: Date) => runFolder(newFolder(results, startedAt));

/** Makes a folder named after a time, and gives its path. Throws where nothing can be written. */
export function newFolder(results: string, startedAt: Date): string {
  checkResultsFolder(results);
  const stamp = startedAt.toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
  for (let n = 1;; n++) {
    const path = join(results, n === 1 ? stamp : `${stamp}-${n}`);
    try {
      // Fails where it is there: another bench may start in the same second.
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notWritten(path, error);
    }
  }
}

/** Returns the command that goes on with a stopped run, by its folder. */
export function resumeCommand(path: string): string {
  const results = dirname(resolve(path));
  const named = results === resolve(resultsFolder()) ? "" : ` --results ${shellQuoted(results)}`;
  return `bench run --resume ${shellQuoted(basename(path))}${named}`;
}

/** A failed write. Everything measured before stands in the journal. */
function notWritten(file: string, error: unknown, run?: string) {
  const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  const goOn = run === undefined ? "choose another folder with --results" : `make room, then: ${resumeCommand(run)}`;
  return failure(`cannot write "${file}": ${code}`, goOn, error);
}

/** Opens the folder of a run that goes on. A half-written last line of its journal is cut off. */
export function reopenRunFolder(path: string) {
  const journal = join(path, "journal.ndjson");
  if (lookAt(journal) !== undefined) {
    const text = readPlainFile(journal);
    const whole = text.lastIndexOf("\n") + 1;
    if (whole < text.length) truncateSync(journal, whole);
  }
  return runFolder(path);
}

function runFolder(path: string) {
  return {
    name: basename(path),
    path,
    journal: openJournal(join(path, "journal.ndjson")),
    /** Writes a JSON file whole, its folder too: to a temporary name first, then renamed. */
    writeJson(file: string, value: unknown): void {
      const target = join(path, file);
      try {
        makeFolderInside(path, relative(path, dirname(target)));
        writePlainFile(target, JSON.stringify(value, null, 2) + "\n");
      } catch (error) {
        if (error instanceof BenchError) throw error;
        throw notWritten(target, error, path);
      }
    },
  };
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Opens a file of JSON lines for appending, each on the disk before the next is begun. Throws in one line. */
export function openJournal(file: string) {
  const open = () => {
    try {
      return openSync(file, APPEND);
    } catch (error) {
      throw notWritten(file, error, dirname(file));
    }
  };
  const handle = open();
  return {
    append(record: unknown): void {
      const bytes = Buffer.from(JSON.stringify(record) + "\n");
      try {
        let written = 0;
        while (written < bytes.length) written += writeSync(handle, bytes, written);
        fsyncSync(handle);
      } catch (error) {
        throw notWritten(file, error, dirname(file));
      }
      if (fstatSync(handle).nlink === 0) {
        throw failure(`"${file}" was removed while the run was measured`, "start a new run");
      }
    },
    close: () => closeSync(handle),
  };
}
