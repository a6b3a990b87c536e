import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError } from "../basics/errors.ts";
import { type Option, OPTIONS, optionTable } from "./options.ts";
import { type ArgsParser, givenInOrder, loadParser, nodeParser, stdParser } from "./parser.ts";
import { readArgs } from "./read-args.ts";

/** @std/cli comes from JSR, which may be out of reach; then one parser is left and there is nothing to compare. */
const std = await import("@std/cli/parse-args").then(({ parseArgs }) => stdParser(parseArgs), (error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
});

const axisOption = (
  name: string,
) => ({ name, axis: name, title: name, role: "contrast", help: "", defaults: [], probe: "" } as const);
/** The driver's own options and those of axes. */
const TABLE: readonly Option[] = optionTable([
  { suite: "mills", title: "", options: ["engine", "load", "größe-2"].map(axisOption) },
  { suite: "ships", title: "", options: ["engine", "sails"].map(axisOption) },
]);

/** What becomes of a command line: the command and every option, or the error a person sees. */
function outcomeOf(parser: ArgsParser, line: readonly string[]): unknown {
  try {
    const args = readArgs(parser.parse(line, TABLE), TABLE);
    const options = OPTIONS.filter(({ name }) => args.has(name)).map(({ name }) => [name, args.value(name)]);
    return { command: args.command, about: args.about, words: args.words, options, axes: [...args.axes] };
  } catch (error) {
    assert.ok(error instanceof BenchError, String(error));
    return { message: error.message, hint: error.hint, exit: error.exit };
  }
}

const run = (words: string[], options: [string, string | undefined][], axes: [string, string][] = []) => ({
  command: "run",
  about: undefined,
  words,
  options,
  axes,
});
const refused = (message: string) => ({ message });
const help = (about?: string) => ({ command: "help", about });

/** Command lines, and what is expected of either parser. */
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
  [["verify", "--load", "1"], refused('"bench verify" takes no --load')],
  [["run", "--results", "a b"], run([], [["results", "a b"]])],
  [["run", "--", "mills"], run(["mills"], [])],
  [["run", "--json", "--json"], run([], [["json", undefined]])],
  [["run", "1e3"], run(["1e3"], [])],
  [["run", "--rounds"], refused("--rounds needs a value")],
  [["run", "--rounds="], refused("--rounds needs a value")],
  [["run", "--rounds", "--json"], refused("--rounds needs a value")],
  [["run", "--rounds", "--", "3"], refused("--rounds needs a value")],
  [["run", "--rounds", "3", "--rounds", "4"], refused("--rounds is given 2 times")],
  [["run", "--json=x"], refused("--json takes no value")],
  [["run", "--json=false"], refused("--json takes no value")],
  [["duet", "--rate", "1"], refused('"bench duet" takes no --rate')],
  [["run", "--ruonds", "3"], refused('unknown option "--ruonds"')],
  [["run", "--no-json"], refused('unknown option "--no-json"')],
  [["run", "-x"], refused('unknown option "-x"')],
  [["run", "mills", "more"], refused('"bench run" has no use for "more"')],
  [["rnu"], refused('unknown command "rnu"')],
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

for (const parser of [nodeParser, ...(std === undefined ? [] : [std])]) {
  test(`${parser.name} reads command lines as they are meant`, () => {
    for (const [line, expected] of LINES) {
      const outcome = outcomeOf(parser, line) as Record<string, unknown>;
      const part = Object.fromEntries(Object.keys(expected).map((key) => [key, outcome[key]]));
      assert.deepEqual(part, expected, `bench ${line.join(" ")}`);
    }
  });
}

(std === undefined ? test.skip : test)("@std/cli and node:util read every command line alike", () => {
  for (const [line] of LINES) assert.deepEqual(outcomeOf(std!, line), outcomeOf(nodeParser, line), line.join(" "));
});

test("options are told in the order they were given, with their values", () => {
  const line = ["run", "--request", "GET /", "--body", "@a", "--request=POST /", "--json", "--header", "a: b"];
  assert.deepEqual(givenInOrder(line, OPTIONS), [
    ["request", "GET /"],
    ["body", "@a"],
    ["request", "POST /"],
    ["header", "a: b"],
  ]);
  assert.deepEqual(givenInOrder(["--request", "--body", "x", "--", "--header", "y"], OPTIONS), [
    ["request", ""],
    ["body", "x"],
  ]);
});

test("the parser is @std/cli where it can be had, else node:util", async () => {
  assert.equal((await loadParser()).name, std === undefined ? "node:util" : "@std/cli");
});
