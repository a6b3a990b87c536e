import assert from "node:assert/strict";
import { relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { SUITES } from "../../suites/registry.ts";
import { BenchError } from "../basics/errors.ts";
import { makePlan } from "../plan/make-plan.ts";
import { RATE } from "../judge/open-loop.ts";
import { planSchema } from "../record/plan.ts";
import { probeOf } from "../plan/points.ts";
import { PROFILES } from "../plan/profile.ts";
import { settle } from "./settle.ts";
import { whyNot } from "../generators/refuse.ts";
import { GENERATORS } from "../generators/registry.ts";
import { suiteFault } from "../sources/load-suite.ts";
import { suiteOfPlan } from "./stored-plan.ts";
import { rateAxis, refuseRates, withRate } from "./with-rate.ts";

const ODD = relative(process.cwd(), fileURLToPath(new URL("../../tests/fixtures/odd-suite.ts", import.meta.url)));

const planOf = (suite = oddSuite, rates: readonly (string | number)[] = ["closed"]) =>
  makePlan(suite, {
    ...settle(suite, {
      profile: PROFILES.default,
      given: { generator: "h2load", ...(suite.axes.includes(rateAxis) ? { at: { [RATE]: rates } } : {}) },
      seed: 7,
    }),
    whyNotSent: () => null,
    module: ODD,
    together: false,
  });

test("every suite of the project takes rates as one axis more, and its own loop stays what it is", () => {
  for (const suite of SUITES) {
    const rated = withRate(suite);
    assert.equal(suiteFault(rated), null, suite.name);
    const point = { suite: suite.name, at: probeOf(suite) };
    const closed = { ...point, at: { ...point.at, [RATE]: "closed" } };
    assert.deepEqual(rated.requests(closed), suite.requests(point));
    const { pace, ...requests } = rated.requests({ ...point, at: { ...point.at, [RATE]: 2_000 } });
    const { pace: own, ...others } = suite.requests(point);
    assert.deepEqual(requests, others);
    // No connection is due more than a hundred a second.
    const connections = Math.max(4 * (own as { closed: number }).closed, 20);
    assert.deepEqual(pace, { perSecond: 2_000, connections });
  }
});

test("a plan without rates has no such axis; one with them has cells at each, and a ceiling of closed loops alone", async () => {
  const plain = await planOf();
  assert.ok(plain.axes.every(({ name }) => name !== RATE));
  assert.ok(plain.cells.every(({ point }) => !(RATE in point.at)));
  const rated = planSchema.parse(await planOf(withRate(oddSuite), [5_000, "closed", 1_000]));
  assert.deepEqual(rated.axes.at(-1)!.values.map(({ text }) => text), ["closed", "1k", "5k"]);
  const rates = Map.groupBy(rated.cells.filter(({ label }) => label === "main"), ({ point }) => point.at[RATE]);
  assert.deepEqual([...rates.values()].map(({ length }) => length), Array(3).fill(plain.solo.length - 1));
  const places = rated.ceilings.flatMap(({ cell, stands_for }) => [cell, ...stands_for]);
  assert.ok(places.length > 0 && places.every((place) => rated.cells[place]!.point.at[RATE] === "closed"));
});

test("a plan at rates is of a suite that takes them, one without is of the suite as it is", async () => {
  const stored = { wanted: null, against: undefined, folder: process.cwd() };
  const rated = await suiteOfPlan({ ...stored, plan: await planOf(withRate(oddSuite), [1_000]) });
  assert.ok(rated.axes.includes(rateAxis));
  assert.equal(await suiteOfPlan({ ...stored, plan: await planOf() }), oddSuite);
});

test("what a suite expects, it expects of its own loop", async () => {
  const rated = await planOf(withRate(oddSuite), [1_000]);
  assert.deepEqual(rated.expectations, []);
});

test("a generator that cannot keep a rate is refused in one line with those that can, before anything else", () => {
  const suite = withRate(oddSuite);
  const refusal = (generator: string, rates: readonly unknown[]) => {
    try {
      refuseRates(suite, { [RATE]: rates }, generator);
    } catch (error) {
      assert.ok(error instanceof BenchError);
      return `${error.message}; ${error.hint}`;
    }
    return null;
  };
  assert.equal(refusal("wrk", [1_000]), "wrk cannot keep a rate, h2load and k6 can; --generator h2load");
  assert.equal(refusal("h2load", [1_000]), null);
  assert.equal(refusal("wrk", ["closed"]), null);
  const pace = { perSecond: 1, connections: 1 };
  for (const [name, generator] of Object.entries(GENERATORS)) {
    const why = whyNot(generator, { pace, mix: [{ path: "/", expect: [200] }] });
    assert.equal(why === null, refusal(name, [1_000]) === null, name);
  }
});
