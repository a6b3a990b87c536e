import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";

/** Files below a root, so that made-up trees of /proc and /sys can be read. */
export type Files = ReturnType<typeof filesBelow>;

/** Reads below a root. */
export function filesBelow(root: string) {
  /** Text without white space at its ends; throws when it cannot be read. */
  const text = (path: string) => readFileSync(join(root, path), "utf8").trim();
  return {
    text,
    /** The same, or another text when it cannot be read. */
    textOr(path: string, otherwise = ""): string {
      try {
        return text(path);
      } catch {
        return otherwise;
      }
    },
    /** A whole number of zero or more, alone in its file; undefined when it is none. */
    count(path: string): number | undefined {
      const found = text(path);
      return /^\d+$/.test(found) ? Number(found) : undefined;
    },
    list: (path: string) => readdirSync(join(root, path)),
    has: (path: string) => existsSync(join(root, path)),
    /** The path with every link in it resolved; throws when it is not there. */
    real: (path: string) => relative(realpathSync(root), realpathSync(join(root, path))),
  };
}
