import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../suites/routes/suite.ts";
import { planOf } from "./plan-of.ts";
import { settle } from "./settle.ts";
import { withRate } from "./extra-axes.ts";
import { AA, CLOSED_LOOP, RATE } from "../record/cell.ts";
import { paceOf } from "../plan/pace.ts";
import { PROFILES } from "../plan/profile.ts";
import { scheduleOf } from "../plan/schedule.ts";
import type { Value } from "../../suites/suite.ts";

const planAt = (
  profile: keyof typeof PROFILES,
  rates: readonly Value[],
  { runtimes = ["node", "bun"], alone = false }: { runtimes?: readonly string[]; alone?: boolean } = {},
) => {
  const suite = withRate(routes);
  const at = { runtime: runtimes, route: ["health"], [RATE]: rates };
  const settled = settle(suite, { profile: PROFILES[profile], given: { at }, seed: 7, alone });
  return planOf({ suite, origin: { module: null } }, settled, { grade: "advisory" });
};

test("two cells at two rates are compared in three minutes where that is to be quick, in as many rounds as tell them apart", async () => {
  const plan = await planAt("quick", ["50%", "90%"]);
  const steps = scheduleOf(plan).filter(({ round }) => round < plan.rounds);
  const took = paceOf(plan).remainingMs(steps);
  assert.ok(took > 60_000 && took < 180_000, String(took));
  // Seven rounds that agree are 1 in 64 by chance, and two rates have 5 % together.
  assert.deepEqual([plan.rounds, steps.length, plan.alone_rounds], [7, 7, 7]);
  assert.ok(steps.every(({ kind, alone, cells }) => kind === "ensemble" && alone && cells.length === 2));
  assert.equal((await planAt("quick", ["50%"])).rounds, 6);
  assert.equal((await planAt("quick", ["50%", "90%"], { runtimes: ["node", "bun", "deno"] })).rounds, 8);
});

test("cells that share their conditions have their windows by turns, with one of them twice; one alone has its own", async () => {
  const plan = await planAt("default", ["50%"]);
  const [{ cells, rounds, purpose }] = plan.ensembles as [typeof plan.ensembles[number]];
  assert.deepEqual([plan.ensembles.length, cells.length, rounds, purpose], [1, 3, plan.rounds, "matrix"]);
  assert.ok(cells.every((place) => plan.cells[place]!.point.at[RATE] === CLOSED_LOOP));
  assert.deepEqual(plan.cells.map(({ label }) => label).filter((label) => label === AA).length, 2);
  assert.deepEqual([plan.solo, plan.ceilings], [[], []]);
  for (
    const single of [
      await planAt("default", ["50%"], { runtimes: ["bun"] }),
      await planAt("default", ["50%"], { alone: true }),
    ]
  ) {
    assert.deepEqual(single.ensembles, []);
    assert.ok(single.solo.length > 0 && single.solo.every(({ rounds }) => rounds === single.rounds));
    assert.ok(single.cells.every(({ label }) => label !== AA));
  }
});
