import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { plausible } from "../../tests/fixtures/plausible-run.ts";
import { makeRateRun } from "../../tests/fixtures/rate-run.ts";
import type { Observation, Window } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { scheduleFaults, timeFaults, windowFaults } from "./schedule-faults.ts";

const { run, lines } = plausible(makeOddFixture({ rounds: 2 }));
const at = (n: number, change: (line: Observation) => void) => {
  const copy = structuredClone(lines);
  change(copy[n]!);
  return copy;
};

test("lines that were not planned so, stand twice, in another order or not at all are named", () => {
  const first = lines.findIndex(({ kind }) => kind === "ensemble");
  const cases: [readonly Observation[], RegExp][] = [
    [lines.slice(0, -1), /^step \d+ \(.*\) is missing$/],
    [[...lines, lines[3]!], /^step 3 stands twice in journal\.ndjson$/],
    [[lines[1]!, lines[0]!, ...lines.slice(2)], /^step 0 stands after step 1$/],
    [at(5, (line) => line.round = 1), /^step 5 is not the planned one: /],
    [at(5, (line) => line.draw_seed++), /^step 5 is not the planned one: /],
    [at(5, (line) => line.members[0]!.cell.label = "other"), /^step 5 is not the planned one: /],
    [at(first, (line) => line.order.reverse()), /^step \d+ is not the planned one: ensemble /],
    [at(first, (line) => line.members.reverse()), /^step \d+ is not the planned one: ensemble /],
    [at(first, (line) => line.purpose = "pair"), /^step \d+ is not the planned one: ensemble /],
    [at(0, (line) => line.index = 9_999), /^step 9999 was never planned$/],
  ];
  for (const [changed, fault] of cases) {
    const faults = scheduleFaults(run, changed);
    assert.ok(faults.some((text) => fault.test(text)), `${fault}: ${faults.join("; ")}`);
  }
  assert.deepEqual(scheduleFaults(run, lines), []);
  assert.deepEqual(scheduleFaults({ ...run, state: "interrupted" }, lines.slice(0, 7)), []);
});

test("steps that begin before the one before has ended, or lie outside the run, are named", () => {
  const shift = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
  const last = lines.length - 1;
  const cases: [Partial<RunRecord>, readonly Observation[], RegExp][] = [
    [{}, at(2, (line) => line.started_at = shift(line.started_at, -1_500)), /^step 2 began 1500 ms before step 1 had/],
    [{}, at(2, (line) => line.wall_ms += 1_500), /^step 3 began 1500 ms before step 2 had ended$/],
    [{}, at(last, (line) => line.wall_ms += 1_500), /^the run ended 1500 ms before step \d+ had ended$/],
    [{ started_at: shift(run.started_at, 2_000) }, lines, /^step 0 began 2000 ms before the run began$/],
    [{ finished_at: null }, lines, /^the run is finished and ended null$/],
  ];
  for (const [change, changed, fault] of cases) {
    const faults = timeFaults({ ...run, ...change }, changed);
    assert.ok(faults.length === 1 && fault.test(faults[0]!), `${fault}: ${faults.join("; ")}`);
  }
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
