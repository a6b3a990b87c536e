/** The quick plans of all suites: each has what its first question needs, within its time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asMeasuredBy } from "../bench/options/in-process.ts";
import { planOf } from "../bench/options/plan-of.ts";
import { settle } from "../bench/options/settle.ts";
import { whyAlone } from "../bench/plan/why-alone.ts";
import { plannedMs } from "../bench/plan/pace.ts";
import { PROFILES } from "../bench/plan/profile.ts";
import { takesText, timedText } from "../bench/report/measure-text.ts";
import { AA } from "../bench/record/cell.ts";
import type { Plan } from "../bench/record/plan.ts";
import { thresholds } from "../bench/statistics/thresholds.ts";
import { SUITES } from "../suites/registry.ts";
import type { At, Suite, Value } from "../suites/suite.ts";

const QUICK_MS = PROFILES.quick.timeMs;

/** The quick plan of a suite, of those values that were chosen by hand. */
async function quickOf(suite: Suite, at: Readonly<Record<string, readonly Value[]>> = {}): Promise<Plan> {
  const settled = settle(suite, { profile: PROFILES.quick, given: { at }, seed: 1 });
  const measured = asMeasuredBy(settled.generator, suite);
  return await planOf({ suite: measured, origin: { module: null } }, settled, { grade: "shared" });
}

const axesOf = (role: string, { axes }: Suite) =>
  axes.filter((axis) => (axis.role === "contrast") === (role === "contrast"));

for (const suite of SUITES) {
  test(`${suite.name}: a quick plan has the rounds and ensembles of its first question, within its time`, async () => {
    const plan = await quickOf(suite);
    assert.ok(plan.rounds >= thresholds.leastRounds.value);
    assert.ok(plannedMs(plan) <= QUICK_MS, `${plannedMs(plan)} ms`);
    assert.ok(plan.ensembles.length > 0);
    for (const { cells, rounds } of plan.ensembles) {
      assert.equal(rounds, plan.rounds);
      assert.equal(cells.filter((place) => plan.cells[place]!.label === AA).length, 1, "an A/A twin in each");
    }
    const [first] = axesOf("contrast", suite).filter(({ values }) => values.length > 1);
    const conditions = axesOf("condition", suite);
    const members = plan.ensembles.map(({ cells }) => cells.map((place) => plan.cells[place]!.point.at));
    assert.ok(members.every((points) => new Set(points.map((at) => at[first!.name])).size > 1));
    // All cells of the first question under these conditions are members.
    const isUnder = (at: At) => conditions.every(({ name }) => members[0]![0]![name] === at[name]);
    const together = new Set(members.flat().map((at) => JSON.stringify(at)));
    const apart = plan.cells.map(({ point }) => point.at).filter((at) =>
      isUnder(at) && !together.has(JSON.stringify(at))
    );
    assert.deepEqual(apart, []);
  });

  test(`${suite.name}: a quick plan names the default values that it leaves out`, async () => {
    const plan = await quickOf(suite);
    for (const { name, values, format } of suite.axes) {
      const named = plan.left_out?.find(({ axis }) => axis === name)?.values ?? [];
      const measured = plan.axes.find((axis) => axis.name === name)!.values.map(({ text }) => text);
      assert.deepEqual([...measured, ...named].toSorted(), values.map(format).toSorted(), name);
    }
  });
}

test("a quick plan leaves out no value that was chosen by hand, whatever the time", async () => {
  const frameworks = SUITES.find(({ name }) => name === "frameworks")!;
  const all = frameworks.axes.find(({ name }) => name === "framework")!.values;
  const plan = await quickOf(frameworks, { framework: all });
  assert.equal(plan.left_out, undefined);
  assert.equal(new Set(plan.cells.map(({ point }) => point.at["framework"])).size, all.length);
  assert.ok(plannedMs(plan) > QUICK_MS);
  assert.equal(plan.rounds, thresholds.leastRounds.value);
});

test("an axis that a suite's author wrote with one round and any probe gets the same quick plan", async () => {
  const templates = SUITES.find(({ name }) => name === "templates")!;
  const first = templates.axes.find(({ role }) => role === "contrast")!.name;
  for (const template of ["json", "full"]) {
    const plan = await quickOf({ ...templates, probe: { template, engine: "none", runtime: "bun" } });
    const [members] = plan.ensembles.map(({ cells }) => cells.map((place) => plan.cells[place]!.point.at));
    assert.ok(new Set(members!.map((at) => at[first])).size > 1, template);
  }
});

test("a plan of cells that are all measured alone says why, by the suite's own reason", async () => {
  const drivers = SUITES.find(({ name }) => name === "drivers")!;
  assert.match(whyAlone(drivers, await quickOf(drivers, { service: ["real"] }))!, /PostgreSQL is waited for/);
  assert.equal(whyAlone(drivers, await quickOf(drivers)), null);
});

test("a time says what it is spread over, and that it is too short where three rounds take longer", async () => {
  const users = SUITES.find(({ name }) => name === "users")!;
  const plan = await quickOf(users), short = { ...plan, timed: { ...plan.timed!, ms: 5_000 } };
  assert.match(timedText(plan)!, /^7m 0s for the answer: round 1 counts \d\.\ds of each server, and what rounds cost/);
  assert.doesNotMatch(takesText(plan, plannedMs(plan)), /more than its time/);
  assert.match(takesText(short, plannedMs(plan)), /more than its time, as a verdict needs three rounds/);
  assert.equal(timedText({ ...plan, timed: undefined }), null);
});
