/** Repositories for a gate to look at. */
import { mkdirSync, readdirSync } from "node:fs";
import { commit, git } from "../lab/gate-repository.ts";
import type { Site } from "./run-bench.ts";

/** An app that does some work at each request, and answers `word`. */
export const APP = (word: string, work: number, status = 200) =>
  `let spent = 0;
export default { fetch() {
  for (let n = 0; n < ${work}; n++) spent = (spent + n) % 1_000;
  return new Response(${JSON.stringify(word)}, { status: ${status} });
} };
`;

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
