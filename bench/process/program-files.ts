import { closeSync, existsSync, openSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Body } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";
import { FIRST_HANDLE } from "../machine/child.ts";
import { temporaryFolder } from "./scratch-folder.ts";

/** The folder of open files of a process on Linux: each opening begins at the file's start. */
const OPEN_FILES = "/proc/self/fd";

interface ProgramFolder {
  readonly path: string;
  /** Open files to be given to it; see `ChildCommand`. */
  readonly handles: readonly number[];
  /** Closes these here, once it was started. */
  close(): void;
  remove(): void;
}

/**
 * Makes a folder with the files a program needs, among the temporary ones. On Linux these are links to files without a name,
 * which the program alone is given: whatever ends the driver, no header of theirs stays on a disk. Throws where they cannot
 * be written, and leaves no folder.
 */
export function programFolder(files: Readonly<Record<string, Body>>): ProgramFolder {
  const path = temporaryFolder("load-");
  const handles: number[] = [];
  const close = () => handles.splice(0).forEach((handle) => closeSync(handle));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    if (!existsSync(OPEN_FILES)) writeFiles(files, path);
    else for (const [name, content] of Object.entries(files)) handles.push(linkTo(content, join(path, name), handles));
  } catch (error) {
    close();
    remove();
    throw error;
  }
  return { path, handles, close, remove };
}

/** Opens a file that loses its name before it holds anything, and puts a link to what its program will have it as there. */
function linkTo(content: Body, file: string, before: readonly number[]): number {
  const handle = openSync(file, "wx+", 0o600);
  try {
    unlinkSync(file);
    writeFileSync(handle, bodyBytes(content));
    symlinkSync(`${OPEN_FILES}/${FIRST_HANDLE + before.length}`, file);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Writes files into a folder, for this user's eyes: they hold headers, too. */
function writeFiles(files: Readonly<Record<string, Body>>, folder: string): void {
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), bodyBytes(content), { mode: 0o600, flag: "wx" });
  }
}

/** Reads files that a program wrote into its folder; a missing file is left out. */
export function readFiles(names: readonly string[], folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of names) {
    try {
      files[name] = readFileSync(join(folder, name), "utf8");
    } catch {
      // The program that reads the file reports the error.
    }
  }
  return files;
}
