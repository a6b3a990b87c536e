import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeRun } from "../../tests/fixtures/derived-run.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import type { ComparedRun } from "./compare-runs.ts";
import { type TrackedStep, trackRuns } from "./track.ts";

const small = { runtimes: ["node", "deno"], stores: ["sqlite"], sizes: [10_000] };

/** A run a day, each as fast as said. */
function days(speeds: readonly number[], change: (run: ComparedRun["run"], day: number) => object = () => ({})) {
  return speeds.map((speed, day): ComparedRun => {
    const { run, lines } = makeFixture({ ...small, run: `day-${day}`, speed });
    const at = { ...run, started_at: new Date(Date.UTC(2026, 10, 1 + day)).toISOString() };
    const changed = { ...at, ...change(at, day) };
    return wholeRun({ run: changed, lines });
  });
}
const steady = [1, 1.004, 0.997, 1.002, 0.999, 1.003];
const slower = [0.8, 0.803, 0.798, 0.801, 0.8];
const stepsOf = (runs: readonly ComparedRun[]) =>
  trackRuns(runs)[0]!.cells.flatMap(({ steps }) => steps.map(({ at, step }) => [at, step.verdict]));

test("a change that several runs a side carry is one step in each cell, where it is, whatever order runs come in", () => {
  const runs = days([...steady, ...slower]);
  assert.deepEqual(stepsOf(runs), [[6, "slower"], [6, "slower"]]);
  assert.deepEqual(trackRuns(runs.toReversed()), trackRuns(runs));
  const [cell] = trackRuns(runs)[0]!.cells;
  const [{ before, after, step }] = cell!.steps as [TrackedStep];
  assert.deepEqual([before, after], [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]);
  assert.ok(step.interval.low < 0.8 && step.interval.high > 0.8 && step.interval.high < 0.9, JSON.stringify(step));
});

test("two runs after a change, and runs that vary as much as it, make no step", () => {
  assert.deepEqual(stepsOf(days([...steady, 0.8, 0.803])), []);
  assert.deepEqual(stepsOf(days([1, 0.8, 1.1, 0.9, 0.85, 0.95, 0.75, 0.8, 1, 0.7])), []);
});

test("a change that came and went is two steps, and a copy of a run is no further run", () => {
  assert.deepEqual(
    stepsOf(days([...steady, ...slower, ...steady])),
    [[6, "slower"], [11, "faster"], [6, "slower"], [11, "faster"]],
  );
  const few = days([...steady.slice(0, 3), 0.8, 0.803]);
  assert.equal(trackRuns([...few, few[4]!, few[4]!])[0]!.runs.length, 5);
  assert.deepEqual(stepsOf([...few, few[4]!, few[4]!]), []);
});

test("runs on unlike CPUs are told as a change and make no step", () => {
  const runs = days(
    [...steady, ...slower],
    ({ machine }, day) => day < 6 ? {} : { machine: { ...machine, cpu_kind: "arm-9" } },
  );
  const [track] = trackRuns(runs);
  assert.deepEqual(stepsOf(runs), []);
  assert.deepEqual(track!.runs.map(({ changes }) => changes.length > 0), runs.map((_, day) => day === 6));
  assert.match(track!.runs[6]!.changes.join(), /machine: cpu_kind: "amd-25-1" -> "arm-9"/);
});

test("another commit of the same code, and other reasons of the same grade, are no change", () => {
  const runs = days([1, 1], ({ levelfield, grade }, day) => ({
    levelfield: { ...levelfield, git_commit: `${day}`.repeat(40) },
    grade: { ...grade, reasons: [`a load average of ${day}`] },
  }));
  assert.deepEqual(trackRuns(runs)[0]!.runs.map(({ changes }) => changes), [[], []]);
});

test("the more places are looked at, the more a step takes", () => {
  const levelAt3 = (more: number) => {
    const runs = days([...steady.slice(0, 3), ...slower.slice(0, 3), ...Array.from({ length: more }, () => 0.8)]);
    return trackRuns(runs)[0]!.cells[0]!.steps.find(({ at }) => at === 3)!.step.interval.level;
  };
  // One look at two cells; then five places with three runs, of which three have more as well: eight.
  assert.deepEqual([0, 4].map(levelAt3), [1 - 0.05 / 2, 1 - 0.05 / 16]);
});

test("versions of a runtime measured together in one run make a step by that run alone, the newer over the older", () => {
  const made = makeFixture({ ...small, runtimes: ["node", "deno"], together: "all", rounds: 8 });
  const runtimes = made.run.runtimes.map((one) => ({
    ...one,
    name: "node",
    version: one.label === "deno" ? "26.11.0" : "26.10.0",
  }));
  const of = (run: ComparedRun["run"]) => trackRuns([wholeRun({ run, lines: made.lines })])[0]!.runs[0]!.within;
  assert.deepEqual(of(made.run), []);
  const [step, ...more] = of({ ...made.run, runtimes });
  assert.deepEqual([step!.over, step!.under, step!.verdict, more], [
    "deno/sqlite/10k",
    "node/sqlite/10k",
    "faster",
    [],
  ]);
});
