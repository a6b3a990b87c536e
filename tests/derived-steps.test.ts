/** Tables of steps, as runs publish them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeCellCards } from "../bench/result/cell-card.ts";
import { makeOddFixture, ODD } from "./fixtures/made-up-run.ts";
import { changed, valueOf, wholeRun } from "./fixtures/derived-run.ts";

test("steps are a table for each place, in their own order, with ratios to the step before and to the first", () => {
  const { summary } = wholeRun(makeOddFixture());
  const pages = summary.steps.filter(({ name }) => name === "what each item / page costs");
  assert.deepEqual(pages.map(({ rows }) => rows.map(({ text }) => text).join()), [
    "1,10,100",
    "1,10,100",
    "1,10,100",
    "1,10,100",
  ]);
  const [first] = pages;
  // Rows grow by the square root of ten from step to step; rounds are noisy by some percent.
  const near = (seen: readonly (number | null)[], expected: readonly number[]) => {
    assert.equal(seen[0], null);
    expected.forEach((value, n) =>
      assert.ok(Math.abs(seen[n + 1]! / value - 1) < 0.03, `${seen[n + 1]}, not ${value}`)
    );
  };
  near(first!.rows.map(({ over_first }) => over_first), [10 ** 0.5, 10]);
  near(first!.rows.map(({ over_previous }) => over_previous), [10 ** 0.5, 10 ** 0.5]);
  // A point that cannot be stands in its table without a figure, under the name its card has.
  const without = pages.flatMap(({ rows }) => rows).filter(({ value }) => value === null);
  const cards = makeCellCards(makeOddFixture().run, makeOddFixture().lines);
  assert.equal(without.length, 2);
  for (const { cell, over_first } of without) {
    assert.equal(over_first, null);
    assert.equal(cards.find((card) => card.name === cell)?.status, "unsupported");
  }
  assert.equal(summary.steps.filter(({ name }) => name === "ways").length, 3);
});

test("the ratio of a step is the mean of its rounds, in its interval, where the machine changes its speed", () => {
  // Medians of each side are of the two middle rounds, in which alone one is better by a tenth.
  const made = changed(makeOddFixture(), (line) => {
    if (line.kind !== "solo" || line.load === null) return line;
    const better = valueOf(line, ODD.page) !== 1 && (line.round === 2 || line.round === 3) ? 1.1 : 1;
    line.load.requests_per_second = better * 2 ** line.round * 1_000;
    return line;
  });
  const rows = wholeRun(made).summary.steps.find(({ name }) => name === "what each item / page costs")!.rows.slice(1);
  assert.ok(rows.length > 0);
  for (const { over_first: ratio, over_first_interval: [low, high] = [0, 0] } of rows) {
    assert.ok(ratio! > low && ratio! < high, `${ratio} is not in ${low} to ${high}`);
  }
});
