import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the files of a checkout that git keeps, from its root, those that are there. A package holds nothing else: what lies
 * untracked or ignored between them, such as a `.env`, is its owner's.
 *
 * @throws Error if the folder is no checkout of git
 */
export function trackedFiles(root: string): Set<string> {
  let listed: string;
  try {
    listed = execFileSync("git", ["ls-files", "-z"], {
      cwd: root,
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 64 << 20,
    });
  } catch (error) {
    throw new Error(`git decides what is packed, and "${root}" is no checkout of it: clone the repository`, {
      cause: error,
    });
  }
  return new Set(listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file))));
}

/** Returns the source of a built file, both from the root. */
export const sourceOf = (built: string): string => built.replace(/(\.d\.ts|\.js)$/, ".ts");
