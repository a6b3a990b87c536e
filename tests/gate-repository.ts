/** Repositories for a gate to look at. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../bench/basics/errors.ts";
import { runToEnd } from "../bench/machine/programs.ts";
import type { Site } from "./run-bench.ts";

/** An app that does some work at each request, and answers `word`. */
export const APP = (word: string, work: number, status = 200) =>
  `let spent = 0;
export default { fetch() {
  for (let n = 0; n < ${work}; n++) spent = (spent + n) % 1_000;
  return new Response(${JSON.stringify(word)}, { status: ${status} });
} };
`;

/** Runs git in a repository as nobody in particular; gives what it prints. Throws where it fails. */
export async function git(root: string, ...args: string[]): Promise<string> {
  const as = ["user.name=Levelfield", "user.email=self@localhost", "commit.gpgsign=false", "init.defaultBranch=main"];
  const { code, stdout, stderr } = await runToEnd("git", ["-C", root, ...as.flatMap((each) => ["-c", each]), ...args]);
  if (code !== 0) throw failure(`git ${args[0]} failed: ${stderr.trim().split("\n")[0]}`, "install git");
  return stdout.trim();
}

/** Writes files into a repository and commits them. */
export async function commit(root: string, message: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "-m", message);
}

/** A repository with an app; each of the others is a commit upon the one before. */
export async function makeRepository(
  root: string,
  commits: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  mkdirSync(root);
  await git(root, "init", "--quiet");
  for (const files of commits) await commit(root, "a commit", files);
}

/** Scratch folders that a gate left behind. */
export const scratchOf = (site: Site) => readdirSync(site.folder).filter((name) => name.startsWith("levelfield-gate-"));
