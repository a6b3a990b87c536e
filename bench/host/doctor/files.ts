import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

/** Files below a root, so that made-up trees of /proc and /sys can be read. */
export interface Files {
  /** Text without white space at its ends; throws when it cannot be read. */
  text(path: string): string;
  /** A whole number of zero or more, alone in its file; undefined when it is none. */
  count(path: string): number | undefined;
  list(path: string): string[];
  has(path: string): boolean;
  /** The path with every link in it resolved; throws when it is not there. */
  real(path: string): string;
}

/** Reads below a root. */
export function filesBelow(root: string): Files {
  const text = (path: string) => readFileSync(join(root, path), "utf8").trim();
  return {
    text,
    count(path) {
      const found = text(path);
      return /^\d+$/.test(found) ? Number(found) : undefined;
    },
    list: (path) => readdirSync(join(root, path)),
    has: (path) => existsSync(join(root, path)),
    real: (path) => relative(realpathSync(root), realpathSync(join(root, path))),
  };
}
