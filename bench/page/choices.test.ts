import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture, ODD } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { choicesOf, chosenBy } from "./choices.ts";
import { pageData } from "./shown-run.ts";

const odd = pageData([filesOf(makeOddFixture({ rounds: 1 }))]);

test("each axis with several values is a filter, those of all runs together", () => {
  const { filters } = choicesOf(odd);
  const titleOf = (axis: string) => odd.runs[0]!.run.plan.axes.find(({ name }) => name === axis)!.title;
  assert.deepEqual(filters.map(({ field, title, texts }) => [field, title, texts.length]), [
    ["axis1", titleOf(ODD.engine), 2],
    ["axis2", titleOf(ODD.way), 2],
    ["axis3", titleOf(ODD.page), 3],
  ]);
  const small = (change: object) => filesOf(makeFixture({ rounds: 1, stores: ["map"], sizes: [10_000], ...change }));
  const { filters: both } = choicesOf(pageData([small({}), small({ runtimes: ["node"], sizes: [20_000], run: "b" })]));
  assert.deepEqual(both.map(({ title, texts }) => [title, ...texts]), [
    ["Runtime", "node", "deno", "bun"],
    ["Size", "10k", "20k"],
  ]);
});

test("a cell has the place of its value in each filter, and none on an axis that its suite lacks", () => {
  const choices = choicesOf(odd);
  const { cells, run } = odd.runs[0]!;
  for (const card of cells) {
    const chosen = Object.fromEntries(chosenBy(choices, card));
    for (const [n, name] of [ODD.engine, ODD.way, ODD.page].entries()) {
      const { values } = run.plan.axes.find((axis) => axis.name === name)!;
      assert.equal(
        chosen[`axis${n + 1}`],
        String(1 + values.findIndex(({ value }) => value === card.cell.point.at[name])),
      );
    }
  }
  const other = { ...cells[0]!, cell: { point: { suite: "other", at: {} }, label: "main" } };
  assert.ok(chosenBy(choices, other).every(([field]) => !/^(axis|trait)/.test(field)));
});

test("needs are what values promise, what the suite warns of, and figures in the units of their fields", () => {
  const { runs, comparisons } = pageData([filesOf(makeFixture({ rounds: 1 }))]);
  const [{ cells, run }] = runs as [(typeof runs)[number]];
  const axes = run.plan.axes.map((axis) =>
    axis.name !== "store" ? axis : {
      ...axis,
      values: axis.values.map((value) => ({
        ...value,
        facts: value.text === "map" ? { durability: "memory", caveat: "forgets" } : { durability: "buffered" },
      })),
    }
  );
  const choices = choicesOf({ runs: [{ ...runs[0]!, run: { ...run, plan: { ...run.plan, axes } } }] });
  assert.deepEqual(comparisons, []);
  assert.deepEqual(choices.traits.map(({ field, title, texts }) => [field, title, texts.toSorted()]), [
    ["trait1", "Store, durability", ["buffered", "memory"]],
    ["trait2", "Store, warnings", ["map forgets", "none"]],
  ]);
  for (const card of cells) {
    const chosen = Object.fromEntries(chosenBy(choices, card));
    const isMap = card.cell.point.at["store"] === "map";
    assert.equal(choices.traits[0]!.texts[Number(chosen["trait1"]) - 1], isMap ? "memory" : "buffered");
    assert.equal(chosen["trait2"], isMap ? "2" : "1");
    assert.equal(chosen["memory_mib"], String(card.peak_rss_bytes === null ? "" : card.peak_rss_bytes / 2 ** 20));
  }
  const [unread] = cells.map((card) => ({ ...card, p99_us: null }));
  assert.equal(Object.fromEntries(chosenBy(choices, unread!))["p99_ms"], "");
  const without = cells.map((card) => ({ ...card, startup_ms: null }));
  const fields = choicesOf({ runs: [{ ...runs[0]!, cells: without }] }).limits.map(({ field }) => field);
  assert.deepEqual(fields, ["memory_mib", "p99_ms"], "a limit on what no cell has is not offered");
});
