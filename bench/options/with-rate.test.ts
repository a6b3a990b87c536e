import { CLOSED_LOOP, RATE } from "../record/cell.ts";
import assert from "node:assert/strict";
import { relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { SUITES } from "../../suites/registry.ts";
import type { Suite, Value } from "../../suites/suite.ts";
import { BenchError } from "../basics/errors.ts";
import { planSchema } from "../record/plan.ts";
import { PROFILES } from "../plan/profile.ts";
import { scheduleOf, stepLoadMs } from "../plan/schedule.ts";
import { probeOf } from "../plan/points.ts";
import { SETTLE_MS } from "../plan/lengths.ts";
import { GENERATORS } from "../generators/registry.ts";
import { suiteFault } from "../sources/load-suite.ts";
import { planOf } from "./plan-of.ts";
import { settle } from "./settle.ts";
import { suiteOfPlan } from "./stored-plan.ts";
import { rateAxis, rateAxisOf, rateGenerator, whyNoRate, withRate } from "./extra-axes.ts";

const ODD = relative(process.cwd(), fileURLToPath(new URL("../../tests/fixtures/odd-suite.ts", import.meta.url)));

/** The plan of `bench run --rate` with these rates; of `bench run` without any. */
function planAt(rates: readonly Value[], suite: Suite = rates.length === 0 ? oddSuite : withRate(oddSuite)) {
  const given = rates.length === 0 ? {} : { at: { [RATE]: rates } };
  const settled = settle(suite, { profile: PROFILES.default, given, seed: 7 });
  return planOf({ suite, origin: { module: ODD } }, settled, { grade: "dedicated" });
}

test("every suite of the project takes rates as one axis more, and its own loop stays what it is", () => {
  for (const suite of SUITES) {
    const rated = withRate(suite);
    assert.equal(suiteFault(rated), null, suite.name);
    const point = { suite: suite.name, at: probeOf(suite) };
    for (const rate of [CLOSED_LOOP, "50%", 2_000]) {
      assert.deepEqual(rated.requests({ ...point, at: { ...point.at, [RATE]: rate } }), suite.requests(point));
    }
  }
});

test("a rate is a number of requests per second, a share of the capacity, or the closed loop", () => {
  const read = ["5k", "1_000", "50%", "62.5 %", "closed", "0", "0%", "200%", "fast"].map((text) =>
    rateAxis.parse(text)
  );
  assert.deepEqual(read, [5_000, 1_000, "50%", "62.5%", "closed", undefined, undefined, undefined, undefined]);
  for (const value of [5_000, "50%", "closed"]) assert.equal(rateAxis.parse(rateAxis.format(value)), value);
});

test("a plan without rates has no such axis; one with them has a closed loop and a cell at each, all on one server", async () => {
  const plain = await planAt([]);
  assert.ok(plain.axes.every(({ name }) => name !== RATE));
  assert.ok(plain.cells.every(({ point }) => !(RATE in point.at)));
  assert.equal(plain.further, undefined);
  const rated = planSchema.parse(await planAt([5_000, "80%", 1_000, "10%"]));
  assert.deepEqual(rated.axes.at(-1)!.values.map(({ text }) => text), ["closed", "10%", "80%", "1k", "5k"]);
  const rates = Map.groupBy(rated.cells.filter(({ label }) => label === "main"), ({ point }) => point.at[RATE]);
  const points = new Set(plain.cells.filter(({ label }) => label === "main").map(({ point }) => JSON.stringify(point)));
  assert.deepEqual([...rates.values()].map(({ length }) => length), Array(5).fill(points.size));
  const measured = [...rated.solo.map(({ cell }) => cell), ...rated.ensembles.flatMap(({ cells }) => cells)]
    .map((place) => rated.cells[place]!).filter(({ label }) => label === "main");
  assert.deepEqual(measured.map(({ point }) => point.at[RATE]), Array(points.size).fill(CLOSED_LOOP));
  assert.ok([...rated.solo, ...rated.ensembles].every(({ rounds }) => rounds === rated.rounds));
  assert.deepEqual([rated.ceilings, rated.expectations], [[], []]);
  assert.deepEqual(rated.further, { axis: "rate", generator: "ontime", limit: null });
});

test("a schedule is part of the plan if it is random, and only ontime keeps such a one", () => {
  const axis = { axis: "rate", generator: "ontime", limit: null } as const;
  assert.deepEqual(rateAxisOf("ontime", null, "poisson"), { ...axis, schedule: "poisson" });
  assert.deepEqual(rateAxisOf("ontime", null, "fixed"), axis, "as plans were before there were others");
  assert.deepEqual(rateAxisOf("h2load", "p99<10ms", undefined), {
    axis: "rate",
    generator: "h2load",
    limit: "p99<10ms",
  });
  assert.throws(() => rateAxisOf("h2load", null, "poisson"), /h2load keeps no poisson schedule/);
});

test("the closed loop alone asks for no rates", async () => {
  const plan = await planAt([CLOSED_LOOP]);
  assert.equal(plan.further, undefined);
  assert.ok(plan.cells.every(({ point }) => point.at[RATE] === CLOSED_LOOP));
});

test("a plan at rates is of a suite that takes them, one without is of the suite as it is", async () => {
  const stored = { wanted: null, against: undefined, folder: process.cwd() };
  const rated = await suiteOfPlan({ ...stored, plan: await planAt([1_000, "50%"]) });
  assert.ok(rated.axes.includes(rateAxis));
  assert.equal(await suiteOfPlan({ ...stored, plan: await planAt([]) }), oddSuite);
});

test("a step is expected to take a window more for each rate and server", async () => {
  const [one, three] = await Promise.all([planAt([1_000]), planAt([1_000, 2_000, "50%"])]);
  const loadMs = (plan: typeof one) => stepLoadMs(plan, scheduleOf(plan)[0]!);
  const servers = scheduleOf(one)[0]!.cells.length;
  assert.equal(loadMs(three) - loadMs(one), 2 * servers * (SETTLE_MS + one.duration_ms));
});

test("ontime keeps rates for wrk, h2load over TLS and HTTP/2; another generator that cannot is refused in one line with those that can", () => {
  const refusal = (generator: string) => {
    try {
      rateGenerator(generator, []);
    } catch (error) {
      assert.ok(error instanceof BenchError);
      return `${error.message}; ${error.hint}`;
    }
    return null;
  };
  const kept = ["wrk", "h2load", "websocket"].map((name) => rateGenerator(name, ["http"]));
  assert.deepEqual(kept, ["ontime", "h2load", "websocket"]);
  assert.deepEqual([rateGenerator("wrk", [undefined]), rateGenerator("wrk", ["http", "h2"])], ["ontime", "h2load"]);
  assert.equal(refusal("connect"), "connect cannot keep a rate, ontime and h2load can; --generator ontime");
  for (const name of Object.keys(GENERATORS).filter((name) => name !== "wrk")) {
    const why = whyNoRate(name, { pace: { closed: 1 }, mix: [{ path: "/", expect: [200] }] });
    assert.equal(why === null, refusal(name) === null, name);
  }
});

test("a cell at a rate stands in no step of its own, and in no plan without rates", async () => {
  const plan = await planAt([1_000, "50%"]);
  const isRead = (value: unknown) => planSchema.safeParse(value).success;
  assert.ok(isRead(plan));
  const { further, ...alone } = plan;
  assert.ok(!isRead(alone));
  assert.ok(!isRead({ ...plan, solo: plan.cells.map((_, cell) => ({ cell, rounds: 2 })) }));
  assert.ok(!isRead({ ...plan, further: { ...further, shares: [0.5], rate: null } }));
});
