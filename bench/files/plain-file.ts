/** Files of a run's folder, maybe of another user: only plain files are read, none is written through a link. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { join, sep } from "node:path";
import { BenchError, failure, orElse } from "../basics/errors.ts";
import { formatBytes } from "../basics/units.ts";

/** The largest file that is read: a run of 1 005 cells and six rounds has 20 MB, and no real run has three times as much. */
export const MOST_BYTES = 64 * 2 ** 20;

/** The command that reports more about a damaged run. */
const VERIFY = "bench verify names what else is wrong";

/** Opening never waits for a pipe's other end and follows no link. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a plain file. Throws in one line for a link, folder, pipe or device, and for more than `most`. */
export function readPlainFile(file: string, most: number = MOST_BYTES): Buffer {
  const cannot = (why: string, error?: unknown) => failure(`cannot read "${file}": ${why}`, VERIFY, error);
  let handle: number;
  try {
    // Opening a device may have effects, so the type is checked before opening, and once more after it.
    const odd = oddKind(lstatSync(file));
    if (odd !== null) throw cannot(`it is ${odd}, and only plain files are read`);
    handle = openSync(file, FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : cannot(code, error);
  }
  try {
    const stats = fstatSync(handle);
    const odd = oddKind(stats);
    if (odd !== null) throw cannot(`it is ${odd}, and only plain files are read`);
    if (stats.size > most) {
      throw failure(`"${file}" is larger than ${formatBytes(most)}, which no run is`, VERIFY);
    }
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : cannot(code, error);
  } finally {
    closeSync(handle);
  }
}

/** Returns the kind of something that is no plain file; null for a plain file. */
function oddKind(stats: Stats): string | null {
  if (stats.isFile()) return null;
  if (stats.isSymbolicLink()) return "a link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

/** Makes a folder and those between inside another one. Throws for a link on the way, which leads elsewhere. */
export function makeFolderInside(root: string, path: string): string {
  let folder = root;
  for (const part of path.split(sep).filter((each) => each !== "")) {
    folder = join(folder, part);
    const found = lookAt(folder);
    if (found?.isSymbolicLink()) {
      throw failure(
        `cannot write into "${folder}": it is a link`,
        "move it away, or choose another folder with --results",
      );
    }
    if (found?.isDirectory() !== true) mkdirSync(folder);
  }
  return folder;
}

/** Returns the entry at a path, links not followed; undefined if there is none or it cannot be looked at. */
export function lookAt(path: string): Stats | undefined {
  return orElse(() => lstatSync(path, { throwIfNoEntry: false }), undefined);
}

/** Writes a file atomically in place of whatever has its name: a link is replaced, not followed. */
export function writePlainFile(file: string, content: string | Uint8Array): void {
  const part = `${file}.part`;
  rmSync(part, { recursive: true, force: true });
  writeFileSync(part, content, { flag: "wx" });
  renameSync(part, file);
}

/** Runs a function that writes to a path. Throws one line with the path and the next command to try. */
export function writing<T>(path: string, next: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BenchError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw failure(`cannot write "${path}": ${code ?? message}`, next, error);
  }
}

/** Returns true if a word is a path of a suite or a module, rather than a name of this project or a run. */
export function looksLikeFile(word: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(word) || /^\.{1,2}$/.test(word) ||
    (/[/\\]/.test(word) && existsSync(word) && !existsSync(join(word, "run.json")));
}
