import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan as plan } from "../../tests/fixtures/small-plan.ts";
import { cellKey } from "../record/cell.ts";
import type { Observation } from "../record/observation-record.ts";
import { type Plan, type PlannedObservation, planSchema } from "../record/plan.ts";
import { madeRounds, orderOf, scheduleOf, stepName, stepText } from "./schedule.ts";

const namesOf = (steps: readonly PlannedObservation[]) => steps.map(stepName);

test("a plan is what its schema says, and survives being written down", () => {
  assert.deepEqual(planSchema.parse(JSON.parse(JSON.stringify(plan))), plan);
});

test("each round is every ceiling, every cell and one of them again, numbered in the order they are made", () => {
  const steps = scheduleOf(plan);
  assert.deepEqual(steps.map(({ index }) => index), Array.from({ length: 84 }, (_, index) => index));
  for (let round = 0; round < plan.rounds; round++) {
    const inRound = steps.slice(round * 14, round * 14 + 14);
    assert.ok(inRound.every((step) => step.round === round));
    const solo = inRound.filter(({ kind }) => kind === "solo").flatMap(({ cells }) => cells.map(cellKey));
    assert.deepEqual(solo.sort(), plan.cells.map(cellKey).sort());
    assert.deepEqual(inRound.filter(({ kind }) => kind === "ceiling").map(({ cells }) => cells), [[plan.cells[0]]]);
  }
});

test("a round has every ensemble once among its cells and ceilings, named by how many they are", () => {
  const ensembles = [
    { purpose: "pair" as const, cells: [4, 12], rounds: 6 },
    { purpose: "matrix" as const, cells: [0, 1, 2], rounds: 6 },
  ];
  const steps = scheduleOf({ ...plan, ensembles });
  for (let round = 0; round < plan.rounds; round++) {
    const inRound = steps.slice(round * 16, round * 16 + 16);
    assert.ok(inRound.every((step) => step.round === round));
    const together = inRound.filter(({ kind }) => kind === "ensemble");
    assert.deepEqual(together.map(({ kind, purpose }) => `${kind} ${purpose}`).sort(), [
      "ensemble matrix",
      "ensemble pair",
    ]);
  }
  assert.equal(steps.length, 6 * 16);
});

test("a round begins or ends with its ensembles where the plan says so, and has the same steps in the same order otherwise", () => {
  const ensembles = [
    { purpose: "pair" as const, cells: [4, 12], rounds: 6 },
    { purpose: "matrix" as const, cells: [0, 1, 2], rounds: 6 },
  ];
  const anywhere = scheduleOf({ ...plan, ensembles });
  const alone = (steps: readonly PlannedObservation[]) => namesOf(steps.filter(({ cells }) => cells.length === 1));
  const others = Array(14).fill(false);
  const ways = [["together_first", [true, true, ...others]], ["together_last", [...others, true, true]]] as const;
  for (const [way, together] of ways) {
    const steps = scheduleOf({ ...plan, ensembles, [way]: true });
    assert.deepEqual(steps.map(({ index }) => index), anywhere.map(({ index }) => index));
    assert.deepEqual(alone(steps), alone(anywhere));
    for (let round = 0; round < plan.rounds; round++) {
      const inRound = steps.filter((step) => step.round === round);
      assert.deepEqual(inRound.map(({ cells }) => cells.length > 1), together, way);
    }
  }
});

test("where ensembles come first, rates of few rounds wait for the last of them, and spare rounds are as ever", () => {
  const quick = {
    ...plan,
    solo: [{ cell: 5, rounds: 1 }, { cell: 6, rounds: 4 }],
    ensembles: [{ purpose: "matrix" as const, cells: [0, 1, 2], rounds: 4 }],
    ...{ alone_rounds: 1, rounds: 4, spare_rounds: 1, ceilings: [] },
  };
  const told = (steps: readonly PlannedObservation[]) =>
    [...Map.groupBy(steps, ({ round }) => round).values()].map((ofRound) =>
      ofRound.map(({ cells }) => cells.length > 1 ? "together" : plan.cells.indexOf(cells[0]!)).join(" ")
    );
  const first = told(scheduleOf({ ...quick, together_first: true }));
  assert.deepEqual(first.slice(0, 3), Array(3).fill("together 6"));
  assert.deepEqual(first[3]!.split(" ").sort(), ["5", "6", "together"]);
  assert.equal(first[3]!.split(" ")[0], "together");
  const anywhere = told(scheduleOf(quick));
  assert.deepEqual(anywhere[0]!.split(" ").sort(), ["5", "6", "together"]);
  assert.deepEqual(first[4]!.split(" ").sort(), anywhere[4]!.split(" ").sort());
});

test("steps have rounds of their own, and cells of an ensemble are measured alone in the first ones only", () => {
  const changed = {
    ...plan,
    solo: [{ cell: 5, rounds: 2 }],
    ensembles: [
      { purpose: "matrix" as const, cells: [0, 1, 2], rounds: 6 },
      { purpose: "pair" as const, cells: [3, 4], rounds: 4 },
    ],
    alone_rounds: 3,
  };
  const rounds = Map.groupBy(scheduleOf(changed), ({ round }) => round);
  const told = [...rounds.values()].map((steps) =>
    steps.map(({ kind, alone }) => alone ? `${kind} alone` : kind).sort().join(", ")
  );
  assert.deepEqual(told, [
    "ceiling alone, ensemble alone, ensemble alone, solo alone",
    "ceiling alone, ensemble alone, ensemble alone, solo alone",
    "ceiling alone, ensemble alone, ensemble alone",
    "ensemble, ensemble",
    "ensemble",
    "ensemble",
  ]);
});

test("a run stopped after any round has all of the plan up to it: longer plans only add rounds", () => {
  const longer = { ...plan, rounds: 8, solo: plan.solo.map((one) => ({ ...one, rounds: 8 })) };
  const names = (steps: readonly PlannedObservation[], round: number) =>
    namesOf(steps.filter((step) => step.round === round)).sort();
  for (let round = 0; round < 6; round++) {
    assert.deepEqual(names(scheduleOf(longer), round), names(scheduleOf(plan), round));
  }
});

test("equal seeds give equal schedules, other seeds other ones, and rounds differ in order", () => {
  assert.deepEqual(scheduleOf(plan), scheduleOf({ ...plan }));
  assert.notDeepEqual(namesOf(scheduleOf(plan)), namesOf(scheduleOf({ ...plan, seed: 8 })));
  const steps = scheduleOf(plan);
  const orders = Array.from({ length: 6 }, (_, round) => namesOf(steps.filter((step) => step.round === round)).join());
  assert.equal(new Set(orders).size, 6);
});

test("all steps of a round meet the same requests, and each round other ones", () => {
  const steps = scheduleOf(plan);
  const seeds = Array.from(
    { length: 6 },
    (_, round) => new Set(steps.filter((step) => step.round === round).map((step) => step.draw_seed)),
  );
  assert.ok(seeds.every((seen) => seen.size === 1));
  assert.equal(new Set(seeds.flatMap((seen) => [...seen])).size, 6);
});

test("members start in turn, and each is the first in as many rounds as the others", () => {
  assert.deepEqual([0, 1, 2, 3].map((round) => orderOf(3, round)), [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]);
  assert.deepEqual(orderOf(1, 5), [0]);
});

test("a step is told in words by the names of its cells", () => {
  const [first] = scheduleOf({
    ...plan,
    cells: plan.cells.slice(0, 2),
    solo: [],
    ensembles: [{ purpose: "pair", cells: [0, 1], rounds: 6 }],
    ceilings: [],
  });
  assert.equal(stepText(plan, first!), "ensemble steam/iron/1000 | water/iron/1000");
});

const judgedPlan: Plan = {
  ...plan,
  solo: [{ cell: 4, rounds: 1 }],
  ensembles: [{ purpose: "matrix", cells: [0, 1, 2], rounds: 4 }],
  alone_rounds: 1,
  rounds: 4,
};
const steps = scheduleOf(judgedPlan);

/** What each kind of step takes: an ensemble is longer where its servers are measured alone as well. */
const wallMs = ({ kind, alone, round }: PlannedObservation) =>
  kind === "ceiling" ? 1_000 : kind === "solo" ? 5_000 : alone ? 90_000 : 60_000 + round;
const lines = (made: readonly PlannedObservation[]) =>
  made.map((step) => ({ index: step.index, round: step.round, wall_ms: wallMs(step) }) as Observation);

test("a round of a new run is reckoned with windows alone, of judged cells only, once one is made of all of these", () => {
  assert.deepEqual(madeRounds(judgedPlan, lines(steps)), { rounds: 4, roundMs: 91_000 });
  const first = steps.filter(({ round }) => round === 0);
  assert.deepEqual(madeRounds(judgedPlan, lines(first)), { rounds: 1, roundMs: 91_000 });
  const without = (kind: PlannedObservation["kind"]) => lines(first.filter((step) => step.kind !== kind));
  assert.deepEqual(madeRounds(judgedPlan, without("solo")), { rounds: 1, roundMs: 91_000 });
  assert.deepEqual(madeRounds(judgedPlan, without("ensemble")), { rounds: 0, roundMs: null });
  assert.deepEqual(madeRounds(judgedPlan, []), { rounds: 0, roundMs: null });
});

test("a spare round is none more: the same run again has as many as were planned", () => {
  const spared = { ...judgedPlan, spare_rounds: 2 };
  const all = scheduleOf(spared);
  assert.ok(all.length > steps.length, "all spare steps were made, too");
  assert.equal(madeRounds(spared, lines(all)).rounds, 4);
});

test("with nothing in enough rounds for verdicts, a new run is reckoned of everything", () => {
  const few = { ...judgedPlan, rounds: 1, ensembles: judgedPlan.ensembles.map((one) => ({ ...one, rounds: 1 })) };
  assert.equal(madeRounds(few, lines(scheduleOf(few))).roundMs, 96_000);
});

test("of several steps alike the middle one counts", () => {
  const never = { ...judgedPlan, alone_rounds: 0, solo: [] };
  assert.equal(madeRounds(never, lines(scheduleOf(never))).roundMs, 60_001.5);
});
