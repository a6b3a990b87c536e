import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { type Plan, type PlannedObservation, scheduleOf } from "./plan.ts";
import type { Reason } from "./result/observation-record.ts";
import { scheduleFaults } from "./result/verify.ts";
import { placeText, stepsAhead } from "./spare-rounds.ts";

const plan: Plan = {
  ...smallPlan,
  solo: [],
  ceilings: [],
  ensembles: [{ purpose: "pair", cells: [0, 1], rounds: 3 }, { purpose: "pair", cells: [2, 3], rounds: 3 }],
  rounds: 3,
  spare_rounds: 2,
};
const steps = scheduleOf(plan);
const first = (step: PlannedObservation) => step.cells[0] === plan.cells[0];

const line = ({ index }: PlannedObservation, ...codes: Reason["code"][]) => ({
  index,
  status: codes.length === 0 ? "ok" as const : "invalid" as const,
  reasons: codes.map((code) => ({ code, message: code })),
});

/** Lines of a run in which a step ends as it is told to. */
function made(codesOf: (step: PlannedObservation) => readonly Reason["code"][]) {
  const lines: ReturnType<typeof line>[] = [];
  for (let [step] = stepsAhead(plan, lines); step !== undefined; [step] = stepsAhead(plan, lines)) {
    lines.push(line(step, ...codesOf(step)));
  }
  return lines;
}

test("spare rounds follow a schedule that is what it is without them", () => {
  const { spare_rounds: _, ...without } = plan;
  assert.deepEqual(steps.slice(0, 6), scheduleOf(without));
  assert.deepEqual(steps.slice(6).map(({ round }) => round), [3, 3, 4, 4]);
  assert.equal(new Set(steps.map(({ draw_seed }) => draw_seed)).size, 5);
});

test("what is measured in fewer rounds than there are has no spare one", () => {
  const [one, other] = plan.ensembles as [Plan["ensembles"][number], Plan["ensembles"][number]];
  const fewer = scheduleOf({ ...plan, ensembles: [one, { ...other, rounds: 2 }] });
  assert.deepEqual(fewer.map((step) => [step.round, first(step)]).filter(([round]) => Number(round) >= 2), [
    [2, true],
    [3, true],
    [4, true],
  ]);
});

test("a step that others voided is made again in a spare round, and none else", () => {
  assert.equal(made(() => []).length, 6);
  const once = made((step) => first(step) && step.round === 1 ? ["contended", "core-not-full"] : []);
  assert.deepEqual(once.map(({ index }) => index).slice(6), [
    steps.find((step) => step.round === 3 && first(step))!.index,
  ]);
  const clocks = made((step) => !first(step) && step.round < 2 ? ["clock-changed"] : []);
  assert.deepEqual(clocks.slice(6).map(({ index }) => [steps[index]!.round, first(steps[index]!)]), [
    [3, false],
    [4, false],
  ]);
});

test("a spare step that is voided, too, calls for the next one, up to the most there are", () => {
  assert.equal(made((step) => first(step) && (step.round === 0 || step.round === 3) ? ["contended"] : []).length, 8);
  assert.equal(made(() => ["contended"]).length, 10);
});

test("what is wrong with a server is not tried until it looks better", () => {
  assert.equal(made(() => ["wrong-answer"]).length, 6);
  assert.equal(made(() => ["contended", "wrong-answer"]).length, 6);
});

test("verification knows which spare steps had to be made", () => {
  const whole = (lines: readonly ReturnType<typeof line>[]) =>
    lines.map((each) => {
      const { cells, ...step } = steps[each.index]!;
      const order = [0, 1].map((place) => (step.round + place) % 2);
      return { ...step, ...each, order, members: cells.map((cell) => ({ cell })) };
    });
  const faults = (lines: readonly ReturnType<typeof line>[], state: "finished" | "interrupted" = "finished") =>
    scheduleFaults({ plan, state }, whole(lines) as unknown as Parameters<typeof scheduleFaults>[1]);
  const voided = made((step) => step.index === 0 ? ["contended"] : []);
  const spare = voided.at(-1)!;
  assert.deepEqual(faults(voided), []);
  assert.deepEqual(faults(voided.slice(0, -1), "interrupted"), []);
  assert.match(faults(voided.slice(0, -1)).join(), /^step \d+ \(duet .*\) is missing$/);
  const unneeded = [...voided.map(({ index }) => line(steps[index]!))];
  assert.deepEqual(faults(unneeded), [
    `step ${spare.index} is a spare one, and others voided none that it makes up for`,
  ]);
  const [other] = steps.filter((step) => step.round === 3 && first(step) !== first(steps[0]!));
  assert.match(faults([...voided.slice(0, -1), line(other!)]).join(), /is a spare one.*is missing/);
});

test("a step's place is told, and that of a spare one as such", () => {
  assert.deepEqual(placeText(plan, steps[5]!, 6), { step: "6/6", round: "round 3/3" });
  assert.deepEqual(placeText(plan, steps[9]!, 6), { step: "spare", round: "round 2 of at most 2" });
});
