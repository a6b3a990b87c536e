import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { expectedMs, paceOf, type TimeTaken } from "./pace.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { expectedLoadMs, scheduleOf } from "./schedule.ts";

const plan: Plan = {
  ...smallPlan,
  cells: smallPlan.cells.slice(0, 2),
  solo: [0, 1].map((cell) => ({ cell, rounds: 1 })),
  rounds: 1,
};

test("what is left is told from each step's own times, or from its load and what others took beyond theirs", () => {
  const pace = paceOf(plan);
  const ahead = scheduleOf(plan);
  const [ceiling, solo] = ["ceiling", "solo"].map((kind) =>
    expectedMs(plan, ahead.find((step) => step.kind === kind)!)
  );
  assert.equal(expectedLoadMs(plan), 13_000);
  assert.equal(pace.remainingMs([]), 0);
  assert.equal(pace.remainingMs(ahead), ceiling! + 2 * solo!);
  assert.ok(pace.remainingMs(ahead) > expectedLoadMs(plan), "starting and stopping takes its time");
  const first = ahead.find((step) => step.kind === "solo")!;
  pace.note(first, 5_000);
  pace.note(first, 7_000);
  // The same step its mean of 6 s; the ceiling as all did against what was expected, in which two steps count for little.
  const all = (12_000 + 8 * solo!) / (10 * solo!);
  assert.ok(Math.abs(pace.remainingMs([ahead[0]!]) - (ahead[0]!.kind === "ceiling" ? ceiling! * all : 6_000)) < 1e-6);
  assert.equal(pace.remainingMs([first]), 6_000);
  // The other one as those of its kind, of which what all took was expected.
  const other = ahead.findLast((step) => step.kind === "solo")!;
  const ofKind = (12_000 + 8 * solo! * all) / (10 * solo!);
  assert.ok(Math.abs(pace.remainingMs([other]) - solo! * ofKind) < 1e-6);
});

test("a warm-up until steady is expected to take as long as the suite says", () => {
  const of = (expected: object) =>
    expectedLoadMs({ ...plan, warmup: { kind: "steady", most_ms: 12_000, ...expected } });
  assert.equal(of({ expected_ms: 7_500 }) - of({}), 2 * (7_500 - 2_500));
});

test("a kind of step none was made of takes its load times what the others took against theirs", () => {
  const ensembles = [{ purpose: "matrix" as const, cells: [0, 1], rounds: 1 }];
  const two: Plan = { ...plan, ensembles, alone_rounds: 0 };
  const [ceiling, solo, pair] = ["ceiling", "solo", "ensemble"].map((kind) =>
    scheduleOf(two).find((step) => step.kind === kind)!
  ) as [PlannedObservation, PlannedObservation, PlannedObservation];
  const pace = paceOf(two);
  const expected = expectedMs(two, pair);
  assert.equal(pace.remainingMs([pair]), expected);
  for (let n = 0; n < 500; n++) {
    pace.note(solo, 2 * expectedMs(two, solo));
    pace.note(ceiling, 2 * expectedMs(two, ceiling));
  }
  const share = pace.remainingMs([pair]) / expected;
  assert.ok(share > 1.97 && share < 2, `${share}`);
  // Those of its own kind count for more than all others, and what it is asked to do besides is another step.
  for (let n = 0; n < 500; n++) pace.note(pair, 3 * expected);
  const alone = { ...pair, alone: true };
  assert.ok(Math.abs(pace.remainingMs([pair]) - 3 * expected) < 1e-6);
  const ofKind = pace.remainingMs([alone]) / expectedMs(two, alone);
  assert.ok(ofKind > 2.97 && ofKind < 3, `${ofKind}`);
  assert.ok(expectedMs(two, alone) > expected);
});

test("one step that took ten times as long moves what is left little, as many that took twice as long do not", () => {
  const cells = smallPlan.cells.slice(0, 2);
  const many: Plan = { ...smallPlan, cells, solo: cells.map((_, cell) => ({ cell, rounds: 20 })), rounds: 20 };
  const others = scheduleOf(many).filter((step) => step.kind === "solo" && step.cells[0] !== cells[0]);
  const [odd] = scheduleOf(many).filter((step) => step.kind === "solo" && step.cells[0] === cells[0]);
  const pace = paceOf(many);
  const before = pace.remainingMs(others);
  pace.note(odd!, 10 * expectedMs(many, odd!));
  const after = pace.remainingMs(others) / before;
  assert.ok(after > 1 && after < 3, `after one step ${after}`);
  const slow = paceOf(many);
  for (let n = 0; n < 40; n++) slow.note(odd!, 2 * expectedMs(many, odd!));
  const settled = slow.remainingMs(others) / before;
  assert.ok(settled > 1.8 && settled <= 2, `after forty ${settled}`);
});

test("before any step is made, earlier runs on this machine say how long they take, kind by kind and suite by suite", () => {
  const ahead = scheduleOf(plan);
  const [solo] = ahead.filter((step) => step.kind === "solo") as [PlannedObservation];
  const [ceiling] = ahead.filter((step) => step.kind === "ceiling") as [PlannedObservation];
  const took = (share: number, other: Partial<TimeTaken> = {}): TimeTaken => {
    const alone = { suite: plan.suite.name, kind: "solo" as const, warmup: plan.warmup.kind };
    return { ...alone, servers: 800, spentMs: share * 1e6, expectedMs: 1e6, ...other };
  };
  const shareOf = (step: PlannedObservation, ...earlier: TimeTaken[]) =>
    paceOf(plan, earlier).remainingMs([step]) / expectedMs(plan, step);
  const near = (share: number, expected: number) => assert.ok(Math.abs(share / expected - 1) < 0.01, `${share}`);
  near(shareOf(solo, took(1.6)), 1.6);
  // What scans took alone says nothing of other kinds of steps, nor does one warm-up of the other.
  assert.equal(shareOf(ceiling, took(1.6)), 1);
  const warmup = plan.warmup.kind === "steady" ? "fixed" : "steady";
  assert.equal(shareOf(solo, took(1.6, { warmup })), 1);
  // Another suite does where nothing better is known, and few servers of the same one count as much as what they are.
  near(shareOf(solo, took(1.6, { suite: "another" })), 1.6);
  near(shareOf(solo, took(1.6, { suite: "another" }), took(1.2)), 1.2);
  near(shareOf(solo, took(1.6, { suite: "another" }), { ...took(1.2), servers: 8 }), 1.4);
});

test("what a run took is told in what was expected of it without earlier ones, so that a next one can go by it", () => {
  const ahead = scheduleOf(plan);
  const earlier: TimeTaken[] = [];
  // On a machine that takes one and a half of what the constants say, run after run.
  for (let n = 0; n < 3; n++) {
    const pace = paceOf(plan, earlier);
    for (const step of ahead) pace.note(step, 1.5 * expectedMs(plan, step));
    const taken = pace.taken();
    assert.deepEqual(taken.map(({ kind, servers }) => [kind, servers]).sort(), [["ceiling", 1], ["solo", 2]]);
    for (const { spentMs, expectedMs: expected } of taken) assert.ok(Math.abs(spentMs / expected - 1.5) < 1e-9);
    earlier.splice(0, Infinity, ...taken.map((one) => ({ ...one, servers: 1e6 })));
  }
  const told = paceOf(plan, earlier).remainingMs(ahead) / paceOf(plan).remainingMs(ahead);
  assert.ok(Math.abs(told - 1.5) < 1e-3, `${told}`);
  assert.deepEqual(paceOf(plan).taken(), []);
});

test("a server of one's own is expected to take as long to start as it did when it was tried", () => {
  const cells = [["slow", null], ["slow", "bun"], ["quick", "bun"]].map(([app, runtime]) => ({
    label: "main",
    point: { suite: "own", at: { app: app!, ...(runtime === null ? {} : { runtime: runtime! }) } },
  }));
  const starts = [{ app: "slow", runtime: null, ms: 20_000 }, { app: "quick", runtime: "bun", ms: 50 }];
  const tried = { ...plan, cells, suite: { ...plan.suite, own: { starts } } } as unknown as Plan;
  const step = { ...scheduleOf(plan).find(({ kind }) => kind === "solo")! };
  const besides = (cell: number, kind = step.kind) => {
    const ofCell = { ...step, kind, cells: [cells[cell]!] };
    return expectedMs(tried, ofCell) - expectedMs({ ...tried, suite: plan.suite }, ofCell);
  };
  assert.deepEqual([0, 1, 2].map((cell) => besides(cell)), [20_000, 20_000, 50]);
  assert.equal(besides(0, "ceiling"), 0, "the server that does nothing starts at once");
});
