import assert from "node:assert/strict";
import { test } from "node:test";
import { cellName } from "./cell.ts";
import { duetsOf } from "./pairs.ts";
import { AA, MAIN, matrix, type Plan, type PlannedStep, scheduleOf, stepName } from "./plan.ts";

const cells = matrix({
  suite: "users",
  workload: "read",
  runtimes: ["node", "deno", "bun"],
  stores: ["map", "sqlite"],
  sizes: [1_000, 10_000],
});

const subjects = [...cells.map((cell) => ({ cell, label: MAIN })), { cell: cells[4]!, label: AA }];

const plan: Plan = {
  subjects,
  duets: [],
  rounds: 6,
  durationMs: 3_000,
  duetMs: 2_000,
  warmupMs: 1_000,
  connections: 50,
  seed: 7,
  dataSeed: 42,
  missShare: 0,
  profile: "default",
  generator: "wrk",
  engine: "native",
};

const orderOf = (steps: readonly PlannedStep[]) => steps.map(stepName);

test("a matrix is every runtime with every store and size, once", () => {
  assert.equal(cells.length, 12);
  assert.equal(new Set(cells.map(cellName)).size, 12);
  assert.equal(cellName(cells[0]!), "users/read/node/map/1k");
});

test("each round is the ceiling, every cell and one of them again, numbered in the order they are made", () => {
  const steps = scheduleOf(plan);
  assert.deepEqual(steps.map(({ index }) => index), Array.from({ length: 84 }, (_, index) => index));
  for (let round = 0; round < plan.rounds; round++) {
    const inRound = steps.slice(round * 14, round * 14 + 14);
    assert.ok(inRound.every((step) => step.round === round));
    assert.deepEqual(orderOf(inRound).sort(), ["ceiling", `${cellName(cells[4]!)}@aa`, ...cells.map(cellName)].sort());
  }
});

test("duets follow the solo rounds, each round every pair once", () => {
  const duets = duetsOf(subjects, ["runtimes"], cells[4]!);
  assert.equal(duets.length, 1 + 4 * 3);
  const steps = scheduleOf({ ...plan, duets });
  assert.deepEqual(steps.slice(0, 84), scheduleOf(plan));
  const names = new Set(steps.slice(84, 84 + 13).map(stepName));
  assert.equal(names.size, 13);
  assert.equal(steps.length, 84 + 6 * 13);
});

test("equal seeds give equal schedules, other seeds other ones, and rounds differ in order", () => {
  assert.deepEqual(scheduleOf(plan), scheduleOf({ ...plan }));
  assert.notDeepEqual(orderOf(scheduleOf(plan)), orderOf(scheduleOf({ ...plan, seed: 8 })));
  const steps = scheduleOf(plan);
  const orders = Array.from({ length: 6 }, (_, round) => orderOf(steps.filter((step) => step.round === round)).join());
  assert.equal(new Set(orders).size, 6);
});

test("all steps of a round meet the same requests, and each round other ones", () => {
  const steps = scheduleOf(plan);
  const seeds = Array.from(
    { length: 6 },
    (_, round) => new Set(steps.filter((step) => step.round === round).map((step) => step.drawSeed)),
  );
  assert.ok(seeds.every((seen) => seen.size === 1));
  assert.equal(new Set(seeds.flatMap((seen) => [...seen])).size, 6);
});
