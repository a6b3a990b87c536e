import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { countAxis, runtimeAxis, wordAxis } from "../../suites/axes.ts";
import type { Suite } from "../../suites/suite.ts";
import { type Args, argsOf } from "./args.ts";
import { optionTable } from "./option-table.ts";
import { parseLine } from "./read-line.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { cellFrom, oneValueEach, readValues, valuesFrom } from "./axis-values.ts";
import { candidateSuites, chosenSuite } from "./suites.ts";

const ODD = fileURLToPath(new URL("../../tests/fixtures/odd-suite.ts", import.meta.url));

const mills: Suite = {
  ...oddSuite,
  name: "mills",
  axes: [
    wordAxis({ name: "engine", title: "Engine", help: "what drives", values: ["steam", "water"], others: ["wind"] }),
    runtimeAxis,
    countAxis({ name: "topLoad", title: "Load", help: "kg, up to 1m", values: [1_000], least: 1, most: 1e6 }),
    countAxis({ name: "hands", title: "Hands", help: "how many", values: [5], least: 1, most: 50 }),
  ],
};
const loaded = { suite: mills, module: null };
const table = optionTable([loaded, { suite: oddSuite, module: ODD }]);
const args = (...line: string[]): Args => argsOf(parseLine(line), null, table, []);

function refusal(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    assert.ok(error instanceof BenchError && error.exit === EXIT.usage, String(error));
    assert.ok(error.hint !== undefined);
    return `${error.message} · ${error.hint}`;
  }
  throw new Error("it was not refused");
}

test("values of options are read by the axis they belong to", () => {
  const given = valuesFrom(args("run", "mills", "--engine", "wind, steam", "--top-load=10k,5"), mills);
  assert.deepEqual(given, { engine: ["wind", "steam"], topLoad: [10_000, 5] });
});

test("a value may hold commas, and is still told from two values", () => {
  const axis = oddSuite.axes[0]!;
  assert.deepEqual(readValues(oddSuite, axis, 'a/b,x y, "z" <b>,a/b'.split(",")), ["a/b", 'x y, "z" <b>', "a/b"]);
  assert.deepEqual(readValues(mills, runtimeAxis, ["node=/opt/node", "bun"]), ["node=/opt/node", "bun"]);
  assert.deepEqual(readValues(mills, runtimeAxis, ["bun@1.2.10", "1.2.19", "1.3..1.4", "node"]), [
    ...["bun@1.2.10", "bun@1.2.19", "bun@1.3..1.4", "node"],
  ]);
  assert.throws(() => readValues(mills, runtimeAxis, ["bun", "1.2.19"]), /has no value "1\.2\.19"/);
});

test("what is no value is refused by suite, axis and value, with what there is", () => {
  const told = (...line: string[]) => refusal(() => valuesFrom(args("run", "mills", ...line), mills));
  assert.equal(
    told("--engine", "petrol"),
    'suite "mills": axis "engine" has no value "petrol" · known are steam, water, wind',
  );
  assert.equal(
    told("--engine", "staem,wind"),
    'suite "mills": axis "engine" has no value "staem" · did you mean "steam"?',
  );
  assert.equal(
    told("--top-load", "5,,6"),
    'suite "mills": axis "topLoad" has no value "" · --top-load: kg, up to 1m, such as 1k',
  );
  assert.match(told("--runtime", "nod"), /axis "runtime" has no value "nod" · did you mean "node"\?/);
});

test("a command for one point takes one value of each axis", () => {
  assert.deepEqual(oneValueEach(args("serve", "mills", "--engine", "wind"), mills), { engine: "wind" });
  assert.match(
    refusal(() => oneValueEach(args("serve", "--engine", "wind,steam"), mills)),
    /serves one point, --engine names 2/,
  );
});

test("the parts of a cell go to the first axis that knows them, or to the one they name", () => {
  const cell = (text: string) => cellFrom(loaded, text);
  assert.deepEqual(cell("steam/bun/10k"), { engine: "steam", runtime: "bun", topLoad: 10_000 });
  assert.deepEqual(cell("5/5"), { topLoad: 5, hands: 5 });
  assert.deepEqual(cell("hands=5/node@24.21.0/top-load=5"), { hands: 5, runtime: "node@24.21.0", topLoad: 5 });
  assert.deepEqual(cell("runtime=node=%2Fopt%2Fa b%2Fnode"), { runtime: "node=/opt/a b/node" });
  const odd = cellFrom({ suite: oddSuite, module: ODD }, 'way-how=x y, "z" <b>/items-page=100/so %2F so');
  assert.deepEqual(odd, { "way / how": 'x y, "z" <b>', "items / page": 100, "engine room": "so / so" });
});

test("a part that no axis knows, or an axis named twice, is refused by name", () => {
  const told = (text: string) => refusal(() => cellFrom(loaded, text));
  assert.match(
    told("steam/bnu"),
    /^suite "mills": "bnu" of "steam\/bnu" is no value of runtime, topLoad, hands · did you mean "bun"\?$/,
  );
  assert.match(told("steam/petrol"), /"petrol" .* · bench list mills has the values; .* %2F$/);
  assert.match(told("engine=petrol"), /axis "engine" has no value "petrol" · known are steam, water, wind/);
  assert.match(told("engine=wind/engine=steam"), /two values of axis "engine"/);
});

test("a file with a suite is found in the line before it is read, and is the suite that is meant", async () => {
  const registered = (await candidateSuites(parseLine(["run"]))).length;
  for (const text of ["run ODD", "run --json ODD --way-how a/b", "help run ODD", "run --pair ODD a b"]) {
    const line = text.split(" ").map((word) => word === "ODD" ? ODD : word);
    const suites = await candidateSuites(parseLine(line));
    assert.deepEqual([suites.length, suites[0]!.suite], [registered + 1, oddSuite], line.join(" "));
  }
  for (const line of [["run", "--plan", ODD], ["run", "--results", ODD]]) {
    assert.equal((await candidateSuites(parseLine(line))).length, registered, line.join(" "));
  }
  for (const line of [[], ["help"], ["verify", ODD]]) {
    assert.deepEqual(await candidateSuites(parseLine(line)), [], line.join(" "));
  }
  const suites = await candidateSuites(parseLine(["run", ODD]));
  assert.equal(chosenSuite(args("run", ODD), suites).suite, oddSuite);
  assert.equal(chosenSuite(args("run"), suites).module, null);
});

test("an option of another suite's axis is refused by suite and option", () => {
  const suites = [{ suite: oddSuite, module: ODD }, loaded];
  assert.match(
    refusal(() => chosenSuite(args("run", ODD, "--engine", "wind"), suites)),
    /^suite "odd" has no axis for --engine · its axes are --way-how, --engine-room, --items-page, --mood$/,
  );
  assert.match(
    refusal(() => chosenSuite(args("run", "mils"), suites)),
    /unknown suite "mils" · did you mean "mills"\?/,
  );
});
