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
import { failure } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { resultsFolder } from "../runtimes/project-folders.ts";
import { lookAt, makeFolderInside, readPlainFile, writePlainFile, writing } from "../files/plain-file.ts";
import { JOURNAL, unpackJournal } from "./journal-file.ts";

/** Makes sure runs can be written, before anything is measured. Throws with the folder's name. */
export const checkResultsFolder = (results: string): void => checkFolder(results, "results");

/** Checks that files for servers can be built, before anything is measured. Throws with the folder's name. */
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
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") continue;
      throw failure(`cannot write "${path}": ${code}`, "choose another folder with --results", error);
    }
  }
}

/** Returns the command that continues a stopped run, by its folder. */
export function resumeCommand(path: string): string {
  const results = dirname(resolve(path));
  const named = results === resolve(resultsFolder()) ? "" : ` --results ${shellQuoted(results)}`;
  return `bench run --resume ${shellQuoted(basename(path))}${named}`;
}

/** The journal holds everything that was measured before a write failed. */
const goOn = (run: string) => `make room, then: ${resumeCommand(run)}`;

/** Opens the folder of a run to continue. A half-written last line of its journal is removed. */
export function reopenRunFolder(path: string) {
  const journal = join(path, JOURNAL);
  unpackJournal(path);
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
    journal: openJournal(join(path, JOURNAL)),
    /** Writes a JSON file whole, its folder too: to a temporary name first, then renamed. */
    writeJson(file: string, value: unknown): void {
      const target = join(path, file);
      writing(target, goOn(path), () => {
        makeFolderInside(path, relative(path, dirname(target)));
        writePlainFile(target, JSON.stringify(value, null, 2) + "\n");
      });
    },
  };
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Opens a file of JSON lines for appending, each on the disk before the next is begun. Throws in one line. */
export function openJournal(file: string) {
  const next = goOn(dirname(file));
  const handle = writing(file, next, () => openSync(file, APPEND));
  return {
    append(record: unknown): void {
      const bytes = Buffer.from(JSON.stringify(record) + "\n");
      writing(file, next, () => {
        let written = 0;
        while (written < bytes.length) written += writeSync(handle, bytes, written);
        fsyncSync(handle);
      });
      if (fstatSync(handle).nlink === 0) {
        throw failure(`"${file}" was removed while the run was measured`, "start a new run");
      }
    },
    close: () => closeSync(handle),
  };
}
