import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture, ODD } from "../../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../../tests/fixtures/run-files.ts";
import { pageData } from "../shown-run.ts";
import { choicesOf, fullView, shows, showsCard, viewFromHash, viewToHash } from "./view.ts";

const odd = pageData([filesOf(makeOddFixture({ rounds: 1 }))]);
const choices = choicesOf(odd);
const { filters } = choices;

test("each axis with several values is a filter, those of all runs together", () => {
  assert.deepEqual(filters.map(({ axis, values }) => [axis, values.length]), [[ODD.engine, 2], [ODD.way, 2], [
    ODD.page,
    3,
  ]]);
  const small = (change: object) => filesOf(makeFixture({ rounds: 1, stores: ["map"], sizes: [10_000], ...change }));
  const { filters: both } = choicesOf(pageData([small({}), small({ runtimes: ["node"], sizes: [20_000], run: "b" })]));
  assert.deepEqual(both.map(({ axis, values }) => [axis, ...values.map(({ text }) => text)]), [
    ["runtime", "node", "deno", "bun"],
    ["size", "10k", "20k"],
  ]);
});

test("a view stands in a link whatever names are like, and is read back", () => {
  const full = fullView(choices);
  assert.equal(viewToHash(full), "");
  const view = {
    ...full,
    metric: "p99_us" as const,
    chosen: [[0], null, [0, 2]],
    needs: { ...full.needs, memoryBytes: 2 ** 26, noCaveat: true },
    baseline: odd.runs[0]!.cells[1]!.name,
    sort: null,
    published: true,
    cell: odd.runs[0]!.cells[0]!.name,
  };
  assert.match(viewToHash(view), /^metric=p99_us&axis1=1&axis3=1,3&memory=67108864&caveats=no&baseline=/);
  assert.deepEqual(viewFromHash(`#${viewToHash(view)}`, choices), view);
  assert.deepEqual(viewFromHash("#run=9&metric=x&axis1=0,7,no&axis9=1&memory=-3&startup=x&sort=no", choices), {
    ...full,
    chosen: [[], null, null],
  });
});

test("a view shows the cells of its values, and those of suites without the axis", () => {
  const view = { ...fullView(choices), chosen: [[1], null, [0]] };
  const { cells } = odd.runs[0]!;
  const shown = cells.filter((card) => shows(view, choices, card));
  assert.ok(shown.length > 0 && shown.length < cells.length);
  const [engine, , page] = filters;
  for (const { cell: { point: { at } } } of shown) {
    assert.deepEqual([at[ODD.engine], at[ODD.page]], [engine!.values[1]!.value, page!.values[0]!.value]);
  }
  assert.ok(shows(view, choices, { cell: { point: { suite: "other", at: {} }, label: "main" } }));
});

test("needs leave out what takes more than is there, what is warned of, and what promises less", () => {
  const { runs } = pageData([filesOf(makeFixture({ rounds: 1 }))]);
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
  const own = choicesOf({ runs: [{ ...runs[0]!, run: { ...run, plan: { ...run.plan, axes } } }] });
  assert.deepEqual(own.traits.map(({ fact, kinds }) => [fact, kinds.toSorted()]), [["durability", [
    "buffered",
    "memory",
  ]]]);
  const full = fullView(own);
  const storesFor = (needs: Partial<typeof full.needs>) =>
    new Set(
      cells.filter((card) => showsCard({ ...full, needs: { ...full.needs, ...needs } }, own, card))
        .map(({ cell }) => cell.point.at["store"]),
    );
  assert.equal(storesFor({}).size, 5);
  assert.ok(!storesFor({ noCaveat: true }).has("map") && storesFor({ noCaveat: true }).size === 4);
  const buffered = own.traits[0]!.kinds.indexOf("buffered");
  assert.ok(!storesFor({ traits: [[buffered]] }).has("map"));
  const least = Math.min(...cells.flatMap(({ peak_rss_bytes }) => peak_rss_bytes ?? []));
  assert.deepEqual(storesFor({ memoryBytes: least - 1 }).size, 0);
  assert.ok(storesFor({ memoryBytes: least }).size > 0);
});
