import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { axisOptions } from "../core/axis-options.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { shellWords } from "../core/own/shell-words.ts";
import { type Command, COMMANDS } from "./commands.ts";
import { COMMON_OPTIONS, type Option, OPTIONS, optionTable } from "./options.ts";
import { nodeParser } from "./parser.ts";
import { readArgs } from "./read-args.ts";

const TABLE: readonly Option[] = optionTable([axisOptions(oddSuite, [])]);
const read = (...line: string[]) => readArgs(nodeParser.parse(line, TABLE), TABLE);
const optionNames: readonly string[] = OPTIONS.map(({ name }) => name);

function refusal(...line: string[]): BenchError {
  try {
    read(...line);
  } catch (error) {
    assert.ok(error instanceof BenchError);
    assert.equal(error.exit, EXIT.usage);
    assert.ok(error.hint, "a refusal says what to try");
    assert.ok(!error.message.includes("\n"));
    return error;
  }
  throw new Error(`accepted: bench ${line.join(" ")}`);
}

test("every option of every command is in the table, once, and no option is without a command", () => {
  assert.equal(new Set(optionNames).size, optionNames.length);
  const used = new Set<string>(COMMON_OPTIONS);
  for (const command of COMMANDS) {
    const names: readonly string[] = command.options;
    assert.equal(new Set(names).size, names.length, command.name);
    for (const name of names) {
      assert.ok(optionNames.includes(name), `bench ${command.name} --${name}`);
      assert.ok(!COMMON_OPTIONS.includes(name), `bench ${command.name} --${name} is common`);
      used.add(name);
    }
  }
  assert.deepEqual(optionNames.filter((name) => !used.has(name)), []);
});

test("every command takes each of its options and refuses every other one, naming who takes it", () => {
  for (const command of COMMANDS) {
    const own: readonly string[] = command.options;
    for (const option of OPTIONS as readonly Option[]) {
      if (COMMON_OPTIONS.includes(option.name)) continue;
      const line = [command.name, option.value === undefined ? `--${option.name}` : `--${option.name}=1`];
      if (own.includes(option.name)) assert.ok(read(...line).has(option.name as "json"), line.join(" "));
      else assert.match(refusal(...line).hint!, /^"bench \w+"/);
    }
  }
});

test("every option that has a value needs one, every other takes none", () => {
  for (const command of COMMANDS) {
    for (const name of command.options as readonly string[]) {
      const option: Option = OPTIONS.find((candidate) => candidate.name === name)!;
      if (option.value === undefined) refusal(command.name, `--${name}=1`);
      else {
        refusal(command.name, `--${name}`);
        refusal(command.name, `--${name}=`);
        const twice = [command.name, `--${name}`, "1", `--${name}`, "2"];
        if (option.repeat) assert.ok(read(...twice).has(name as "json"), twice.join(" "));
        else refusal(...twice);
      }
    }
  }
});

test("every example of the help is a command line that is accepted", () => {
  for (const command of COMMANDS) {
    assert.ok(command.examples.length > 0, command.name);
    for (const example of command.examples) {
      const [bench, ...line] = shellWords(example.replace("OPTION", "way-how"))!;
      assert.equal(bench, "bench");
      assert.equal(read(...line).command, command.name, example);
    }
  }
});

test("options of axes are taken by commands that measure, serve or build, and by no other", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const line = [command.name, "--way-how=a/b"];
    if (command.axes === null || command.axes === "runtime") {
      const takers = ["all", "run", "duet", "contrast", "latency", "serve", "data"].map((name) => `"bench ${name}"`);
      assert.equal(refusal(...line).hint, `${takers.join(", ")} do`);
    } else assert.deepEqual([...read(...line).axes], [["way-how", "a/b"]], command.name);
  }
});

test("a command or option that is nearly right is answered with the right one", () => {
  assert.match(refusal("run", "--way-hwo", "x").hint!, /did you mean "--way-how"/);
  assert.match(refusal("run", "--ruonds", "3").hint!, /did you mean "--rounds"/);
  assert.match(refusal("rum").hint!, /did you mean "run"/);
  assert.match(refusal("measure-everything").hint!, /known are all, run/);
});

test("asking for help or a version wins over what else is wrong with the options", () => {
  assert.equal(read("run", "--rate", "1", "--help").command, "help");
  assert.equal(read("serve", "--version").command, "version");
});
