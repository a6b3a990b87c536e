import assert from "node:assert/strict";
import { test } from "node:test";
import { SUITES } from "../../suites/registry.ts";
import { withAgents } from "../generators/user-agent.ts";
import { makePlan } from "../plan/make-plan.ts";
import { probeOf } from "../plan/points.ts";
import { PROFILES } from "../plan/profile.ts";
import { scheduleOf } from "../plan/schedule.ts";
import { PROTOCOL_AXIS, PROTOCOLS } from "../record/cell.ts";
import { suiteFault } from "../sources/load-suite.ts";
import { settle } from "./settle.ts";
import { withProtocol } from "./extra-axes.ts";

test("every suite of the project takes protocols as one axis more, and plain HTTP/1.1 is as without", () => {
  for (const suite of SUITES) {
    const extended = withProtocol(suite, PROTOCOLS);
    assert.equal(suiteFault(extended), null, suite.name);
    const at = probeOf(suite);
    const requests = suite.requests({ suite: suite.name, at });
    const by = (protocol: string) => extended.requests({ suite: suite.name, at: { ...at, [PROTOCOL_AXIS]: protocol } });
    // All cells have the user agent that h2load cannot leave out; without HTTP/2 nothing is added.
    assert.deepEqual(by("http"), withAgents(requests), suite.name);
    assert.deepEqual(by("h2"), { ...withAgents(requests), protocol: "h2" }, suite.name);
    const plain = withProtocol(suite, ["http", "https"]);
    assert.deepEqual(
      plain.requests({ suite: suite.name, at: { ...at, [PROTOCOL_AXIS]: "http" } }),
      requests,
      suite.name,
    );
  }
});

const [routes] = SUITES.filter(({ name }) => name === "routes") as [(typeof SUITES)[number]];

const planOf = (...protocols: readonly (typeof PROTOCOLS)[number][]) => {
  const suite = withProtocol(routes, protocols);
  const settled = settle(suite, { profile: PROFILES.quick, given: { at: { [PROTOCOL_AXIS]: protocols } } });
  return makePlan(suite, { ...settled, module: null, together: false });
};

test("wrk measures TLS, and h2load all of a plan that has HTTP/2", async () => {
  assert.equal((await planOf("http", "https")).generator, "wrk");
  assert.equal((await planOf("http", "h2")).generator, "h2load");
});

test("only plain HTTP/1.1 has a ceiling, and a quick plan of three protocols is short", async () => {
  const plan = await planOf("http", "https", "h2");
  const places = plan.ceilings.flatMap(({ cell, stands_for }) => [cell, ...stands_for]);
  assert.ok(places.length > 0 && places.every((place) => plan.cells[place]!.point.at[PROTOCOL_AXIS] === "http"));
  assert.ok(scheduleOf(plan).filter(({ round }) => round < plan.rounds).length <= 45);
  assert.ok(plan.rounds > 2 && plan.solo.every(({ rounds }) => rounds === plan.rounds), "each protocol in every round");
  const steps = plan.expectations.find((one) => one.kind === "steps" && one.axis === PROTOCOL_AXIS);
  assert.deepEqual(steps && "values" in steps && steps.values, PROTOCOLS);
});

test("a table of steps along another axis stands at each protocol", () => {
  const suite = withProtocol(routes, ["http", "https"]);
  const along = suite.expectations!.filter((one) => one.kind === "steps" && one.axis === "reuse");
  assert.deepEqual(along, routes.expectations!.filter((one) => one.kind === "steps" && one.axis === "reuse"));
  assert.equal(along.length, 1);
});
