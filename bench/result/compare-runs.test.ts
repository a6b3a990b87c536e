import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeRun } from "../../tests/fixtures/derived-run.ts";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { type ComparedRun, compareRuns } from "./compare-runs.ts";

const small = { runtimes: ["deno", "bun"], stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] };
/** Runs of one thing, each a little faster or slower than the other. */
const runs = (name: string, speeds: readonly number[], change: object = {}): ComparedRun[] =>
  speeds.map((speed, n) => wholeRun(makeFixture({ ...small, run: `${name}${n}`, speed, ...change })));
const before = runs("a", [1, 1.01, 0.99, 1.005]);

test("single runs show rates and ratios, and no cell gets a verdict", () => {
  const { paired, delta, cells } = compareRuns(before[0]!, runs("b", [0.8])[0]!);
  assert.deepEqual([paired, delta, cells.length], [false, null, 8]);
  for (const { over, under, ratio, comparison } of cells) {
    assert.ok(over !== null && under !== null && ratio !== null && Math.abs(ratio - 0.8) < 0.01, `${ratio}`);
    assert.ok(Math.abs(ratio - over / under) < 1e-9, "a reader divides the rates beside it");
    assert.ok(comparison.verdict === "no-verdict" && comparison.marks[0]!.code === "single-runs");
  }
});

test("several runs a fifth slower are proven slower, and several of the same are not", () => {
  const slower = compareRuns(before, runs("b", [0.8, 0.81, 0.79, 0.805]));
  const judged = slower.cells.filter(({ comparison }) => comparison.verdict !== "no-verdict");
  assert.ok(judged.length >= 7, `${judged.length} of 8`);
  for (const { cell, ratio, comparison } of judged) {
    assert.ok(comparison.verdict === "slower" && comparison.rounds === 4, cell);
    assert.ok(Math.abs(ratio! - 0.8) < 0.01 && ratio === comparison.ratio, cell);
  }
  const again = compareRuns(before, runs("b", [1.005, 0.992, 1.008, 1]));
  assert.ok(
    again.cells.every(({ comparison: { verdict } }) => verdict !== "faster" && verdict !== "slower"),
    JSON.stringify(again.cells[0]),
  );
  assert.deepEqual(again.environment, []);
});

test("a side with too few runs gives no verdict, and says how many it takes", () => {
  for (const few of [[0.8], [0.8, 0.81]]) {
    const [cell] = compareRuns(before, runs("b", few)).cells;
    assert.ok(cell!.comparison.verdict === "no-verdict");
    assert.match(cell!.comparison.marks[0]!.text, new RegExp(`^${few.length} of the \\d runs a side`));
  }
});

test("what one run of a side lacks is not compared but named", () => {
  const fewer = [...runs("b", [0.8, 0.81]), ...runs("c", [0.79], { sizes: [10_000] })];
  const { cells, onlyOver, onlyUnder } = compareRuns(before, fewer);
  assert.ok(cells.every(({ point }) => point.at["size"] === 10_000) && cells.length === 4);
  assert.deepEqual([onlyUnder.length, onlyOver.length], [4, 0]);
});

test("when the ceiling moved between the sides, differences that small are not believed", () => {
  const after = [0.9, 0.91, 0.89, 0.905].map((speed, n) => {
    const made = makeFixture({ ...small, run: `b${n}`, speed });
    const lines = made.lines.map((line) =>
      line.kind === "ceiling"
        ? { ...line, load: { ...line.load!, requests_per_second: line.load!.requests_per_second * 0.85 } }
        : line
    );
    return wholeRun({ ...made, lines });
  });
  const { delta, cells } = compareRuns(before, after);
  assert.ok(delta! > 0.15, `${delta}`);
  assert.ok(cells.every(({ comparison: { verdict } }) => verdict !== "faster" && verdict !== "slower"));
});

test("cells the generator limited are not judged across runs either", () => {
  const after = [0.8, 0.81, 0.79].map((speed, n) => {
    const made = makeFixture({ ...small, run: `b${n}`, speed });
    const lines = made.lines.map((line) => line.kind === "solo" ? { ...line, bound: "generator" as const } : line);
    return wholeRun({ ...made, lines });
  });
  for (const { comparison } of compareRuns(before, after).cells) assert.equal(comparison.verdict, "no-verdict");
});

test("only two labels of one run are paired", () => {
  const one = before[0]!, other = { ...one, label: "other" };
  const paired = (under: Parameters<typeof compareRuns>[0], over: typeof under) => compareRuns(under, over).paired;
  assert.deepEqual(
    [paired(one, other), paired([one], [other]), paired(one, before[1]!), paired([one, before[1]!], [other])],
    [true, true, false, false],
  );
});

test("names that hold anything at all keep their cells apart", () => {
  const odd = [1, 1.01, 0.99].map((speed, n) => wholeRun(makeOddFixture({ run: `odd${n}`, speed })));
  const { cells } = compareRuns(
    odd,
    [1.02, 1, 0.995].map((speed, n) => wholeRun(makeOddFixture({ run: `x${n}`, speed }))),
  );
  assert.equal(new Set(cells.map(({ cell }) => cell)).size, cells.length);
});
