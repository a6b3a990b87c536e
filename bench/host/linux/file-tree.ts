import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How a tree of files is read: paths are below it. Readers throw where something is not there. */
export interface FileTree {
  readonly text: (...path: string[]) => string;
  readonly list: (...path: string[]) => readonly string[];
}

/** The files below a folder. */
export const fileTree = (root: string): FileTree => ({
  text: (...path) => readFileSync(join(root, ...path), "utf8"),
  list: (...path) => readdirSync(join(root, ...path)),
});
