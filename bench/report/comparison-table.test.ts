import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRuns } from "../core/result/compare-runs.ts";
import { publish } from "../core/result/published.ts";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { comparisonMarkdown, comparisonTable } from "./comparison-table.ts";
import { styleFor } from "./style.ts";

const side = (change: object) => {
  const { run, lines } = makeOddFixture(change);
  return { run, lines, summary: publish(run, lines).summary, label: "main" };
};
const comparison = compareRuns(side({}), side({ run: "later", speed: 0.7 }));

test("a comparison names each cell once, with rates, change and verdict under each other, odd names or not", () => {
  const lines = comparisonTable(["a", "b"], comparison, styleFor(false, {})).split("\n");
  const head = lines.findIndex((line) => /^cell +A req\/s +B req\/s +B \/ A +interval +verdict$/.test(line));
  const rows = lines.slice(head + 1).filter((line) => line !== "");
  assert.equal(rows.length, comparison.cells.length);
  const measured = rows.filter((row) => !row.includes("no verdict"));
  assert.ok(
    measured.length > 8 && measured.every((row) => / −\d\d\.\d % +\[−.*\] {2}slower$/.test(row)),
    rows.join("\n"),
  );
});

test("as Markdown it is a table whose names stay in their places", () => {
  const text = comparisonMarkdown(["a", "b"], comparison);
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  assert.equal(rows.length, comparison.cells.length + 2);
  assert.ok(rows.every((row) => row.replaceAll("\\|", "").split("|").length === 8));
  assert.doesNotMatch(text, /<script/);
});
