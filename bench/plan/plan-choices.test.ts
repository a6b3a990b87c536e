/** What a plan is made from: ceilings, expectations, presets and choices that cannot be. */
import assert from "node:assert/strict";
import { test } from "node:test";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { choicesFor, ensembles, mills, names, plan, refusal } from "../../tests/fixtures/mills.ts";
import type { Suite } from "../../suites/suite.ts";
import { hasValues } from "../record/cell.ts";
import { type Choices, makeDuetPlan, makePlan } from "./make-plan.ts";
import { planSchema } from "../record/plan.ts";
import { PROFILES } from "./profile.ts";
import { type Given, settle } from "../options/settle.ts";

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
  assert.deepEqual(ensembles(made), ["pair steam/wood/1k | steam/wood/1k@aa | wind/wood/1k"]);
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
  assert.ok(hasValues(made.cells[2]!.point.at, other));
});

test("points whose requests the generator cannot send are unsupported with its reason, and measured by nobody", async () => {
  const whyNotSent: Choices["whyNotSent"] = ({ draws = {} }) => Object.hasOwn(draws, "lid") ? "it has no lid" : null;
  const { unsupported, cells, generator } = await plan({}, { whyNotSent, generator: "h2load", together: false });
  assert.equal(generator, "h2load");
  assert.deepEqual([...new Set(unsupported.map(({ point, reason }) => `${point.at["gear"]}: ${reason}`))], [
    "iron: it has no lid",
  ]);
  assert.deepEqual([...new Set(cells.map(({ point }) => point.at["gear"]))], ["wood"]);
  assert.match((await refusal(() => plan({}, { whyNotSent: () => "it cannot" }))).message, /: it cannot$/);
});

test("a preset may name a generator", () => {
  const named: Suite = { ...mills, presets: { guide: { title: "as the guide has it", generator: "h2load" } } };
  assert.equal(settle(named, { profile: PROFILES.default, preset: "guide" }).generator, "h2load");
});

test("a server that does nothing is no ceiling of requests that want a connection each", async () => {
  const fresh: Suite = { ...mills, requests: (point) => ({ ...mills.requests(point), connection: "new" }) };
  assert.deepEqual((await makePlan(fresh, choicesFor(fresh))).ceilings, []);
  assert.notDeepEqual((await plan()).ceilings, []);
});
