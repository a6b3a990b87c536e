/** The parts of the project that the site shows: its Markdown, its kept runs, its repository. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findExplanations } from "../bench/runs/find-explanations.ts";
import { readPublishedRun } from "../bench/runs/published-run.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { addressOf } from "./addresses.ts";

/** Reads a text of the project. */
export const textOf = (path: string): string => readFileSync(join(PROJECT_ROOT, path), "utf8");

const RESULTS = join(PROJECT_ROOT, "results");

/** A kept run under the name of its folder. */
export type KeptRun = ReturnType<typeof readKeptRun>;

const readKeptRun = (name: string) => {
  const folder = join(RESULTS, name), files = readPublishedRun(folder);
  return { name, folder, files, explanations: findExplanations(folder, files.run) };
};

/** Returns the kept runs: references of suites first, then those of audits. */
export const keptRuns = (): KeptRun[] =>
  ["reference", "audit-"].flatMap((kind) =>
    readdirSync(RESULTS).filter((name) => name.startsWith(kind)).sort().map(readKeptRun)
  );

/** Files that git keeps, by their paths. */
export function keptFiles(): Set<string> {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: PROJECT_ROOT, encoding: "utf8", maxBuffer: 1e8 });
  return new Set(listed.split("\0").filter((path) => path !== ""));
}

/** The Markdown files that become pages. */
export const markdownFiles = (kept: ReadonlySet<string>): string[] =>
  [...kept].filter((path) => path.endsWith(".md") && addressOf(path) !== null).sort();

/** The address of the repository: that of the workflow that builds the site, else what package.json says. */
export function repositoryAddress(env: Readonly<Record<string, string | undefined>>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  if (server && name) return `${server}/${name}`;
  const { repository } = JSON.parse(textOf("package.json")) as { repository?: string | { readonly url: string } };
  const url = typeof repository === "string" ? repository : repository?.url;
  return (url ?? "https://github.com/OWNER/levelfield").replace(/^git\+/, "").replace(/\.git$/, "");
}
