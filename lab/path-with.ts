import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../bench/machine/programs.ts";

/** Programs that bin/bench itself uses. */
export const LAUNCHER_TOOLS = "bash sh env dirname readlink cmp id sleep taskset".split(" ");

/** Makes a folder to use as PATH, on which these programs are and no others. */
export function pathWith(folder: string, programs: readonly string[]): string {
  const path = join(folder, "path");
  mkdirSync(path);
  for (const name of programs) {
    const file = findProgram(name);
    if (file !== undefined) symlinkSync(file, join(path, name));
  }
  return path;
}
