import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { failure } from "../core/errors.ts";

/** Makes sure runs can be written, before anything is measured. Throws with the folder's name. */
export function checkResultsFolder(results: string): void {
  try {
    mkdirSync(results, { recursive: true });
    accessSync(results, constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw failure(`cannot write results to "${results}": ${code}`, "choose another folder with --results", error);
  }
}

/** Makes the folder of a new run, named after the time it starts. */
export function createRunFolder(results: string, startedAt: Date) {
  checkResultsFolder(results);
  const stamp = startedAt.toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
  let name = stamp;
  for (let n = 2; existsSync(join(results, name)); n++) name = `${stamp}-${n}`;
  const path = join(results, name);
  mkdirSync(path, { recursive: true });
  return runFolder(path);
}

/** Opens the folder of a run that goes on. A half-written last line of its journal is cut off. */
export function reopenRunFolder(path: string) {
  const journal = join(path, "journal.ndjson");
  if (existsSync(journal)) {
    const text = readFileSync(journal);
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
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(`${target}.part`, JSON.stringify(value, null, 2) + "\n");
      renameSync(`${target}.part`, target);
    },
  };
}

/** Opens a file of JSON lines for appending, each on the disk before the next is begun. */
export function openJournal(file: string) {
  const handle = openSync(file, "a");
  return {
    append(record: unknown): void {
      const bytes = Buffer.from(JSON.stringify(record) + "\n");
      let written = 0;
      while (written < bytes.length) written += writeSync(handle, bytes, written);
      fsyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}
