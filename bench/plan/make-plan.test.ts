/** Plans of one made-up suite under every choice. Longer than 300 lines because all of it is asked of the same suite. */
import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { countAxis, numberAxis, wordAxis } from "../../suites/axes.ts";
import type { Draw, Expectation, Suite } from "../../suites/suite.ts";
import { cellName, matches, pointName } from "../record/cell.ts";
import { BenchError } from "../basics/errors.ts";
import { makeDuetPlan, makePlan, type MatrixChoices } from "./make-plan.ts";
import { type Plan, planSchema } from "../record/plan.ts";
import { PROFILES } from "./profile.ts";
import { type Given, settle } from "../options/settle.ts";

const steps = (at: { engine?: string; gear?: string }): Expectation => ({
  kind: "steps",
  name: "s",
  axis: "engine",
  values: ["steam", "wind"],
  at,
  metric: "requests_per_second",
  why: "",
});

/** Engines and gears over loads; wind needs wood, and iron is too slow to share a core. */
const mills: Suite = {
  name: "mills",
  title: "mills",
  axes: [
    wordAxis({ name: "engine", title: "Engine", help: "what drives", values: ["steam", "water"], others: ["wind"] }),
    {
      ...wordAxis({ name: "gear", title: "Gear", help: "what turns", values: ["wood", "iron"] }),
      describe: (value) => Promise.resolve(value === "wood" ? { title: "oak" } : {}),
    },
    countAxis({ name: "load", title: "Load", help: "kg", unit: "kg", values: [1_000, 100_000], least: 1, most: 1e6 }),
    numberAxis({ name: "oilGrade", title: "Oil", help: "grade", values: [5], least: 0, most: 9 }),
    numberAxis({ name: "hands", title: "Hands", help: "connections", values: [50], least: 1, most: 99 }),
  ],
  supports: ({ at }) => at["engine"] !== "wind" || at["gear"] === "wood" || "wind breaks iron",
  together: (points) => points.every(({ at }) => at["gear"] !== "iron" || at["load"] === 1_000) || "iron is slow",
  probe: { engine: "water" },
  quick: { at: { load: [1_000] } },
  presets: {
    small: { title: "small", rounds: 1, durationMs: 9_000, threads: 4, at: { load: [7], engine: ["wind"] } },
  },
  server: () => ({ kind: "app", runtime: "bun", module: "/mill.ts" }),
  requests({ at }) {
    const grain: Draw = { kind: "uniform", below: at["load"] as number };
    const lid: Draw = { kind: "hot", below: 10, keys: 1, share: 0.5 };
    return {
      pace: { closed: at["hands"] as number },
      mix: [{ path: "/{grain}", expect: [200] }],
      draws: at["gear"] === "iron" ? { grain, lid } : { grain },
    };
  },
  oracle: () => ({ alive: { name: "alive", run: () => Promise.resolve(1) }, checks: () => [] }),
  expectations: [
    { kind: "published", at: { load: 1_000 }, metric: "requests_per_second", value: 5, source: "a book" },
    { kind: "published", at: { load: 5 }, metric: "requests_per_second", value: 5, source: "another" },
    ...["iron", "brass"].map((gear): Expectation => ({
      kind: "ratio",
      name: gear,
      over: { gear: "wood" },
      under: { gear },
      metric: "requests_per_second",
      why: "",
    })),
    { kind: "scaling", axis: "load", at: { engine: "steam" }, law: "O(1)", least: 0, greatest: 0.1, why: "" },
    { kind: "scaling", axis: "oilGrade", at: { engine: "steam" }, law: "O(1)", least: 0, greatest: 0.1, why: "" },
    steps({ gear: "wood" }),
    steps({ gear: "brass" }),
    { kind: "ceiling", at: {}, least: 0.9 },
  ],
};

function choicesFor(suite: Suite, given: Given = {}, change: Partial<MatrixChoices> = {}): MatrixChoices {
  const settled = settle(suite, { profile: PROFILES.default, given });
  return { ...settled, module: null, seed: 7, together: true, ...change };
}

const ROUNDS = PROFILES.default.rounds;
const plan = (given?: Given, change?: Partial<MatrixChoices>) => makePlan(mills, choicesFor(mills, given, change));
const names = ({ axes, cells }: Plan, places = cells.keys().toArray()) =>
  places.map((place) => cellName(axes, cells[place]!));
const ensembles = (made: Plan) =>
  made.ensembles.map(({ purpose, cells }) => `${purpose} ${names(made, cells).join(" | ")}`);

async function refusal(make: () => Promise<unknown>): Promise<BenchError> {
  try {
    await make();
  } catch (error) {
    assert.ok(error instanceof BenchError, String(error));
    assert.ok(error.hint !== undefined && !error.message.includes("\n"));
    return error;
  }
  throw new Error("it was not refused");
}

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
  const sizes = async (suite: Suite, change: Partial<MatrixChoices> = {}) =>
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
    for (const { point } of ranked) assert.equal(ranked.filter((cell) => matches(cell.point.at, point.at)).length, 2);
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
  assert.deepEqual(ensembles(made), [
    "matrix water/wood/1k | water/wood/1k@1234567 | water/wood/1k@aa",
  ]);
});

test("a ceiling is measured once for each kind of request, with the requests that draw from most", async () => {
  const made = await plan();
  assert.deepEqual(made.ceilings.map(({ cell }) => names(made, [cell])[0]), ["steam/wood/100k", "steam/iron/100k"]);
  assert.deepEqual(
    made.ceilings.flatMap(({ stands_for }) => stands_for).sort((a, b) => a - b),
    made.cells.map((_, n) => n),
  );
});

test("a plan has the expectations that speak of its cells, of both sides where there are two", async () => {
  const told = (await plan()).expectations.map((each) =>
    [each.kind, "name" in each ? each.name : "axis" in each ? each.axis : ""].join(" ").trim()
  );
  assert.deepEqual(told, ["published", "ratio iron", "scaling load", "steps s", "ceiling"]);
  const one = (await plan({ at: { gear: ["iron"], load: [7] } })).expectations.map(({ kind }) => kind);
  assert.deepEqual(one, ["ceiling"]);
});

test("defaults, profile, preset and what is given by hand win in this order", () => {
  const settled = (quick: boolean, preset?: string, given: Given = {}) =>
    settle(mills, { profile: quick ? PROFILES.quick : PROFILES.default, preset, given });
  const { values, ...amounts } = settled(true);
  assert.deepEqual(values["load"], [1_000]);
  assert.deepEqual([amounts.rounds, amounts.aloneRounds, amounts.durationMs, amounts.threads], [4, 1, 1_000, null]);
  assert.deepEqual(amounts.warmup, { kind: "steady", most_ms: 12_000 });
  const slow = settle({ ...mills, expectedWarmupMs: 7_000 }, { profile: PROFILES.quick }).warmup;
  assert.deepEqual(slow, { kind: "steady", most_ms: 12_000, expected_ms: 7_000 });
  assert.equal(settle({ ...mills, quick: { at: {} } }, { profile: PROFILES.quick }).aloneRounds, 1);
  const warmup = (given: Given) => settled(false, undefined, given).warmup;
  assert.deepEqual(warmup({ warmupMs: 3_000 }), { kind: "fixed", ms: 3_000, loads: 1 });
  assert.deepEqual(warmup({ warmupMs: 3_000, warmupLoads: 2 }), { kind: "fixed", ms: 3_000, loads: 2 });
  assert.deepEqual([amounts.profile, amounts.preset], ["quick", null]);
  const small = settled(true, "small");
  assert.deepEqual([small.rounds, small.durationMs, small.threads], [1, 9_000, 4]);
  assert.deepEqual([small.values["load"], small.values["engine"], small.values["gear"]], [[7], ["wind"], [
    "wood",
    "iron",
  ]]);
  assert.deepEqual([small.profile, small.preset], ["quick", "small"]);
  const given = settled(false, "small", { rounds: 5, at: { load: [9, 8] } });
  assert.deepEqual([given.rounds, given.durationMs, given.values["load"], given.values["engine"]], [5, 9_000, [8, 9], [
    "wind",
  ]]);
  assert.equal(given.profile, "default, changed");
  assert.equal(settled(false, "small", { rounds: 1 }).profile, "default", "the same is no change");
});

test("a preset nobody has, and values at which nothing can be measured, are refused by name", async () => {
  const unknown = await refusal(() =>
    Promise.resolve().then(() => settle(mills, { profile: PROFILES.default, preset: "big" }))
  );
  assert.match(unknown.message, /^suite "mills" has no preset "big"$/);
  assert.match(unknown.hint!, /small/);
  const nothing = await refusal(() => plan({ at: { engine: ["wind"], gear: ["iron"], load: [7] } }));
  assert.match(
    nothing.message,
    /^suite "mills" cannot be measured at engine "wind", gear "iron", load "7": wind breaks iron$/,
  );
  assert.equal(nothing.hint, "bench list mills shows what can be measured");
});

test("a suite that fails is named with the point at which it does", async () => {
  const broken: Suite = {
    ...mills,
    requests() {
      throw new TypeError("x is not a function\nat mill.ts");
    },
  };
  const error = await refusal(() => makePlan(broken, choicesFor(broken, { at: { load: [7] } })));
  assert.match(
    error.message,
    /^suite "mills": requests fails at engine "steam", gear "wood", load "7": x is not a function$/,
  );
});

test("two cells of one name are refused, naming both", async () => {
  const [engine, ...others] = mills.axes;
  const blurred: Suite = { ...mills, axes: [{ ...engine!, format: () => "engine" }, ...others] };
  const error = await refusal(() => makePlan(blurred, choicesFor(blurred)));
  assert.match(error.message, /"engine\/wood\/1k" is the name of engine "steam", .* and of engine "water", /);
});

test("odd names and values make a plan like any other", async () => {
  const made = await makePlan(oddSuite, choicesFor(oddSuite));
  planSchema.parse(made);
  assert.deepEqual(names(made), ["a%2Fb/bun/1", 'x y, "z" <b>/bun/1', "a%2Fb/bun/100", "a%2Fb/bun/1@aa"]);
  assert.deepEqual(made.axes.map(({ option }) => option), ["way-how", "engine-room", "items-page", "mood"]);
  assert.deepEqual(made.unsupported.map(({ reason }) => reason), ["<too> long / to say"]);
});

test("a duet's plan is two points together, the first one twice, and nothing alone", async () => {
  const { at } = { at: { engine: "steam", gear: "wood", load: 1_000, oilGrade: 5, hands: 50 } };
  const other = { ...at, engine: "wind" };
  const values = { engine: ["steam", "wind"], gear: ["wood"], load: [1_000], oilGrade: [5], hands: [50] };
  const choices = choicesFor(mills, { at: values });
  const made = await makeDuetPlan(mills, choices, [at, other]);
  planSchema.parse(made);
  assert.deepEqual(ensembles(made), [
    "pair steam/wood/1k | steam/wood/1k@aa | wind/wood/1k",
  ]);
  assert.deepEqual(made.solo, []);
  assert.deepEqual(ensembles(await makeDuetPlan(mills, choices, [at, at])), ["pair steam/wood/1k | steam/wood/1k@aa"]);
  const slow = { ...at, gear: "iron", load: 9_000 };
  assert.match(
    (await refusal(() => makeDuetPlan(mills, choices, [at, slow]))).message,
    /cannot be compared on one core: iron is slow/,
  );
  assert.match(
    (await refusal(() => makeDuetPlan(mills, choices, [at, { ...other, gear: "iron" }]))).message,
    /wind breaks iron/,
  );
  assert.ok(matches(made.cells[2]!.point.at, other));
});

test("points whose requests the generator cannot send are unsupported with its reason, and measured by nobody", async () => {
  const whyNotSent: MatrixChoices["whyNotSent"] = ({ draws = {} }) =>
    Object.hasOwn(draws, "lid") ? "it has no lid" : null;
  const { unsupported, cells, generator } = await plan({}, { whyNotSent, generator: "ab", together: false });
  assert.equal(generator, "ab");
  assert.deepEqual([...new Set(unsupported.map(({ point, reason }) => `${point.at["gear"]}: ${reason}`))], [
    "iron: it has no lid",
  ]);
  assert.deepEqual([...new Set(cells.map(({ point }) => point.at["gear"]))], ["wood"]);
  assert.match((await refusal(() => plan({}, { whyNotSent: () => "it cannot" }))).message, /: it cannot$/);
});

test("a preset may name a generator and a number of requests, which a duration given by hand undoes", async () => {
  const counted: Suite = {
    ...mills,
    presets: { guide: { title: "as the guide has it", generator: "ab", requests: 10_000, rounds: 1 } },
  };
  const settled = settle(counted, { profile: PROFILES.default, preset: "guide" });
  assert.deepEqual([settled.generator, settled.requests], ["ab", 10_000]);
  assert.equal(
    (await makePlan(counted, { ...choicesFor(counted), ...settled, whyNotSent: () => null })).requests,
    10_000,
  );
  assert.equal(
    settle(counted, { profile: PROFILES.default, preset: "guide", given: { durationMs: 2_000 } }).requests,
    undefined,
  );
  assert.equal((await plan()).requests, undefined);
});

test("a server that does nothing is no ceiling of requests that want a connection each", async () => {
  const fresh: Suite = { ...mills, requests: (point) => ({ ...mills.requests(point), connection: "new" }) };
  assert.deepEqual((await makePlan(fresh, choicesFor(fresh))).ceilings, []);
  assert.notDeepEqual((await plan()).ceilings, []);
});
