import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { plausible } from "../../tests/fixtures/plausible-run.ts";
import { makeRateRun } from "../../tests/fixtures/rate-run.ts";
import type { Observation, Window } from "../record/observation-record.ts";
import { scheduleFaults, timeFaults, windowFaults } from "./schedule-faults.ts";

const { run, lines } = plausible(makeOddFixture({ rounds: 2 }));
const at = (n: number, change: (line: Observation) => void) => {
  const copy = structuredClone(lines);
  change(copy[n]!);
  return copy;
};

// tests/forgeries.test.ts has lines that are moved, doubled, left out, changed or of another time.
test("a step that was never planned is named, and a run that ended early has no fault", () => {
  const faults = scheduleFaults(run, at(0, (line) => line.index = 9_999));
  assert.ok(faults.some((text) => /^step 9999 was never planned$/.test(text)), faults.join("; "));
  assert.deepEqual(scheduleFaults(run, lines), []);
  assert.deepEqual(scheduleFaults({ ...run, state: "interrupted" }, lines.slice(0, 7)), []);
  assert.deepEqual(timeFaults(run, lines), []);
});

const { run: { plan: ratePlan }, lines: rateLines } = makeRateRun();

/** Lines with other windows in one of them. */
const withWindows = (lines: readonly Observation[], index: number, change: (windows: Window[]) => Window[]) =>
  lines.map((line) => line.index === index ? { ...line, windows: change([...line.windows!]) } : line);

test("windows along rates are those that measuring chooses again, by what was measured before", () => {
  const faultsOf = (changed: readonly Observation[]) => windowFaults({ plan: ratePlan }, changed);
  assert.deepEqual(faultsOf(rateLines), []);
  const { further: _, ...plain } = ratePlan;
  assert.deepEqual(windowFaults({ plan: plain }, rateLines), []);
  const isWindow = (index: number, place: number, found: readonly string[]) => {
    const fault = `step ${index}: window ${place} is not the one that follows from what was measured before`;
    assert.ok(found.includes(fault), `${fault}: ${found.join("; ")}`);
  };
  for (const { index, windows } of rateLines) {
    const changed = (change: (windows: Window[]) => Window[]) => faultsOf(withWindows(rateLines, index, change));
    for (const place of windows!.keys()) {
      const found = changed((all) => all.toSpliced(place, 1));
      assert.ok(
        found.some((fault) => fault.startsWith(`step ${index}: window `)),
        `step ${index}, window ${place + 1}`,
      );
    }
    isWindow(index, windows!.length + 1, changed((all) => [...all, all[0]!]));
  }
  isWindow(
    0,
    1,
    faultsOf(withWindows(rateLines, 0, ([one, ...all]) => [{ ...one!, per_second: one!.per_second! + 1 }, ...all])),
  );
});
