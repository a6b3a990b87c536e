/** Hints of errors: each is followed as it is printed, and the error is gone. */
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWords } from "../bench/basics/shell.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { benchHere } from "./command-line.ts";
import { type Site, siteTest } from "./run-bench.ts";
import { ranToEnd } from "./testing.ts";

/** The error and the hint that a command line ends with. */
async function endOf(site: Site, line: readonly string[]) {
  const { code, stderr, stdout } = await benchHere(site, line);
  const [, error = "", hint = ""] = /^error: (.*)\n(?: {2}try: (.*)\n)?/m.exec(stderr) ?? [];
  return { code, error, hint, stdout };
}

/** A command line after its hint: another command, another value of an option, or another word in place of the typed one. */
function followed(line: readonly string[], typed: string, { error, hint }: { error: string; hint: string }): string[] {
  const [command] = /^bench [^;,(]+?(?= (?:has|names|makes|shows|prints)\b|$)/.exec(hint) ??
    /(?<=; )bench [^;,(]+?(?= (?:has|names|makes|shows|prints)\b|$)/.exec(hint) ?? [];
  if (command !== undefined) return shellWords(command)!.slice(1);
  const meant = /did you mean "?([^"?]+)"?/.exec(`${hint}\n${error}`)?.[1] ?? /known are (\S+),/.exec(hint)?.[1];
  if (meant !== undefined) return line.map((word) => word.replace(typed, meant));
  const [option, value] = shellWords(hint.split(/, or /)[0]!)!;
  return line.map((word, n) => line[n - 1] === option ? value! : word);
}

const DRY = ["--runtime", "node", "--dry-run"];

siteTest("the hint of an error, followed as it is printed, does away with it", async (site) => {
  writeFileSync(join(site.folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(site.folder, "app.ts"), 'export default { fetch: () => new Response("hi") };\n');
  writeFileSync(join(site.folder, "requests.jsonl"), '{"path":"/"}\n');
  const empty = await endOf(site, ["show"]);
  assert.match(empty.error, /^there is no run in /);
  const first = followed(["show"], "", empty);
  assert.equal((await endOf(site, [...first, "--dry-run"])).code, 0, empty.hint);

  const kept = "reference-kv-intel-6-207";
  cpSync(join(PROJECT_ROOT, "results", kept), join(site.results, kept), { recursive: true });
  const cases: readonly (readonly [line: readonly string[], typed: string])[] = [
    [["show", "nosuchrun"], "nosuchrun"],
    [["show", "reference-kv-intel-6-208"], "reference-kv-intel-6-208"],
    [["show", "intel-6"], "intel-6"],
    [["report", "reference-kv", "--format", "csv"], "reference-kv"],
    [["report", kept, "--format", "jsno"], "jsno"],
    [["run", "--app", "./ap.ts", ...DRY], "./ap.ts"],
    [["run", "--app", "./app.ts", "--requests", "./request.jsonl", ...DRY], "./request.jsonl"],
    [["run", "--app", "./app.ts", "--request", "GTE /", ...DRY], "GTE"],
    [["run", "kv", "--rouns", "3", ...DRY], "--rouns"],
    [["run", "usres", ...DRY], "usres"],
    [["run", "kv", "--server", "hon", ...DRY], "hon"],
    [["list", "nosuchsuite"], "nosuchsuite"],
    [["shwo"], "shwo"],
  ];
  for (const [line, typed] of cases) {
    const before = await endOf(site, line);
    const words = `bench ${line.join(" ")}: ${before.error}; try: ${before.hint}`;
    assert.notEqual(before.error, "", words);
    const next = followed(line, typed, before);
    assert.notDeepEqual(next, line, words);
    const after = await endOf(site, next);
    assert.notEqual(after.error, before.error, `${words}\nbench ${next.join(" ")}`);
    assert.equal(after.code, 0, `${words}\nbench ${next.join(" ")}: ${after.error}`);
  }
});

siteTest("the hint of an app that does not start shows what the app says by itself", async (site) => {
  writeFileSync(join(site.folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(site.folder, "bad.ts"), 'throw new Error("no database here");\n');
  const { hint } = await endOf(site, ["run", "--app", "./bad.ts", ...DRY]);
  const [program, ...args] = shellWords(hint.replace(/ shows what .*$/, ""))!;
  assert.equal(program, "node");
  const shown = await ranToEnd(locateRuntime("node").file, args, site.folder);
  assert.match(shown.stderr, /no database here/);
});
