import assert from "node:assert/strict";
import { test } from "node:test";
import { cellName } from "./cell.ts";
import { loadedMs, matrix, type Plan, remainingMs, scheduleOf } from "./plan.ts";

const cells = matrix({
  suite: "users",
  workload: "read",
  runtimes: ["node", "deno", "bun"],
  stores: ["map", "sqlite"],
  sizes: [1_000, 10_000],
});

const plan: Plan = {
  cells,
  rounds: 6,
  durationMs: 3_000,
  warmupMs: 1_000,
  connections: 50,
  seed: 7,
  dataSeed: 42,
  missShare: 0,
  profile: "default",
  generator: "wrk",
  engine: "native",
};

const orderOf = (trials: readonly { cell: (typeof cells)[number] }[]) => trials.map(({ cell }) => cellName(cell));

test("a matrix is every runtime with every store and size, once", () => {
  assert.equal(cells.length, 12);
  assert.equal(new Set(cells.map(cellName)).size, 12);
  assert.equal(cellName(cells[0]!), "users/read/node/map/1k");
});

test("each round is every cell once, and trials are numbered in the order they are made", () => {
  const trials = scheduleOf(plan);
  assert.deepEqual(trials.map(({ index }) => index), Array.from({ length: 72 }, (_, index) => index));
  for (let round = 0; round < plan.rounds; round++) {
    const inRound = trials.slice(round * 12, round * 12 + 12);
    assert.ok(inRound.every((trial) => trial.round === round));
    assert.deepEqual(orderOf(inRound).sort(), cells.map(cellName).sort());
  }
});

test("equal seeds give equal schedules, other seeds other ones, and rounds differ in order", () => {
  assert.deepEqual(scheduleOf(plan), scheduleOf({ ...plan }));
  assert.notDeepEqual(orderOf(scheduleOf(plan)), orderOf(scheduleOf({ ...plan, seed: 8 })));
  const trials = scheduleOf(plan);
  const orders = Array.from(
    { length: 6 },
    (_, round) => orderOf(trials.filter((trial) => trial.round === round)).join(),
  );
  assert.equal(new Set(orders).size, 6);
});

test("all cells of a round meet the same requests, and each round other ones", () => {
  const trials = scheduleOf(plan);
  const seeds = Array.from(
    { length: 6 },
    (_, round) => new Set(trials.filter((trial) => trial.round === round).map((trial) => trial.drawSeed)),
  );
  assert.ok(seeds.every((seen) => seen.size === 1));
  assert.equal(new Set(seeds.flatMap((seen) => [...seen])).size, 6);
});

test("what is left of a run is told from each cell's own times, or from the mean of the others", () => {
  const two: Plan = { ...plan, cells: cells.slice(0, 2), rounds: 1 };
  const ahead = scheduleOf(two);
  assert.equal(loadedMs(two), 8_000);
  assert.equal(remainingMs(two, [], new Map()), 0);
  assert.ok(remainingMs(two, ahead, new Map()) >= loadedMs(two));
  const spent = new Map([[cellName(cells[0]!), [5_000, 7_000]]]);
  assert.equal(remainingMs(two, ahead, spent), 12_000);
  spent.set(cellName(cells[1]!), [10_000]);
  assert.equal(remainingMs(two, ahead, spent), 16_000);
});
