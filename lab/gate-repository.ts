import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../bench/basics/errors.ts";
import { runToEnd } from "../bench/host/run-to-end.ts";

/** Pieces of work at each request of the base: they come to about half of what a request costs. */
export const BASE_PIECES = 200;

/** A small app of somebody's: a fetch handler that does the same work at each request and answers the same. */
const APP = `import { PIECES } from "./pieces.ts";

const row = { id: 1, name: "Ada", born: 1815 };
let written = 0;

export default {
  fetch(): Response {
    for (let n = 0; n < PIECES; n++) written += JSON.stringify(row).length;
    return new Response("done");
  },
};
`;

/** Branches of the repository; `main` is what the others are held against. */
export type Branch = "main" | "same" | "slow";

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

const pieces = (count: number) => ({ "pieces.ts": `export const PIECES = ${count};\n` });

/** Makes a repository with an app; branch `same` changes nothing that runs. */
export async function makeRepository(root: string): Promise<void> {
  mkdirSync(root, { recursive: true });
  await git(root, "init", "--quiet");
  await commit(root, "An app", { "app.ts": APP, "package.json": '{"type":"module"}\n', ...pieces(BASE_PIECES) });
  await git(root, "checkout", "--quiet", "-b", "same");
  await commit(root, "Words", { "README.md": "An app.\n" });
}

/** Makes branch `slow` anew: the base with another amount of work at each request. */
export async function makeSlow(root: string, count: number): Promise<void> {
  await git(root, "checkout", "--quiet", "-B", "slow", "main");
  await commit(root, "More work", pieces(count));
}

/** Puts a branch into the work tree. */
export async function goTo(root: string, branch: Branch): Promise<void> {
  await git(root, "checkout", "--quiet", branch);
}
