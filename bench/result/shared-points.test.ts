import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { pointName } from "../record/cell.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { readRun } from "../runs/read-run.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { acrossMachines } from "./across-machines.ts";
import { compareRuns } from "./compare-runs.ts";
import { comparedRun } from "./published.ts";
import { pointKeyOver } from "./shared-points.ts";
import { trackRuns } from "./track.ts";

const stored = (name: string) => {
  const { run, lines } = readRun(join(PROJECT_ROOT, "results", name));
  return comparedRun(run, lines, undefined);
};

test("a stored run made before a suite got further axes is compared, followed and held on several machines", () => {
  const [older, newer] = [stored("reference-routes-intel-6-207"), stored("reference-routes-amd-25-17")];
  const axes = newer.run.plan.axes.map(({ name }) => name);
  assert.ok(axes.length > older.run.plan.axes.length, "the newer one has axes that the older one lacks");
  const { cells } = compareRuns(older, newer);
  const http = newer.run.plan.cells.filter(({ point: { at }, label }) => at["protocol"] === "http" && label === "main");
  assert.equal(cells.length, http.length);
  assert.ok(cells.every(({ over, under }) => over !== null && under !== null));
  const [track] = trackRuns([older, newer]);
  const both = track!.cells.filter(({ cards }) => cards.every((card) => card !== null));
  assert.equal(both.length, cells.length);
  const across = acrossMachines([older, newer]);
  assert.ok(!("cause" in across) && across.comparisons.length > 0, JSON.stringify(across).slice(0, 200));
});

test("an axis that a run lacks has the default that a plan names, or the one value that its names leave out", () => {
  const fixture = makeFixture({});
  const point = fixture.run.plan.cells[0]!.point;
  const withAxis = (change: Partial<PlanAxis>) => {
    const axis = { ...planAxis("workers", ["1", "2"]), ...change };
    return { run: { ...fixture.run, plan: { ...fixture.run.plan, axes: [...fixture.run.plan.axes, axis] } } };
  };
  const at = (value: string) => ({ ...point, at: { ...point.at, workers: value } });
  const shared = (change: Partial<PlanAxis>, value: string) => {
    const keyOf = pointKeyOver([fixture, withAxis(change)]);
    return keyOf(point) === keyOf(at(value));
  };
  assert.ok(shared({ default: "1" }, "1"), pointName(fixture.run.plan.axes, point));
  assert.ok(!shared({ default: "1" }, "2"));
  assert.ok(shared({ shown: false, values: [{ value: "1", text: "1", facts: {} }] }, "1"));
  assert.ok(!shared({}, "1"), "of several values none is known to be the default");
});
