import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { calls } from "../../suites/calls/suite.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { shellWords } from "../basics/shell.ts";
import { type Command, COMMANDS } from "./commands.ts";
import { COMMON, isOfAxis, optionsOfCommand, optionTable } from "./option-table.ts";
import { type Option, OPTIONS } from "./options.ts";
import { type CommandLine, parseLine, readLine } from "./read-line.ts";

const TABLE: readonly Option[] = optionTable([{ suite: oddSuite, module: null }]);
const read = (...line: string[]) => readLine(parseLine(line), TABLE);
/** The options of a line that can be meant. */
const given = (...line: string[]) => (read(...line), parseLine(line).given);
const has = (line: readonly string[], option: string) => given(...line).some(([name]) => name === option);
const isCommon = (name: string) => COMMON.some((option) => option.name === name);

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

test("a command has each option once, and rows of one name agree whether there is a value", () => {
  for (const command of COMMANDS) {
    const names = optionsOfCommand(command).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, command.name);
  }
  for (const rows of Map.groupBy(OPTIONS as readonly Option[], ({ name }) => name).values()) {
    assert.equal(new Set(rows.map(({ type }) => type.shown === "")).size, 1, rows[0]!.name);
  }
});

test("every command takes each of its options and refuses every other one, naming who takes it", () => {
  for (const command of COMMANDS) {
    const known = optionsOfCommand(command).map(({ name }) => name);
    for (const { name, type } of OPTIONS) {
      if (isCommon(name)) continue;
      const line = [...command.name.split(" "), type.shown === "" ? `--${name}` : `--${name}=1`];
      if (known.includes(name)) assert.ok(has(line, name), line.join(" "));
      else assert.match(refusal(...line).hint!, /^"bench [\w -]+"/);
    }
  }
});

test("every option that has a value needs one, every other takes none", () => {
  for (const command of COMMANDS) {
    for (const { name, type, repeat } of optionsOfCommand(command).filter(({ name }) => !isCommon(name))) {
      const words = command.name.split(" ");
      if (type.shown === "") refusal(...words, `--${name}=1`);
      else {
        refusal(...words, `--${name}`);
        refusal(...words, `--${name}=`);
        const twice = [...words, `--${name}`, "1", `--${name}`, "2"];
        if (repeat) assert.ok(has(twice, name), twice.join(" "));
        else refusal(...twice);
      }
    }
  }
});

test("every example of the help is a command line that is accepted", () => {
  const table = optionTable([oddSuite, calls].map((suite) => ({ suite, module: null })));
  for (const command of COMMANDS) {
    assert.ok(command.examples.length > 0, command.name);
    for (const example of command.examples) {
      const [bench, ...line] = shellWords(example.replace("OPTION", "way-how"))!;
      assert.equal(bench, "bench");
      assert.equal(readLine(parseLine(line), table).command, command.name, example);
    }
  }
});

test("more help is asked for by a word or an option", () => {
  for (const line of [["help", "more"], ["--help-all"], ["help", "--help-all"]]) {
    assert.deepEqual([read(...line).about, read(...line).whole], [undefined, true], line.join(" "));
  }
  for (const line of [["run", "--help-all"], ["help", "run", "--help-all"]]) {
    assert.deepEqual([read(...line).about, read(...line).whole], ["run", true], line.join(" "));
  }
  assert.equal(read("run", "--help").whole, undefined);
});

/** Options of axes as they were given, by name. */
const axesGiven = ({ given }: Pick<CommandLine, "given">): Map<string, string> =>
  new Map(given.flatMap(([name, value]) => isOfAxis(name) ? [[name, String(value)]] : []));

test("options of axes are taken by commands that measure, serve or build, and by no other", () => {
  for (const command of COMMANDS as readonly Command[]) {
    const line = [...command.name.split(" "), "--way-how=a/b"];
    if (command.axes === null || command.axes === "runtime") {
      const takers = ["all", "run", "latency", "run --pair", "bisect", "explain", "serve"].map((name) =>
        `"bench ${name}"`
      );
      assert.equal(refusal(...line).hint, `${takers.join(", ")} do`);
    } else assert.deepEqual([...axesGiven({ given: given(...line) })], [["way-how", "a/b"]], command.name);
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

const suiteOf = (...names: string[]) => ({ ...oddSuite, axes: names.map((name) => ({ ...oddSuite.axes[0]!, name })) });
/** The driver's options and those of axes. */
const MILLS: readonly Option[] = optionTable([
  { suite: suiteOf("engine", "load", "größe-2"), module: null },
  { suite: suiteOf("engine", "sails"), module: null },
]);

/** The outcome of a command line: the command and every option, or the error that a user sees. */
function outcomeOf(line: readonly string[]): Record<string, unknown> {
  try {
    const parsed = parseLine(line), { given } = parsed;
    const { command, about, words } = readLine(parsed, MILLS);
    const axes = [...axesGiven({ given })];
    const taken = given.filter(([name], n) =>
      !axes.some(([axis]) => axis === name) && given.findIndex(([each]) => each === name) === n
    );
    const options = taken.map(([name, value]) => [name, value === true ? undefined : value]);
    return { command, about, words, options, axes };
  } catch (error) {
    assert.ok(error instanceof BenchError, String(error));
    return { message: error.message };
  }
}

const run = (words: string[], options: [string, string | undefined][], axes: [string, string][] = []) => ({
  ...{ command: "run", about: undefined, words, options, axes },
});
const refused = (message: string) => ({ message });
const help = (about?: string) => ({ command: "help", about });

/** Command lines, and what is expected of them. */
const LINES: [line: string[], expected: Record<string, unknown>][] = [
  [[], help()],
  [["run"], run([], [])],
  [["run", "mills", "--json"], run(["mills"], [["json", undefined]])],
  [["run", "--json", "mills"], run(["mills"], [["json", undefined]])],
  [["run", "--rounds", "3"], run([], [["rounds", "3"]])],
  [["run", "--rounds=3"], run([], [["rounds", "3"]])],
  [["run", "--seed", "007"], run([], [["seed", "007"]])],
  [["run", "--load", "1_000"], run([], [], [["load", "1_000"]])],
  [["run", "--engine=a=b"], run([], [], [["engine", "a=b"]])],
  [["run", "--engine", 'x y, "z" <b>'], run([], [], [["engine", 'x y, "z" <b>']])],
  [["run", "--größe-2", "a/b,ü"], run([], [], [["größe-2", "a/b,ü"]])],
  [["run", "--load", "a,b", "--json", "--sails=c"], run([], [["json", undefined]], [["load", "a,b"], ["sails", "c"]])],
  [["run", "--load", "-1"], run([], [], [["load", "-1"]])],
  [["run", "--load=-1"], run([], [], [["load", "-1"]])],
  [["run", "--load"], refused("--load needs a value")],
  [["run", "--load", "1", "--load", "2"], refused("--load is given 2 times")],
  [["run", "--results", "a b"], run([], [["results", "a b"]])],
  [["run", "--", "mills"], run(["mills"], [])],
  [["run", "--json", "--json"], run([], [["json", undefined]])],
  [["run", "1e3"], run(["1e3"], [])],
  [["run", "--rounds", "--json"], refused("--rounds needs a value")],
  [["run", "--rounds", "--", "3"], refused("--rounds needs a value")],
  [["run", "--json=false"], refused("--json takes no value")],
  [["run", "--no-json"], refused('unknown option "--no-json"')],
  [["run", "-x"], refused('unknown option "-x"')],
  [["run", "mills", "more"], refused('"bench run" has no use for "more"')],
  [["-h"], help()],
  [["--help"], help()],
  [["help"], help()],
  [["help", "run"], help("run")],
  [["run", "-h"], help("run")],
  [["run", "--help"], help("run")],
  [["run", "mills", "-h"], { ...help("run"), words: ["mills"] }],
  [["help", "run", "mills"], { ...help("run"), words: ["mills"] }],
  [["help", "rnu"], refused('unknown command "rnu"')],
  [["-V"], { command: "version" }],
  [["--version"], { command: "version" }],
  [["list", "-V"], { command: "version" }],
];

test("command lines are read as they are meant", () => {
  for (const [line, expected] of LINES) {
    const outcome = outcomeOf(line);
    const part = Object.fromEntries(Object.keys(expected).map((key) => [key, outcome[key]]));
    assert.deepEqual(part, expected, `bench ${line.join(" ")}`);
  }
});

test("options are told in the order they were given, with their values", () => {
  const line = ["run", "--request", "GET /", "--body", "@a", "--request=POST /", "--json", "--header", "a: b"];
  const given = [["request", "GET /"], ["body", "@a"], ["request", "POST /"], ["json", true], ["header", "a: b"]];
  assert.deepEqual(parseLine(line).given, given);
  const cut = parseLine(["--request", "--body", "x", "--", "--header", "y"]);
  assert.deepEqual(cut.given, [["request", ""], ["body", "x"]]);
});

test("an option that no driver's row names has a value, before its suite is known; a mistyped one hides no command", () => {
  assert.deepEqual(parseLine(["--anything", "5", "run", "-x", "users"]), {
    words: ["run", "users"],
    given: [["anything", "5"], ["x", true]],
  });
  assert.throws(() => read("--cell", "run"), { message: 'unknown option "--cell"' });
  assert.throws(() => read("--roundz", "run"), { hint: 'did you mean "--rounds"?' });
});

test("two axes of one option, or one that bench has itself, are refused by name", () => {
  const named = (...names: string[]) => ({
    ...oddSuite,
    axes: names.map((name) => ({ ...oddSuite.axes[3]!, name })),
    probe: {},
  });
  const refused = (names: string[], message: RegExp) =>
    assert.throws(
      () => optionTable([{ suite: named(...names), module: null }]),
      (error) => error instanceof BenchError && message.test(error.message),
    );
  refused(["data seed", "dataSeed"], /^suite "odd": axis "dataSeed" would be --data-seed, which is axis "data seed"$/);
  refused(["rounds"], /axis "rounds" would be --rounds, which is an option of bench/);
  refused(["H"], /axis "H" would be --h/);
  refused(["/?"], /axis "\/\?" would be --, which is no option/);
});
