import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { optionName } from "../plan/plan-parts.ts";
import { fitText } from "../report/fit-text.ts";
import { commandHelp, exampleFor, generalHelp } from "./help.ts";
import { type Command, COMMANDS, EXIT_CODES } from "./commands.ts";
import { EXIT } from "../basics/errors.ts";
import { COMMON, helpOf, optionsOfCommand } from "./option-table.ts";
import { GROUPS, type Option, OPTIONS } from "./options.ts";

const GOLDEN = fileURLToPath(new URL("./help.golden.txt", import.meta.url));

test("the help reads as in help.golden.txt (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)", () => {
  // These have, together, every part that a help may have: rows of others follow from the same tables.
  const whole = (["gate", "latency", "show"] as const).map((name) => commandHelp(name, oddSuite, undefined, true));
  const shown = [commandHelp("run", oddSuite), ...whole];
  const all = [generalHelp(), generalHelp(undefined, true), ...shown].join(`${"─".repeat(80)}\n`);
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(GOLDEN, all);
  assert.equal(all, readFileSync(GOLDEN, "utf8"));
});

test("the help of each command begins with what it does and takes, and ends with its examples", () => {
  for (const { name, help, operands, otherwise, examples } of COMMANDS as readonly Command[]) {
    const text = commandHelp(name, oddSuite);
    const usage = `Usage: bench ${name}${operands === undefined ? "" : ` ${operands}`} [options]`;
    assert.ok(text.startsWith(`bench ${name}: ${help}\n\n${usage}`), text);
    if (otherwise !== undefined) assert.ok(text.includes(`${usage}  (default: ${otherwise})\n`), text);
    assert.ok(text.endsWith(`Examples:\n${examples.map((one) => `  ${exampleFor(one, oddSuite)}\n`).join("")}`), text);
  }
});

/** The options that a command alone has, or shares with some. */
const ownOptions = (command: Command) => optionsOfCommand(command).filter((option) => !COMMON.includes(option));

test("the whole help of a command shows each of its own options with its text, and no other", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const text = commandHelp(command.name, oddSuite, undefined, true);
    const flat = text.replaceAll(/\s+/g, " ");
    const shown = (name: string) => new RegExp(`^ +(-\\w, )?--${name}( |$)`, "m").test(text);
    const taken = ownOptions(command);
    for (const { name } of OPTIONS) {
      const row = taken.find((one) => one.name === name);
      assert.equal(shown(name), row !== undefined, `bench ${command.name} --${name}`);
      if (row !== undefined) assert.ok(flat.includes(helpOf(row)), helpOf(row));
    }
    for (const { name: axis, binds } of oddSuite.axes) {
      const name = optionName(axis);
      const taken = command.axes === "runtime" ? binds === "runtime" : command.axes !== null;
      assert.equal(shown(name), taken, `bench ${command.name} --${name}`);
    }
  }
});

test("axes are shown with their default values, or with the one value of a command that takes one", () => {
  assert.match(commandHelp("run", oddSuite, undefined, true), /--items-page a,b +items \(default: 1,100\)/);
  assert.match(commandHelp("serve", oddSuite, undefined, true), /--items-page a +items \(default: 1\)/);
  assert.match(commandHelp("run", oddSuite), /--items-page a,b +1,100\n +and +--engine-room, --mood\n/);
  assert.match(
    commandHelp("gate", oddSuite),
    /^Runtimes:\n {2}--engine-room a,b +runtimes \(default: the one your project/m,
  );
});

test("the general help has seven commands with a line each and all others by name, in 30 lines of 80 columns", () => {
  const text = generalHelp(80);
  const lines = fitText(text, 80).trimEnd().split("\n");
  assert.ok(lines.length <= 30 && lines.every((line) => line.length <= 80), text);
  const listed = (COMMANDS as readonly Command[]).filter(({ unlisted }) => unlisted !== true);
  const told = listed.filter(({ help }) => text.includes(help));
  assert.deepEqual(told.map(({ name }) => name), ["all", "run", "show", "report", "gate", "latency", "doctor"]);
  for (const { name } of listed) assert.match(text, new RegExp(`[ ,] ${name}(,|\\n| )`));
  for (const { name, help } of listed) assert.match(generalHelp(80, true), new RegExp(`^  ${name} +${help[0]}`, "m"));
  assert.doesNotMatch(generalHelp(80, true), /\bagent\b/);
});

test("options of every command, and exit codes, stand in the general help, and in that of a command a line about them", () => {
  const flat = (text: string) => text.replaceAll(/\s+/g, " ");
  for (const option of COMMON) assert.ok(flat(generalHelp(80)).includes(`--${option.name}`), option.name);
  for (const code of Object.values(EXIT)) assert.ok(flat(generalHelp(80)).includes(`${code} ${EXIT_CODES[code]}`));
  for (const { name, exits = {} } of COMMANDS as readonly Command[]) {
    const text = commandHelp(name, oddSuite, 80, true);
    for (const option of COMMON) assert.doesNotMatch(text, new RegExp(`^ +(-\\w, )?--${option.name}( |$)`, "m"), name);
    assert.match(text, /^Options of every command: bench help$/m, name);
    for (const [code, means] of Object.entries(exits)) assert.ok(flat(text).includes(`${code} ${means}`), name);
  }
});

test("every option has a group, and help shows many options under the headings of their groups", () => {
  for (const { name, group, of } of OPTIONS as readonly Option[]) {
    assert.equal(group === undefined, of === "every", name);
  }
  const text = commandHelp("run", oddSuite, 80, true);
  const headings = [...text.matchAll(/^(\S.*):$/gm)].map(([_, heading]) => heading);
  assert.deepEqual(headings.filter((heading) => !/^(Axes|Examples)/.test(heading!)), Object.values(GROUPS));
  for (const [n, heading] of Object.values(GROUPS).entries()) {
    const part = text.split(`\n${heading}:\n`)[1]!.split("\n\n")[0]!;
    const shown = [...part.matchAll(/^ {2}--([\w-]+)/gm)].map(([_, name]) => name);
    const group = Object.keys(GROUPS)[n];
    const run = (COMMANDS as readonly Command[]).find(({ name }) => name === "run")!;
    assert.deepEqual(shown, ownOptions(run).filter((option) => option.group === group).map(({ name }) => name));
  }
  assert.match(commandHelp("show", oddSuite), /^Options:$/m);
});

test("an option that commands share means one thing in each: only the amount may differ", () => {
  for (const name of ["quick", "all"]) {
    const starts = (OPTIONS as readonly Option[]).filter((option) => option.name === name)
      .map(({ help }) => help.slice(0, help.indexOf(":")));
    assert.ok(starts.length > 1, name);
    assert.equal(new Set(starts).size, 1, starts.join(" | "));
  }
});

test("the help of an option has at most 160 characters, its default included", () => {
  for (const option of OPTIONS as readonly Option[]) assert.ok(helpOf(option).length <= 160, helpOf(option));
});

test("the help of a command with many options shows a dozen and says where the others are, on 50 lines", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const [text, whole] = [false, true].map((all) => fitText(commandHelp(command.name, oddSuite, 80, all), 80)) as [
      string,
      string,
    ];
    assert.ok(text.split("\n").length <= 51, text);
    if (text === whole) continue;
    const shown = ownOptions(command).filter(({ name }) => new RegExp(`^ {2}--${name}( |$)`, "m").test(text)).length;
    assert.ok(shown >= 4 && shown <= 13, text);
    const others = Number(/^The other (\d+) options: bench .* --help-all$/m.exec(text)![1]);
    assert.equal(shown + others, ownOptions(command).length);
    for (const { name } of command.axes === "several" ? oddSuite.axes : []) {
      assert.ok(text.includes(`--${optionName(name)}`), name);
    }
  }
});

test("on a narrow terminal no line of any help is longer than it, and no word is broken or lost", () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
  for (const columns of [80, 50]) {
    for (const name of [undefined, ...COMMANDS.map(({ name }) => name)]) {
      const help = (columns?: number) =>
        name === undefined ? generalHelp(columns, true) : commandHelp(name, oddSuite, columns, true);
      const text = fitText(help(columns), columns);
      for (const line of text.split("\n")) assert.ok(line.length <= columns, `${columns}, ${name}: ${line}`);
      // Lists are broken after commas, too.
      const flat = (text: string) => words(text.replaceAll("\\\n", "")).join(" ").replaceAll(", ", ",");
      assert.equal(flat(text), flat(help()));
    }
  }
});

test("examples have the words of the suite they are shown for", () => {
  assert.equal(exampleFor("bench serve SUITE --OPTION VALUE", oddSuite), "bench serve odd --way-how a/b");
  assert.equal(exampleFor("bench run --pair SUITE CELL OTHER", oddSuite), `bench run --pair odd a%2Fb 'x y, "z" <b>'`);
  const one = { ...oddSuite, axes: oddSuite.axes.slice(1) };
  assert.equal(exampleFor("bench run SUITE --OPTION VALUES", one), "bench run odd --engine-room bun");
});
