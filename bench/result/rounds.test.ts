import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { scheduleOf } from "../plan/schedule.ts";
import type { Observation } from "../record/observation-record.ts";
import { madeRounds } from "./rounds.ts";

const plan: Plan = {
  ...smallPlan,
  solo: [{ cell: 4, rounds: 1 }],
  ensembles: [{ purpose: "matrix", cells: [0, 1, 2], rounds: 4 }],
  alone_rounds: 1,
  rounds: 4,
};
const steps = scheduleOf(plan);

/** What each kind of step takes: an ensemble is longer where its servers are measured alone as well. */
const wallMs = ({ kind, alone, round }: PlannedObservation) =>
  kind === "ceiling" ? 1_000 : kind === "solo" ? 5_000 : alone ? 90_000 : 60_000 + round;
const lines = (made: readonly PlannedObservation[]) =>
  made.map((step) => ({ index: step.index, round: step.round, wall_ms: wallMs(step) }) as Observation);

test("a round of a new run is reckoned with windows alone, of judged cells only, once one is made of all of these", () => {
  assert.deepEqual(madeRounds(plan, lines(steps)), { rounds: 4, roundMs: 91_000 });
  const first = steps.filter(({ round }) => round === 0);
  assert.deepEqual(madeRounds(plan, lines(first)), { rounds: 1, roundMs: 91_000 });
  const without = (kind: PlannedObservation["kind"]) => lines(first.filter((step) => step.kind !== kind));
  assert.deepEqual(madeRounds(plan, without("solo")), { rounds: 1, roundMs: 91_000 });
  assert.deepEqual(madeRounds(plan, without("ensemble")), { rounds: 0, roundMs: null });
  assert.deepEqual(madeRounds(plan, []), { rounds: 0, roundMs: null });
});

test("with nothing in enough rounds for verdicts, a new run is reckoned of everything", () => {
  const few = { ...plan, rounds: 1, ensembles: plan.ensembles.map((one) => ({ ...one, rounds: 1 })) };
  assert.equal(madeRounds(few, lines(scheduleOf(few))).roundMs, 96_000);
});

test("of several steps alike the middle one counts", () => {
  const never = { ...plan, alone_rounds: 0, solo: [] };
  assert.equal(madeRounds(never, lines(scheduleOf(never))).roundMs, 60_001.5);
});
