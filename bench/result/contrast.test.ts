import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan } from "../record/plan.ts";
import { makeObservation } from "../../tests/fixtures/made-up-windows.ts";
import { DRAWN, generatorAt } from "../plan/generator-windows.ts";
import { mark } from "../record/mark.ts";
import { contrastRows, contrastsOf, ratios } from "./contrast.ts";

/** Three rounds: wrk at 100, 90 and 110, the other at a share of it, one of its windows not sound. */
const rounds = (share: number, change: Parameters<typeof makeObservation>[1] = {}) =>
  [100, 90, 110].map((rate) =>
    makeObservation([
      { at: generatorAt("autocannon", "apart"), rate: rate * share, bound: "generator" },
      { at: generatorAt("wrk", "apart"), rate },
      { at: DRAWN, rate: rate * 0.9 },
      { at: generatorAt("wrk", "one-core"), rate: rate * 0.6 },
      { at: generatorAt("autocannon", "one-core"), rate: rate * 0.2 },
    ], change)
  );

test("ratios are taken round by round, and a window that is not sound takes its round with it", () => {
  const observations = rounds(0.5);
  assert.deepEqual(ratios(observations, generatorAt("autocannon", "apart"), generatorAt("wrk", "apart")), [
    0.5,
    0.5,
    0.5,
  ]);
  observations[1]!.windows![0]!.marks = [mark("generator-failed", "out of luck")];
  const [wrk, other] = contrastRows(observations, ["wrk", "autocannon"]);
  assert.deepEqual([wrk!.over_wrk, wrk!.over_wrk_least, wrk!.over_wrk_most, wrk!.sound], [1, 1, 1, 3]);
  assert.deepEqual([other!.sound, other!.windows, other!.marks], [2, 3, [
    mark("generator-failed", "out of luck"),
  ]]);
  assert.equal(other!.requests_per_second, (50 + 55) / 2);
  assert.equal(other!.bound, "generator");
});

test("a generator none of whose windows is sound has no figures", () => {
  const observations = rounds(0.5);
  for (const { windows } of observations) windows![0]!.marks = [mark("generator-failed", "out of luck")];
  const rows = contrastRows(observations, ["wrk", "autocannon"]);
  const row = rows.find(({ generator, place }) => generator === "autocannon" && place === "apart")!;
  assert.deepEqual([row.requests_per_second, row.over_wrk, row.bound], [null, null, "unknown"]);
});

test("each cell of a plan with the axis generator has its rows and what drawn requests cost, other plans have none", () => {
  const { run } = makeFixture({ sizes: [10_000], stores: ["map"], runtimes: ["bun"] });
  const cells = run.plan.cells.slice(0, 1);
  const plan: Plan = {
    ...run.plan,
    cells,
    further: { axis: "generator", generators: ["wrk"], absent: [], request: { method: "GET", path: "/" } },
  };
  const lines = rounds(0.5).map((line) => ({ ...line, members: [{ cell: cells[0]! }] }) as unknown as Observation);
  const [contrast, ...others] = contrastsOf(plan, lines, () => "bun")!;
  assert.deepEqual([contrast!.name, contrast!.drawn_over_one, others], ["bun", 0.9, []]);
  assert.deepEqual(contrast!.rows.map(({ generator, place }) => `${generator} ${place}`), [
    "wrk apart",
    "wrk one-core",
  ]);
  assert.equal(contrastsOf(run.plan, lines, () => "bun"), undefined);
});
