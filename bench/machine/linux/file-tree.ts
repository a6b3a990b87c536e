import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { orElse } from "../../basics/errors.ts";

/** How a tree of files is read, such as /proc or one made up for a test. Readers throw where something is not there. */
export type FileTree = ReturnType<typeof fileTree>;

/** The files below a folder. */
export function fileTree(root: string) {
  const text = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
  /** Text without white space at its ends. */
  const line = (path: string) => text(path).trim();
  return {
    text,
    line,
    /** The same, or another text when it cannot be read. */
    lineOr(path: string, otherwise = ""): string {
      return orElse(() => line(path), otherwise);
    },
    /** A whole number of zero or more, alone in its file; undefined when it is none. */
    count(path: string): number | undefined {
      const found = line(path);
      return /^\d+$/.test(found) ? Number(found) : undefined;
    },
    list: (...path: string[]): readonly string[] => readdirSync(join(root, ...path)),
    has: (path: string) => existsSync(join(root, path)),
    /** The path with every link in it resolved. */
    real: (path: string) => relative(realpathSync(root), realpathSync(join(root, path))),
  };
}
