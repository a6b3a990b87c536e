/** A folder's config is a program: it runs where it is asked for, and nowhere else. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Command, COMMANDS } from "../bench/options/commands.ts";
import { configOfLine } from "../bench/options/config-meant.ts";
import { commandOfLine, parseLine } from "../bench/options/read-line.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { makeFixture } from "./fixtures/made-up-run.ts";
import { filesOf } from "./fixtures/run-files.ts";
import { writeRunFiles } from "./fixtures/write-fixture.ts";
import { benchHere } from "./command-line.ts";
import { bench, DRIVERS, onSite, type Site } from "./run-bench.ts";

/** Fills a folder with whatever a driver or the bench might run by itself; each leaves a marker. */
function trapIn({ folder }: Site) {
  const marker = join(folder, "marker");
  const leave = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "");\n`;
  writeFileSync(join(folder, "levelfield.config.ts"), `${leave}export default { results: "elsewhere" };\n`);
  writeFileSync(join(folder, "preloaded.ts"), leave);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preloaded.ts"]\n');
  writeFileSync(join(folder, ".env"), "LEVELFIELD_DATA=/nowhere\n");
  writeFileSync(join(folder, "package.json"), '{"scripts":{"start":"node ./web.mjs"}}');
  writeFileSync(join(folder, "web.mjs"), `import "node:http";\n${leave}`);
  writeFileSync(join(folder, "app.ts"), `${leave}export default { fetch: () => new Response("a") };\n`);
  writeFileSync(join(folder, "deno.json"), '{"imports":{"zod":"./preloaded.ts"}}\n');
  return { isSprung: () => existsSync(marker), reset: () => rmSync(marker, { force: true }) };
}

/** Commands that measure, serve and build nothing. */
const LINES: readonly (readonly string[])[] = [
  ["verify", "theirs"],
  ["show", "theirs"],
  ["show", "--list"],
  ["compare", "theirs", "theirs"],
  ["report", "theirs"],
  ["compare"],
  ["list"],
  ["agent"],
  ["doctor"],
  ["reproduce", "theirs", "--with", "theirs"],
  ["settle", "theirs", "--dry-run"],
  ["run", "--plan", "none.json"],
  ["run", "--resume", "none"],
  ["init", "--dry-run"],
  ["help"],
  ["--version"],
];

/** A command that reads this process's stdin, so it must have one of its own. */
const READS_STDIN = ["agent"];

test("commands that measure nothing run nothing of the folder they stand in", () =>
  onSite(async (site) => {
    const { isSprung } = trapIn(site);
    writeRunFiles(join(site.results, "theirs"), filesOf(makeFixture()));
    const tried = LINES.map((line) => commandOfLine(parseLine(line))?.name);
    const idle = COMMANDS.filter((command: Command) => command.config !== true).map(({ name }) => name);
    assert.deepEqual(idle.filter((name) => !tried.includes(name)), [], "each is tried");
    for (const line of LINES) {
      await (READS_STDIN.includes(line[0]!) ? bench : benchHere)(site, line);
      assert.ok(!isSprung(), line.join(" "));
    }
    for (const driver of DRIVERS) {
      for (const line of [["show", "--list"], ["run", "--plan", "none.json"]]) {
        await bench(site, line, { LEVELFIELD_DRIVER: driver });
        assert.ok(!isSprung(), `${line.join(" ")} on ${driver}`);
      }
    }
  }));

test("a config that is named is read by any command, and one that is not is named in the error", () =>
  onSite(async (site) => {
    const { isSprung, reset } = trapIn(site);
    const unread = await benchHere(site, ["show", "none"]);
    assert.equal(unread.code, 2);
    assert.match(unread.stderr, /^ {2}try: .*--config levelfield\.config\.ts/m);
    assert.ok(!isSprung());
    const named = await benchHere(site, ["show", "none", "--config", "levelfield.config.ts"]);
    assert.match(named.stderr, /there is no run "none" in "elsewhere"/);
    assert.ok(isSprung());
    reset();
    assert.equal((await benchHere(site, ["list", "--no-config"])).code, 0);
    assert.ok(!isSprung());
    await bench(site, ["run", "--suites-of-nobody"]);
    assert.ok(isSprung(), "bench run takes it unasked: the trap is one");
  }));

test("docs name the commands that take a config unasked", async () => {
  const text = readFileSync(join(PROJECT_ROOT, "docs", "configuration.md"), "utf8");
  const [, listed] = /measured, served or built:([^:]*?)take the one of\s+their folder/.exec(text)!;
  const named = [...listed!.matchAll(/`(?:bench )?([\w -]+)`/g)].map(([, name]) => name);
  assert.deepEqual(named, COMMANDS.filter((command: Command) => command.config).map(({ name }) => name));
  assert.equal(await configOfLine(parseLine(["run", "--help"])), null);
});
