import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRuns } from "../result/compare-runs.ts";
import { SINGLE_RUNS } from "../result/open-comparisons.ts";
import { wholeRun } from "../../tests/fixtures/derived-run.ts";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { comparisonMarkdown, comparisonTable } from "./comparison-table.ts";
import { styleFor } from "./style.ts";

const side = (change: object) => wholeRun(makeOddFixture(change));
const several = (name: string, speeds: readonly number[]) =>
  speeds.map((speed, n) => side({ run: `${name}${n}`, speed }));
const comparison = compareRuns(several("a", [1, 1.01, 0.99, 1]), several("b", [0.7, 0.71, 0.69, 0.705]));

/** The rows of a comparison in a terminal. */
function rowsOf(text: string): string[] {
  const lines = text.split("\n");
  const head = lines.findIndex((line) => /^cell +A rate +B rate +B \/ A +interval +verdict$/.test(line));
  return lines.slice(head + 1).filter((line) => line !== "");
}

test("a comparison names each cell once, with rates, change and verdict under each other, odd names or not", () => {
  const rows = rowsOf(comparisonTable(["a", "b"], comparison, { style: styleFor(false, {}), columns: Infinity }));
  assert.equal(rows.length, comparison.cells.length);
  const measured = rows.filter((row) => !row.includes("no verdict"));
  assert.ok(
    measured.length > 8 && measured.every((row) => / −\d\d\.\d % +\[−.*\] {2}slower$/.test(row)),
    rows.join("\n"),
  );
});

test("single runs have one sentence in place of a row for each cell: what changed, why that is no verdict, what to do", () => {
  const single = compareRuns(side({}), side({ run: "later", speed: 0.7 }));
  const text = comparisonTable(["a", "b"], single, { style: styleFor(false, {}), columns: Infinity });
  assert.equal(text.split(SINGLE_RUNS).length, 2);
  assert.match(
    text,
    /^B against A: no verdict on \d+ cells, as rounds of one run are not runs.*typically B is 0\.70 × A/m,
  );
  assert.doesNotMatch(text, /interval|undecided/);
  for (const { cell } of single.cells) assert.ok(!text.includes(cell), cell);
});

test("runs of unlike CPUs are told as such first, then what each of them found, and their rates stand nowhere", () => {
  const elsewhere = side({ run: "elsewhere", speed: 0.7 });
  const { run } = elsewhere;
  const other = { ...elsewhere, run: { ...run, machine: { ...run.machine, cpu_kind: "other-1-2" } } };
  const apart = compareRuns(side({}), other);
  const text = comparisonTable(["a", "b"], apart, { style: styleFor(false, {}), columns: Infinity });
  assert.match(text.split("\n")[1]!, /^A and B ran on unlike CPUs \(.*other-1-2\): their rates are not compared/);
  assert.ok(text.includes(apart.across!.sentence));
  const markdown = comparisonMarkdown(["a", "b"], apart);
  assert.match(markdown, /the same on/);
  for (const shown of [text, markdown]) assert.doesNotMatch(shown, /req\/s|typically|not believed/);
});
