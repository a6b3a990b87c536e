import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { stepTables } from "./step-table.ts";
import { tablesMarkdown, tablesText } from "./table.ts";
import { styleFor } from "./style.ts";

const wish = { style: styleFor(false, {}), columns: Infinity };
const { summary } = filesOf(makeOddFixture());

test("steps of one name are one table: where, what, how much, and over the step before and the first", () => {
  const [table] = stepTables(summary);
  assert.deepEqual(table!.heads, ["at", "step", "rows/s", "over the one before", "over the first"]);
  const [first, second] = summary.steps[0]!.rows;
  const [low, high] = second!.over_first_interval!;
  assert.ok(low < second!.over_first! && second!.over_first! < high && high - low < 0.2);
  const ends = `(${low.toFixed(2)} to ${high.toFixed(2)})`;
  assert.deepEqual(table!.rows.slice(0, 2).map(([, step, , ...ratios]) => [step, ...ratios]), [
    [first!.text, "–", "–"],
    [second!.text, `${second!.over_previous!.toFixed(2)}×`, `${second!.over_first!.toFixed(2)}× ${ends}`],
  ]);
  assert.deepEqual(stepTables({ steps: [{ ...summary.steps[0]!, rows: [first!, { ...second!, value: null }] }] }), []);
  const { over_first_interval: _, ...once } = second!;
  const [single] = stepTables({ steps: [{ ...summary.steps[0]!, rows: [first!, once] }] });
  assert.equal(single!.rows[1]!.at(-1), `${second!.over_first!.toFixed(2)}×`);
});

test("a terminal and Markdown get the same rows, kept on their lines", () => {
  const rows = summary.steps.reduce((sum, steps) => sum + steps.rows.length, 0);
  const text = tablesText(stepTables(summary), wish);
  assert.equal(
    text.split("\n").filter((line) => /^ {2}\S.* {2}(–|\S+× \(\S+ to \S+\))$/.test(line)).length,
    rows,
    text,
  );
  const markdown = tablesMarkdown(stepTables(summary));
  assert.equal(
    markdown.filter((line) => line.startsWith("| ")).length,
    rows + 2 * new Set(summary.steps.map(({ name }) => name)).size,
  );
  assert.doesNotMatch(markdown.join("\n"), /<(script|b)>|\t/);
  assert.equal(tablesText(stepTables({ steps: [] }), wish), "");
});

test("a place is told by what tells it from others", () => {
  const [steps] = summary.steps;
  const placed = (...titles: string[]) =>
    stepTables({ steps: titles.map((title) => ({ ...steps!, title })) })[0]!.rows.map(([at]) => at);
  const rows = steps!.rows.length;
  const times = (text: string) => Array<string>(rows).fill(text);
  assert.deepEqual(placed("insert, node, cached", "insert, bun, cached"), [...times("node"), ...times("bun")]);
  assert.deepEqual(placed("insert, node"), times("insert, node"));
  assert.deepEqual(placed("insert, node", "insert"), [...times("insert, node"), ...times("insert")]);
});
