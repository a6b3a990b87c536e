/** The cells of a plan, and what is measured together and alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesFor, ensembles, mills, names, plan, ROUNDS } from "../../tests/fixtures/mills.ts";
import { wordAxis } from "../../suites/axes.ts";
import type { Suite } from "../../suites/suite.ts";
import { hasValues, pointName } from "../record/cell.ts";
import { type Choices, makePlan } from "./make-plan.ts";
import { whySomeAlone } from "./why-alone.ts";
import { planSchema } from "../record/plan.ts";
import { PROFILES } from "./profile.ts";
import { type Given, settle } from "../options/settle.ts";

test("a plan has every combination of the values, one of them again, and says so in its own schema", async () => {
  const made = await plan({ at: { engine: ["wind", "steam"] } });
  planSchema.parse(made);
  assert.deepEqual(names(made), [
    "steam/wood/1k",
    "wind/wood/1k",
    "steam/iron/1k",
    "steam/wood/100k",
    "wind/wood/100k",
    "steam/iron/100k",
    "wind/wood/1k@aa",
    "wind/wood/100k@aa",
  ]);
  assert.deepEqual(made.unsupported.map(({ point, reason }) => [pointName(made.axes, point), reason]), [
    ["wind/iron/1k", "wind breaks iron"],
    ["wind/iron/100k", "wind breaks iron"],
  ]);
});

test("axes are in the plan with texts and facts, and a condition with its one default is not shown", async () => {
  const made = await plan({ at: { load: [7, 1_000_000, 7] } });
  assert.deepEqual(made.axes.map(({ name, option, shown }) => [name, option, shown]), [
    ["engine", "engine", true],
    ["gear", "gear", true],
    ["load", "load", true],
    ["oilGrade", "oil-grade", false],
    ["hands", "hands", false],
  ]);
  assert.deepEqual(made.axes[2]!.values.map(({ text }) => text), ["7", "1m"]);
  assert.deepEqual(made.axes[1]!.values.map(({ facts }) => facts), [{ title: "oak" }, {}]);
  const shown = async (oilGrade: number[]) => (await plan({ at: { oilGrade } })).axes[3]!.shown;
  assert.deepEqual([await shown([5]), await shown([6]), await shown([5, 6])], [false, true, true]);
});

test("of a quick run's conditions one is judged, and of an axis asked for in every round each, those alone too", async () => {
  const axes = mills.axes.map((axis) => axis.name === "load" ? { ...axis, inEveryRound: true as const } : axis);
  const judged = async (suite: Suite) => {
    const at = { gear: ["wood", "iron"], load: [1_000, 9_000], hands: [10, 20] };
    const made = await makePlan(suite, {
      ...choicesFor(suite),
      ...settle(suite, { profile: PROFILES.quick, given: { at } }),
    });
    const often = made.solo.filter(({ rounds }) => rounds === made.rounds).map(({ cell }) => cell);
    return [ensembles(made), names(made, often)];
  };
  const [one, each] = [await judged(mills), await judged({ ...mills, axes })];
  const at1k = "matrix steam/wood/1k/10 | water/wood/1k/10 | steam/iron/1k/10 | water/iron/1k/10 | water/wood/1k/10@aa";
  assert.deepEqual(one, [[at1k], []]);
  assert.deepEqual(each, [[at1k, "matrix steam/wood/9k/10 | water/wood/9k/10 | water/wood/9k/10@aa"], [
    "steam/iron/9k/10",
    "water/iron/9k/10",
  ]]);
});

test("where no axis would be shown all are, because a name must not be empty", async () => {
  const alone: Suite = { ...mills, axes: mills.axes.slice(3), probe: {}, quick: { at: {} }, expectations: [] };
  const made = await makePlan(alone, choicesFor(alone));
  assert.deepEqual(names(made), ["5/50", "5/50@aa"]);
  assert.deepEqual(
    made.solo,
    [{ cell: 0, rounds: ROUNDS }, { cell: 1, rounds: ROUNDS }],
    "one cell has nothing to share a core with",
  );
});

test("the A/A twin is the suite's probe where it is measured, else a cell from the middle that may stand by itself", async () => {
  const twins = async (given?: Given) => names(await plan(given)).filter((name) => name.endsWith("@aa"));
  assert.deepEqual(await twins(), ["water/wood/1k@aa", "water/wood/100k@aa"], "one in each ensemble");
  const apartThere = ["steam/iron/1k@aa", "steam/wood/100k@aa"];
  assert.deepEqual(await twins({ at: { engine: ["steam"] } }), apartThere, "one together, one of those compared alone");
  assert.deepEqual(await twins({ at: { gear: ["iron"], load: [9_000, 1_000] } }), [
    "water/iron/1k@aa",
    "water/iron/9k@aa",
  ]);
  const apart = await plan({ at: { gear: ["iron"], load: [9_000] } });
  assert.equal(names(apart).at(-1), "water/iron/9k@aa");
  assert.deepEqual(ensembles(apart), [], "nothing may share a core");
  assert.deepEqual(
    apart.solo,
    [0, 1, 2].map((cell) => ({ cell, rounds: ROUNDS })),
    "so the twin is measured alone too",
  );
});

test("cells under the same conditions that may share a core are one ensemble with a twin, the others stay alone", async () => {
  const made = await plan();
  assert.deepEqual(ensembles(made), [
    "matrix steam/wood/1k | water/wood/1k | steam/iron/1k | water/iron/1k | water/wood/1k@aa",
    "matrix steam/wood/100k | water/wood/100k | water/wood/100k@aa",
  ]);
  assert.deepEqual(names(made, made.solo.map(({ cell }) => cell)), ["steam/iron/100k", "water/iron/100k"]);
  assert.deepEqual([made.rounds, made.alone_rounds], [ROUNDS, PROFILES.default.aloneRounds]);
  assert.ok([...made.ensembles, ...made.solo].every(({ rounds }) => rounds === ROUNDS));
});

test("cells that are alone beside an ensemble are named with the suite's reason", async () => {
  const made = await plan();
  const [one, ...others] = whySomeAlone(mills, made);
  assert.deepEqual(others, []);
  assert.deepEqual(one!.points.map((point) => pointName(made.axes, point)), ["steam/iron/100k", "water/iron/100k"]);
  assert.equal(one!.reason, "iron is slow");
  const allAlone = await plan({ at: { load: [100_000], gear: ["iron"] } });
  assert.deepEqual(
    [ensembles(allAlone), whySomeAlone(mills, allAlone)],
    [[], []],
    "a plan of them alone says it for all",
  );
});

test("where nothing is to be measured together every cell is alone, one of them twice", async () => {
  const made = await plan({ at: { load: [1_000] } }, { together: false });
  assert.deepEqual(ensembles(made), []);
  assert.deepEqual(names(made, made.solo.map(({ cell }) => cell)), [
    "steam/wood/1k",
    "water/wood/1k",
    "steam/iron/1k",
    "water/iron/1k",
    "water/wood/1k@aa",
  ]);
});

test("a quick look makes one ensemble, under the probe's conditions, and has rates of the other cells once", async () => {
  const { quick: _, ...unhurried } = mills;
  const settled = settle(unhurried, { profile: PROFILES.quick });
  const made = await makePlan(unhurried, choicesFor(unhurried, {}, settled));
  planSchema.parse(made);
  assert.deepEqual(ensembles(made), [
    "matrix steam/wood/1k | water/wood/1k | steam/iron/1k | water/iron/1k | water/wood/1k@aa",
  ]);
  assert.deepEqual(made.ensembles.map(({ rounds }) => rounds), [PROFILES.quick.rounds]);
  assert.deepEqual(
    made.solo.map(({ cell, rounds }) => [names(made, [cell])[0], rounds]),
    [["steam/wood/100k", 1], ["water/wood/100k", 1], ["steam/iron/100k", 1], ["water/iron/100k", 1]],
  );
  // Where the probe's conditions are not among those requested, the first are.
  const elsewhere = settle(unhurried, { profile: PROFILES.quick, given: { at: { load: [7, 9_000], gear: ["wood"] } } });
  const other = await makePlan(unhurried, choicesFor(unhurried, {}, elsewhere));
  assert.deepEqual(ensembles(other), ["matrix steam/wood/7 | water/wood/7 | water/wood/7@aa"]);
});

/** A suite of so many engines and gears that nothing keeps apart. */
const wide = (engines: number, gears: number): Suite => {
  const values = (count: number, letter: string) => Array.from({ length: count }, (_, n) => `${letter}${n}`);
  const [engine, gear, ...rest] = mills.axes;
  return {
    ...mills,
    axes: [
      { ...engine!, ...wordAxis({ name: "engine", title: "Engine", help: "", values: values(engines, "e") }) },
      { ...gear!, ...wordAxis({ name: "gear", title: "Gear", help: "", values: values(gears, "g") }) },
      ...rest,
    ],
    supports: () => true,
    together: () => true,
    probe: {},
    quick: { at: {} },
    presets: {},
    expectations: [],
  };
};

test("too many cells for one core are split, so that each value of the first contrast still meets every other", async () => {
  const whole = wide(5, 3), split = wide(8, 3);
  const sizes = async (suite: Suite, change: Partial<Choices> = {}) =>
    (await makePlan(suite, choicesFor(suite, { at: { load: [7] } }, change))).ensembles.map(({ cells }) =>
      cells.length
    );
  assert.deepEqual(await sizes(whole), [15 + 1]);
  const made = await makePlan(split, choicesFor(split, { at: { load: [7] } }));
  assert.deepEqual(made.ensembles.map(({ cells }) => cells.length), [8 + 1, 8 + 1, 8 + 1]);
  for (const { cells } of made.ensembles) {
    assert.equal(new Set(cells.map((place) => made.cells[place]!.point.at["gear"])).size, 1);
    assert.equal(cells.filter((place) => made.cells[place]!.label === "aa").length, 1, "a twin in each");
  }
  assert.deepEqual(await sizes(wide(31, 1)), [11 + 1, 11 + 1, 9 + 1], "more values than fit are parted about equally");
});

test("another revision's cell stays beside the one it is held against, however many there are", async () => {
  const suite = wide(9, 2);
  const made = await makePlan(suite, choicesFor(suite, { at: { load: [7] } }, { against: "1234567" }));
  assert.ok(made.ensembles.length > 2);
  for (const { cells } of made.ensembles) {
    const ranked = cells.map((place) => made.cells[place]!).filter(({ label }) => label !== "aa");
    for (const { point } of ranked) assert.equal(ranked.filter((cell) => hasValues(cell.point.at, point.at)).length, 2);
  }
});

test("loads with different numbers of connections do not share a core", async () => {
  const uneven: Suite = {
    ...mills,
    requests: (point) => ({ ...mills.requests(point), pace: { closed: point.at["engine"] === "steam" ? 10 : 20 } }),
  };
  const made = await makePlan(uneven, choicesFor(uneven, { at: { load: [1_000] } }));
  assert.deepEqual(ensembles(made), [
    "matrix steam/wood/1k | steam/iron/1k | steam/iron/1k@aa",
    "matrix water/wood/1k | water/iron/1k | water/wood/1k@aa",
  ]);
});

test("another revision's cells stand beside the own ones, and labels are compared within each point", async () => {
  const given = { at: { engine: ["water"], gear: ["wood"], load: [1_000] } };
  const made = await plan(given, { against: "1234567" });
  assert.deepEqual(names(made), ["water/wood/1k", "water/wood/1k@1234567", "water/wood/1k@aa"]);
  assert.deepEqual(ensembles(made), ["matrix water/wood/1k | water/wood/1k@1234567 | water/wood/1k@aa"]);
});
