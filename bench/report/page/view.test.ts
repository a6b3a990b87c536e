import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture, ODD } from "../../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../../tests/fixtures/run-files.ts";
import { pageData } from "../shown-run.ts";
import { filtersOf, fullView, shows, viewFromHash, viewToHash } from "./view.ts";

const odd = pageData([filesOf(makeOddFixture({ rounds: 1 }))]);
const filters = filtersOf(odd);

test("each axis with several values is a filter, those of all runs together", () => {
  assert.deepEqual(filters.map(({ axis, values }) => [axis, values.length]), [[ODD.engine, 2], [ODD.way, 2], [
    ODD.page,
    3,
  ]]);
  const small = (change: object) => filesOf(makeFixture({ rounds: 1, stores: ["map"], sizes: [10_000], ...change }));
  const both = filtersOf(pageData([small({}), small({ runtimes: ["node"], sizes: [20_000], run: "b" })]));
  assert.deepEqual(both.map(({ axis, values }) => [axis, ...values.map(({ text }) => text)]), [
    ["runtime", "node", "deno", "bun"],
    ["size", "10k", "20k"],
  ]);
});

test("a view stands in a link whatever names are like, and is read back", () => {
  const full = fullView(filters);
  assert.equal(viewToHash(full), "");
  const view = {
    ...full,
    metric: "p99_us" as const,
    chosen: [[0], null, [0, 2]],
    cell: odd.runs[0]!.cells[0]!.name,
  };
  assert.match(viewToHash(view), /^metric=p99_us&axis1=1&axis3=1,3&cell=/);
  assert.deepEqual(viewFromHash(`#${viewToHash(view)}`, 1, filters), view);
  assert.deepEqual(viewFromHash("#run=9&metric=x&axis1=0,7,no&axis9=1", 1, filters), {
    ...full,
    chosen: [[], null, null],
  });
});

test("a view shows the cells of its values, and those of suites without the axis", () => {
  const view = { ...fullView(filters), chosen: [[1], null, [0]] };
  const { cells } = odd.runs[0]!;
  const shown = cells.filter((card) => shows(view, filters, card));
  assert.ok(shown.length > 0 && shown.length < cells.length);
  const [engine, , page] = filters;
  for (const { cell: { point: { at } } } of shown) {
    assert.deepEqual([at[ODD.engine], at[ODD.page]], [engine!.values[1]!.value, page!.values[0]!.value]);
  }
  assert.ok(shows(view, filters, { cell: { point: { suite: "other", at: {} }, label: "main" } }));
});
