/** A run whose every text is an attack, on the terminal, in exports and as a picture: it stays text everywhere. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { cardPicture, pngOf } from "../bench/page/card-picture.ts";
import { EXPORTS } from "../bench/exports/registry.ts";
import { harmlessJson } from "../bench/report/align.ts";
import type { RunFiles } from "../bench/page/shown-run.ts";
import { verdictPicture } from "../bench/page/readme-results.ts";
import { showRuns } from "../lab/hostile/show-hostile.ts";
import { commandLine } from "./command-line.ts";
import { hostileRun, terminalAttack } from "./fixtures/hostile-run.ts";
import { makeFixture, makeOddFixture } from "./fixtures/made-up-run.ts";
import { filesOf } from "./fixtures/run-files.ts";
import { acrossHosts } from "./fixtures/two-hosts.ts";
import { writeRunFiles } from "./fixtures/write-fixture.ts";
import { folderTest } from "./testing.ts";

const runs = [
  filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "drizzle"], rounds: 6 })),
  filesOf(acrossHosts(makeOddFixture())),
];
const onTerminal: readonly RunFiles[] = runs.map((files) => hostileRun(files, terminalAttack).files);
const inMarkup: readonly RunFiles[] = runs.map((files) => hostileRun(files).files);

test("what a run says of its hosts is among its texts that are attacks", () => {
  const { hosts } = inMarkup[1]!.run;
  const texts = [hosts?.server, hosts?.address, hosts?.link.name, hosts?.load_machine?.cpu_model];
  for (const text of texts) assert.match(text ?? "", /onerror/);
  assert.match(JSON.stringify(inMarkup[1]!.lines), /"link":\{"name":"\d+\\"'/);
});

/** What moves a cursor, ends a line, or turns or hides text; line feeds end our own lines. */
const MOVES = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

folderTest("no command tells a terminal anything but text, whatever a run's files hold", async (results) => {
  onTerminal.forEach((files, n) => writeRunFiles(join(results, `hostile-${n}`), files));
  writeRunFiles(join(results, "plain"), runs[0]!);
  // The next test has the others.
  const commands = [
    ["compare", "hostile-0", "plain", "--markdown"],
    ["report", "hostile-0", "--format", "markdown"],
    ["report", "hostile-1", "--format", "github-action-benchmark"],
    ["show", "hostile-1", "--json"],
    ["show", "--list", "--json"],
    ["compare", "--json"],
    ["report", "hostile-0", "--output", join(results, "a\u001b[2J\u202e.html")],
  ];
  for (const args of commands) {
    const { stdout, stderr } = await commandLine(args, results, 80);
    const told = stdout + stderr;
    assert.ok(told.length > 100 || args.includes("--output"), args.join(" "));
    assert.equal(MOVES.exec(told)?.index, undefined, `${args.join(" ")}: ${JSON.stringify(told.slice(0, 2_000))}`);
  }
});

/** The same text with a blank in place of signs that move a cursor: what is shown of it may differ in nothing. */
const harmless = (n: number) => terminalAttack(n).replaceAll(new RegExp(`(?:${MOVES.source}|\n)+`, "gu"), " ");

folderTest("what a command prints of a text with line ends is what it prints of one with blanks", async (folder) => {
  // Names alone are attacks in one run, so that its verdicts are found again.
  const made = makeFixture();
  const named = (attack: (n: number) => string) => {
    const axes = made.run.plan.axes.map((axis, n) => ({
      ...{ ...axis, title: attack(n) },
      values: axis.values.map((value, place) => ({ ...value, text: attack(100 * n + place) })),
    }));
    return filesOf({ ...made, run: { ...made.run, plan: { ...made.run.plan, axes } } });
  };
  const printedOf = async (name: string, attack: (n: number) => string) => {
    const at = (run: string) => join(folder, name, run);
    writeRunFiles(at("named"), named(attack));
    writeRunFiles(at("hostile"), hostileRun(runs[1]!, attack).files);
    writeRunFiles(at("plain"), runs[1]!);
    const commands = [
      ["show", at("hostile"), "--all"],
      ["show", "--list", "--results", at("")],
      ["compare", at("hostile"), at("plain")],
      ["compare", at(""), at("plain"), "--output", join(folder, "track.html")],
      ["reproduce", at("plain"), "--with", at("hostile")],
      ["reproduce", at("named"), "--with", at("named")],
      ["compare", at("named"), at("named")],
    ];
    const printed: string[] = [];
    for (const args of commands) {
      // JSON has its own signs for these.
      printed.push(
        (await showRuns(args)).said.replaceAll(at(""), "RUNS").replaceAll(/(?:\\u[0-9a-f]{4}|\\[bfnrt]| )+/g, " "),
      );
    }
    return printed;
  };
  const [attacked, blank] = [await printedOf("attacked", terminalAttack), await printedOf("harmless", harmless)];
  for (const said of attacked) assert.ok(said.length > 100 || said.endsWith("track.html\n"), said);
  assert.deepEqual(attacked, blank);
  // It shows such signs by their numbers.
  const verified = async (name: string) => (await showRuns(["verify", join(folder, name, "hostile")])).said.split("\n");
  assert.equal((await verified("attacked")).length, (await verified("harmless")).length);
  const report = ["report", join(folder, "attacked", "hostile"), "--output", join(folder, "a\nb.html")];
  assert.match((await showRuns(report)).said, /^[^\n]*a b\.html\n$/);
});

test("a hostile run is one line a line in exports, and a picture that a reader of XML opens", async () => {
  for (const files of [...onTerminal, ...inMarkup]) {
    const lines = (name: string) => EXPORTS[name]!.render(files).trimEnd().split("\n");
    for (const line of lines("markdown")) assert.doesNotMatch(line, /<(img|script|svg|a)\b|(?<!\\)\]\(/);
    for (const picture of [cardPicture(files), verdictPicture(files)]) {
      const own = ["<g", "<line", "<path", "<rect", "<style", "<svg", "<text", "<title", "<tspan"];
      assert.deepEqual(picture.match(/<[a-z]+/g)!.filter((tag) => !own.includes(tag)), []);
      assert.equal(picture.match(/<svg\b/g)!.length, 1);
      assert.doesNotMatch(picture, /\s(on\w+|href)=["']/);
    }
    for (const [name, { render }] of Object.entries(EXPORTS)) {
      const acting = MOVES.exec(render(files).replace(/[\t\r\n]/g, " "));
      assert.equal(acting?.index, undefined, `${name}: ${JSON.stringify(acting)}`);
    }
    assert.deepEqual(JSON.parse(harmlessJson(files.run)), files.run, "JSON holds what it held");
    const png = await pngOf(cardPicture(files));
    assert.deepEqual([...png.subarray(1, 4)], [80, 78, 71]);
  }
});
