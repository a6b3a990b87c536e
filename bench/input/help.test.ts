import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { axisOptions } from "../core/axis-options.ts";
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
  const all = [generalHelp(), ...COMMANDS.map(({ name }) => commandHelp(name, odd))].join(`${"─".repeat(80)}\n`);
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(GOLDEN, all);
  assert.equal(all, readFileSync(GOLDEN, "utf8"));
});

test("the help of a command shows each of its options with its text, and no other", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const text = commandHelp(command.name, odd);
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
  assert.match(commandHelp("run", odd), /--items-page a,b +items \(default: 1,100\)/);
  assert.match(commandHelp("serve", odd), /--items-page a +items \(default: 1\)/);
});

test("every command is in the general help, and no line of any help is longer than 120 characters", () => {
  for (const { name, help } of COMMANDS) assert.ok(generalHelp().includes(`  ${name}`) && generalHelp().includes(help));
  for (
    const text of [
      generalHelp(),
      ...COMMANDS.flatMap(({ name }) => [odd, long].map((suite) => commandHelp(name, suite))),
    ]
  ) {
    assert.ok(text.endsWith("\n"));
    for (const line of text.split("\n")) assert.ok(line.length <= 120, line);
  }
});

test("on a narrow terminal no line of any help is longer than it, and no word is broken or lost", () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
  for (const columns of [80, 50]) {
    for (const name of [undefined, ...COMMANDS.map(({ name }) => name)]) {
      const help = (columns?: number) => name === undefined ? generalHelp(columns) : commandHelp(name, odd, columns);
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
  assert.equal(exampleFor("bench duet SUITE CELL OTHER", odd), `bench duet odd a%2Fb 'x y, "z" <b>'`);
  const one = { ...odd, options: odd.options.slice(1) };
  assert.equal(exampleFor("bench run SUITE --OPTION VALUES", one), "bench run odd --engine-room bun");
});
