import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture, ODD } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { pageData } from "./shown-run.ts";
import { choicesOf, columnOf, needsAnything, placeOf, shows, showsCard } from "./view.ts";

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

const of = (choice: string) => new URLSearchParams(choice);

test("a choice says places, and what of it does not fit is as if it were not there", () => {
  assert.deepEqual(["run=2", "run=9", "run=x", "run=-1", ""].map((choice) => placeOf(of(choice), "run", 2)), [
    1,
    0,
    0,
    0,
    0,
  ]);
  assert.deepEqual(["sort=3", "sort=no", ""].map((choice) => columnOf(of(choice))), [2, 0, null]);
  const { cells } = odd.runs[0]!;
  const shown = (choice: string) => cells.filter((card) => showsCard(of(choice), choices, card)).length;
  assert.equal(shown("axis9=1&memory_mib=-3&startup=x"), cells.length);
  assert.equal(shown("axis1=0,7,no"), 0);
  assert.ok(!needsAnything(of("axis1=1&memory_mib=-3")));
  for (const need of ["p99_ms=2", "caveats=no", "trait1=2"]) assert.ok(needsAnything(of(need)), need);
});

test("a choice shows the cells of its values, and those of suites without the axis", () => {
  const choice = of("axis1=2&axis3=1");
  const { cells } = odd.runs[0]!;
  const shown = cells.filter(({ cell }) => shows(choice, choices, cell));
  assert.ok(shown.length > 0 && shown.length < cells.length);
  const [engine, , page] = filters;
  for (const { cell: { point: { at } } } of shown) {
    assert.deepEqual([at[ODD.engine], at[ODD.page]], [engine!.values[1]!.value, page!.values[0]!.value]);
  }
  assert.ok(shows(choice, choices, { point: { suite: "other", at: {} }, label: "main" }));
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
  const withFacts = choicesOf({ runs: [{ ...runs[0]!, run: { ...run, plan: { ...run.plan, axes } } }] });
  assert.deepEqual(withFacts.traits.map(({ fact, kinds }) => [fact, kinds.toSorted()]), [["durability", [
    "buffered",
    "memory",
  ]]]);
  const storesFor = (needs: string) =>
    new Set(cells.filter((card) => showsCard(of(needs), withFacts, card)).map(({ cell }) => cell.point.at["store"]));
  assert.equal(storesFor("").size, 5);
  assert.ok(!storesFor("caveats=no").has("map") && storesFor("caveats=no").size === 4);
  const buffered = withFacts.traits[0]!.kinds.indexOf("buffered");
  assert.ok(!storesFor(`trait1=${buffered + 1}`).has("map"));
  const least = Math.min(...cells.flatMap(({ peak_rss_bytes }) => peak_rss_bytes ?? [])) / 2 ** 20;
  assert.equal(storesFor(`memory_mib=${least - 0.01}`).size, 0);
  assert.ok(storesFor(`memory_mib=${least + 0.01}`).size > 0);
});
