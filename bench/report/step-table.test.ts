import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { madeUpVerdict } from "../../tests/fixtures/made-up-verdicts.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import type { Summary } from "../record/summary.ts";
import { stepTables } from "./step-table.ts";
import { markdownFile, tablesMarkdown } from "./markdown.ts";
import { tablesText } from "./table.ts";
import { styleFor } from "./style.ts";

const options = { style: styleFor(false, {}), columns: Infinity };
const { summary } = filesOf(makeOddFixture());

test("steps of one name are one table: where, what, how much, and over the step before and the first", () => {
  const [table] = stepTables(summary);
  assert.deepEqual(table!.heads, ["at", "step", "rows/s", "over the one before", "over the first"]);
  const [first, second] = summary.steps[0]!.rows;
  const [low, high] = second!.over_first_interval!;
  assert.ok(low < second!.over_first! && second!.over_first! < high && high - low < 0.2);
  const ratio = `${second!.over_first!.toFixed(2)}× (${low.toFixed(2)} to ${high.toFixed(2)})`;
  assert.deepEqual(table!.rows.slice(0, 2).map(([, step, , ...ratios]) => [step, ...ratios]), [
    [first!.text, "–", "–"],
    [second!.text, ratio, ratio],
  ]);
  const ofMessages = stepTables({ ...summary, steps: [{ ...summary.steps[0]!, ...METRIC }] }, { unit: "message" });
  assert.equal(ofMessages[0]!.heads[2], "CPU per message");
  assert.deepEqual(ratiosOf({ value: null, over_previous: null, over_first: null }), undefined);
});

/** The ratios of a second step as the table has them. */
function ratiosOf(change: Partial<Summary["steps"][number]["rows"][number]>, families: Families = []) {
  const { over_first_interval: _, over_previous_interval: __, ...second } = summary.steps[0]!.rows[1]!;
  const rows = [summary.steps[0]!.rows[0]!, { ...second, ...change }];
  return stepTables({ steps: [{ ...summary.steps[0]!, ...METRIC, rows }], families })[0]?.rows[1]?.slice(3);
}

type Families = Parameters<typeof stepTables>[0]["families"];
const METRIC = { metric: "cpu_ns_per_request" } as const;

test("a step is not said to cost less, or more, unless its rounds or a verdict say so", () => {
  const [cheaper, dearer] = [{ over_previous: 0.8, over_first: 0.8 }, { over_previous: 1.3, over_first: 1.3 }];
  assert.deepEqual(ratiosOf(cheaper), Array(2).fill("not decided, one sample"));
  assert.deepEqual(ratiosOf(dearer), Array(2).fill("1.30×, one sample"));
  assert.deepEqual(ratiosOf({ ...cheaper, over_previous_interval: [0.6, 1.1], over_first_interval: [0.7, 0.9] }), [
    "not decided (0.60 to 1.10)",
    "0.80× (0.70 to 0.90)",
  ]);
  const [first, second] = summary.steps[0]!.rows;
  const judged = (verdict: "faster" | "not-separable", ratio: number): Families => {
    const interval = { low: ratio / 1.25, high: ratio * 1.25, level: 0.95 };
    return [{ comparisons: [madeUpVerdict(first!.cell, second!.cell, ratio, { verdict, interval })] }];
  };
  assert.deepEqual(ratiosOf(cheaper, judged("faster", 2)), Array(2).fill("2.00× (1.58 to 2.52)"));
  assert.deepEqual(ratiosOf(dearer, judged("not-separable", 1.1)), Array(2).fill("not decided (0.87 to 1.39)"));
});

test("a terminal and Markdown get the same rows, kept on their lines", () => {
  const rows = summary.steps.reduce((sum, steps) => sum + steps.rows.length, 0);
  const text = tablesText(stepTables(summary), options);
  assert.equal(
    text.split("\n").filter((line) => /^ {2}\S.* {2}(–|\S+× \(\S+ to \S+\))$/.test(line)).length,
    rows,
    text,
  );
  const markdown = markdownFile(tablesMarkdown(stepTables(summary)));
  assert.equal(
    markdown.split("\n").filter((line) => line.startsWith("| ")).length,
    rows + 2 * new Set(summary.steps.map(({ name }) => name)).size,
  );
  assert.doesNotMatch(markdown, /<(script|b)>|\t/);
  assert.equal(tablesText(stepTables({ steps: [], families: [] }), options), "");
});

test("a place is told by what tells it from others", () => {
  const [steps] = summary.steps;
  const placed = (...titles: string[]) =>
    stepTables({ steps: titles.map((title) => ({ ...steps!, title })), families: [] })[0]!.rows.map(([at]) => at);
  const rows = steps!.rows.length;
  const times = (text: string) => Array<string>(rows).fill(text);
  assert.deepEqual(placed("insert, node, cached", "insert, bun, cached"), [...times("node"), ...times("bun")]);
  assert.deepEqual(placed("insert, node"), times("insert, node"));
  assert.deepEqual(placed("insert, node", "insert"), [...times("insert, node"), ...times("insert")]);
});
