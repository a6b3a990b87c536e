import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { axisOptions } from "../plan/axis-options.ts";
import { fitText } from "../report/fit-text.ts";
import { commandHelp, exampleFor, generalHelp } from "./help.ts";
import { type Command, COMMANDS } from "./commands.ts";
import { helpOf, optionsOfCommand, RESERVED } from "./option-table.ts";
import { OPTIONS } from "./options.ts";

const GOLDEN = fileURLToPath(new URL("./help.golden.txt", import.meta.url));
const odd = axisOptions(oddSuite, RESERVED);
const long = axisOptions({
  ...oddSuite,
  axes: oddSuite.axes.map((axis) => ({
    ...axis,
    values: [...Array(40).keys()].map((n) => `value-${n}`),
    help: "a word ".repeat(30),
  })),
}, RESERVED);

test("the help reads as in help.golden.txt (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)", () => {
  const shown = COMMANDS.flatMap(({ name }) => [commandHelp(name, odd), commandHelp(name, odd, undefined, true)]);
  const all = [...new Set([generalHelp(), generalHelp(undefined, true), ...shown])].join(`${"─".repeat(80)}\n`);
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(GOLDEN, all);
  assert.equal(all, readFileSync(GOLDEN, "utf8"));
});

test("the whole help of a command shows each of its options with its text, and no other", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const text = commandHelp(command.name, odd, undefined, true);
    const flat = text.replaceAll(/\s+/g, " ");
    const shown = (name: string) => new RegExp(`^ +(-\\w, )?--${name}( |$)`, "m").test(text);
    const taken = optionsOfCommand(command);
    for (const { name } of OPTIONS) {
      const row = taken.find((one) => one.name === name);
      assert.equal(shown(name), row !== undefined, `bench ${command.name} --${name}`);
      if (row !== undefined) assert.ok(flat.includes(helpOf(row)), helpOf(row));
    }
    for (const { name, binds } of odd.options) {
      const taken = command.axes === "runtime" ? binds === "runtime" : command.axes !== null;
      assert.equal(shown(name), taken, `bench ${command.name} --${name}`);
    }
  }
});

test("axes are shown with their default values, or with the one value of a command that takes one", () => {
  assert.match(commandHelp("run", odd, undefined, true), /--items-page a,b +items \(default: 1,100\)/);
  assert.match(commandHelp("serve", odd, undefined, true), /--items-page a +items \(default: 1\)/);
  assert.match(commandHelp("run", odd), /--items-page a,b +1,100\n +and +--engine-room, --mood\n/);
});

test("the general help names six commands with a line each and all others by name, in 24 lines of 80 columns", () => {
  const text = generalHelp(80);
  const lines = fitText(text, 80).trimEnd().split("\n");
  assert.ok(lines.length <= 24 && lines.every((line) => line.length <= 80), text);
  const told = (COMMANDS as readonly Command[]).filter(({ help }) => text.includes(help));
  assert.deepEqual(told.map(({ name }) => name), ["run", "show", "report", "gate", "latency", "doctor"]);
  for (const { name } of COMMANDS) assert.match(text, new RegExp(`[ ,] ${name}(,|\\n| )`));
  for (const { name, help } of COMMANDS) assert.match(generalHelp(80, true), new RegExp(`^  ${name} +${help[0]}`, "m"));
});

test("the help of a command with many options shows a dozen and says where the others are, on 40 lines", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const [text, whole] = [false, true].map((all) => fitText(commandHelp(command.name, odd, 80, all), 80)) as [
      string,
      string,
    ];
    assert.ok(text.split("\n").length <= 41, text);
    if (text === whole) continue;
    const [axes, options] = text.split("\nOptions:\n");
    const shown = options!.match(/^ {2,6}(-\w, )?--/gm)!.length;
    assert.ok(shown >= 4 && shown <= 13, text);
    const others = Number(/^"bench .* --help-all" has the other (\d+)\.$/m.exec(text)![1]);
    assert.equal(shown + others, whole.split("\nOptions:\n")[1]!.match(/^ {2,6}(-\w, )?--/gm)!.length);
    if (command.axes === "several") {
      for (const { name } of odd.options) assert.ok(axes!.includes(`--${name}`), name);
    }
  }
});

test("no line of any help is longer than 120 characters", () => {
  const each = COMMANDS.flatMap(({ name }) =>
    [odd, long].flatMap((suite) => [false, true].map((whole) => commandHelp(name, suite, undefined, whole)))
  );
  for (const text of [generalHelp(), generalHelp(undefined, true), ...each]) {
    assert.ok(text.endsWith("\n"));
    for (const line of text.split("\n")) assert.ok(line.length <= 120, line);
  }
});

test("on a narrow terminal no line of any help is longer than it, and no word is broken or lost", () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
  for (const columns of [80, 50]) {
    for (const name of [undefined, ...COMMANDS.map(({ name }) => name)]) {
      const help = (columns?: number) =>
        name === undefined ? generalHelp(columns, true) : commandHelp(name, odd, columns, true);
      const text = fitText(help(columns), columns);
      for (const line of text.split("\n")) assert.ok(line.length <= columns, `${columns}, ${name}: ${line}`);
      // Lists are broken after commas, too.
      const flat = (text: string) => words(text.replaceAll("\\\n", "")).join(" ").replaceAll(", ", ",");
      assert.equal(flat(text), flat(help()));
    }
  }
});

test("examples have the words of the suite they are shown for", () => {
  assert.equal(exampleFor("bench serve SUITE --OPTION VALUE", odd), "bench serve odd --way-how a/b");
  assert.equal(exampleFor("bench run --pair SUITE CELL OTHER", odd), `bench run --pair odd a%2Fb 'x y, "z" <b>'`);
  const one = { ...odd, options: odd.options.slice(1) };
  assert.equal(exampleFor("bench run SUITE --OPTION VALUES", one), "bench run odd --engine-room bun");
});
