/** Commands that messages name: each is one that there is, and those a run ends with can be run as they are printed. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shellWords } from "../bench/basics/shell.ts";
import { COMMANDS } from "../bench/options/commands.ts";
import { optionOf, optionTable } from "../bench/options/option-table.ts";
import { commandOfLine, parseLine, readLine } from "../bench/options/read-line.ts";
import { nextSteps } from "../bench/report/next-steps.ts";
import { readPublishedRun } from "../bench/runs/published-run.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { SUITES } from "../suites/registry.ts";
import { commandLine } from "./command-line.ts";
import { assertCommands, printedCommands } from "./printed-commands.ts";

import { toolTest } from "./run-bench.ts";
import { inTemporaryFolder } from "./testing.ts";

const TABLE = optionTable(SUITES.map((suite) => ({ suite, module: null })));

/** The source files of the driver. */
function sources(folder = join(PROJECT_ROOT, "bench")): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? sources(join(folder, entry.name))
      : /(?<!\.test)\.ts$/.test(entry.name)
      ? [join(folder, entry.name)]
      : []
  );
}

/** Commands in the texts of a source file, up to the first sign or word that is no part of one; values in them are `X`. */
function commandsIn(file: string): string[] {
  const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "")
    .replace(/\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, "X");
  const word = String.raw`(?:--[a-zA-Z-]+(?:=\S+)?|[A-Z][A-Z0-9|,@-]*|X|\.?\/[\w./-]+|[\w@.-]+=[\w./-]+)`;
  return [...text.matchAll(new RegExp(`(?<=["'\`(:,;] ?|, or |then:? |, and )bench [a-z]+(?: ${word})*`, "g"))]
    .map(([command]) => command!);
}

test("each command that a message names is there, and takes the options it is named with", () => {
  const found = sources().flatMap((file) => commandsIn(file).map((command) => ({ command, file })));
  assert.ok(found.length > 100, `${found.length}`);
  const wrong = found.flatMap(({ command, file }) => {
    const line = parseLine(command.split(" ").slice(1));
    const meant = commandOfLine(line);
    // What became of a command of earlier versions is told to whoever still writes it.
    if (meant === undefined) {
      return ["help", "check"].includes(line.words[0]!) ? [] : [`${file}: no command: ${command}`];
    }
    const options = line.given.map(([option]) => option).filter((option) => option !== option.toUpperCase());
    // An axis of a made-up suite stands for any.
    return options.filter((option) => option !== "X" && optionOf(meant, option, TABLE) === undefined)
      .map((option) => `${file}: "bench ${meant.name}" takes no --${option}: ${command}`);
  });
  assert.deepEqual(wrong, []);
  assert.ok(COMMANDS.length > 10);
});

toolTest("the commands that the reference runs end with can be run as they are printed", async () => {
  await inTemporaryFolder(async (results) => {
    let tried = 0;
    for (const name of readdirSync(join(PROJECT_ROOT, "results")).filter((each) => each.startsWith("reference"))) {
      const { run, summary } = readPublishedRun(join(PROJECT_ROOT, "results", name));
      const commands = nextSteps(run, summary, { run: name }).flatMap((step) => step.commands);
      assert.ok(commands.length > 1, name);
      for (const command of commands) {
        const words = shellWords(command)!.slice(1);
        readLine(parseLine(words), TABLE);
        if (words[0] !== "run") continue;
        const ended = await commandLine([...words, "--dry-run"], results);
        assert.ok(ended.code === 0 || /is not installed/.test(ended.stderr), `${name}: ${command}\n${ended.stderr}`);
        tried++;
      }
    }
    assert.ok(tried > 1, `${tried}`);
  });
});

test("a printed command that the parser refuses is found, wherever it stands", () => {
  const good = [
    "error: none\n  try: bench show RUN has all, or bench list\n",
    "  goes on with it:\n    bench run users --runtime node \\\n      --quick\n  bench show one --all: all of it\n",
    "  try: --runtime node@24, or bench run --AXIS FILE\n",
    "- To settle it: `bench run users --rounds 3`\n",
  ];
  for (const text of good) assertCommands(text);
  assert.deepEqual(good.flatMap(printedCommands), [
    "bench show RUN",
    "bench list",
    "bench run users --runtime node --quick",
    "bench show one --all",
    "bench run --AXIS FILE",
    "bench run users --rounds 3",
  ]);
  const wrong = [
    "bench shwo",
    "bench run --rouns 3",
    "bench show --rounds 3",
    "bench run --rounds",
    "bench list a b c",
  ];
  for (const command of wrong) {
    for (const text of [`error: x\n  try: ${command}\n`, `  ${command}\n`, `- \`${command}\`\n`]) {
      assert.throws(() => assertCommands(text));
    }
  }
  assert.throws(() => assertCommands("  try: --rouns 3\n"));
});
