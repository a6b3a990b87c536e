/** Finds the tests that a change can touch: those whose files name a changed file, directly or through others. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "./folders.ts";

/** Anything that looks like the path of a file, within quotes or not. */
const PATHS = /[\w@.-]*(?:\/[\w@.-]+)+|[\w@-]+(?:\.[\w-]+)*\.(?:ts|js|mjs|cjs|lua|sh|css|json|py)\b/g;
/** A test that lists folders may depend on any file. */
const LISTS_FOLDERS = /\b(?:readdirSync|readdir|globSync|opendirSync)\(|"ls-files"/;

/** The project's files by the end of their path, to find `join(ROOT, "tests", "x.ts")` by its last word. */
function byEnding(files: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(files, (file) => posix.basename(file));
}

/** Files of the project that a file's text names: its imports, and programs or data by path or by a name they alone have. */
export function namedBy(
  path: string,
  text: string,
  files: ReadonlySet<string>,
  endings: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [word] of text.matchAll(PATHS)) {
    const parts = word.split("/");
    // A path from this file, from the project's folder, or from a folder held by a variable: "$here/bin/bench".
    const candidates = [
      posix.join(posix.dirname(path), word),
      ...parts.map((_, n) => posix.normalize(parts.slice(n).join("/"))),
    ];
    const named = candidates.find((candidate) => files.has(candidate));
    if (named !== undefined) found.add(named);
    else if (parts.length === 1) { for (const file of endings.get(word) ?? []) found.add(file); }
  }
  return found;
}

/** The tests that a change of files can touch, and all tests that list folders. Texts are those of all files by path. */
export function touchedBy(
  changed: readonly string[],
  tests: readonly string[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const files = new Set(texts.keys());
  const endings = byEnding(files);
  const users = new Map<string, Set<string>>();
  for (const [path, text] of texts) {
    // Pages and settings name files without needing them.
    if (/\.(md|json|ya?ml)$/.test(path)) continue;
    for (const named of namedBy(path, text, files, endings)) {
      if (!users.has(named)) users.set(named, new Set());
      users.get(named)!.add(path);
    }
  }
  const touched = new Set(changed);
  // The set grows while it is walked.
  for (const path of touched) for (const user of users.get(path) ?? []) touched.add(user);
  return tests.filter((test) => touched.has(test) || LISTS_FOLDERS.test(texts.get(test) ?? ""));
}

const git = (...args: string[]): string[] =>
  execFileSync("git", ["-C", ROOT, ...args], { encoding: "utf8", maxBuffer: 1 << 28 }).split("\0").filter(Boolean);

/** Paths that differ from a commit, new ones too. Throws what git says where the commit is not there. */
export function changedSince(base: string): string[] {
  return [
    ...git("diff", "--name-only", "-z", "--no-renames", base, "--"),
    ...git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
}

/** Texts of all files that git tracks or would track, results left out. */
export function projectTexts(): Map<string, string> {
  const paths = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", ":!results", ":!package-lock.json");
  return new Map(paths.flatMap((path) => {
    try {
      return [[path, readFileSync(join(ROOT, path), "utf8")] as const];
    } catch {
      // Deleted, or a link that leads nowhere.
      return [];
    }
  }));
}
