import assert from "node:assert/strict";
import { test } from "node:test";
import { allocate, efficientMs, type RoundCosts, type RoundsAhead } from "./allocation.ts";
import { studentTQuantile } from "./distributions.ts";

const costs: RoundCosts = { fixedMs: 40_000, perCountedMs: 32, within: 0.4, between: 0.0003 };
const ahead: RoundsAhead = {
  leftMs: 420_000,
  lateMs: 0,
  made: [],
  rounds: [3, 12],
  countedMs: [500, 10_000],
  reach: (rounds) => studentTQuantile(0.9995, 2 * (rounds - 1)),
};

test("no other number of rounds that fits gives a narrower interval", () => {
  const halfOf = (rounds: number, countedMs: number) =>
    ahead.reach(rounds) * Math.sqrt((costs.between + costs.within / countedMs) / rounds);
  const found = allocate(costs, ahead);
  assert.ok(found.rounds * (costs.fixedMs + costs.perCountedMs * found.countedMs) <= ahead.leftMs + 1);
  for (let rounds = 3; rounds <= 12; rounds++) {
    const countedMs = (ahead.leftMs / rounds - costs.fixedMs) / costs.perCountedMs;
    if (countedMs < 500) continue;
    assert.ok(halfOf(found.rounds, found.countedMs) <= halfOf(rounds, countedMs) + 1e-12, `${rounds} rounds`);
  }
});

test("windows grow where rounds are alike, and rounds become more where they differ", () => {
  const alike = allocate({ ...costs, between: 0 }, ahead);
  const different = allocate({ ...costs, between: 0.003 }, ahead);
  assert.ok(
    alike.rounds < different.rounds && alike.countedMs > different.countedMs,
    JSON.stringify({ alike, different }),
  );
});

test("rounds that were made count, and their shorter windows count as what they are", () => {
  const fresh = allocate(costs, { ...ahead, leftMs: 300_000 });
  const after = allocate(costs, { ...ahead, leftMs: 300_000, made: [500, 500] });
  assert.equal(after.rounds - 2, Math.max(1, after.rounds - 2));
  assert.ok(after.rounds > fresh.rounds - 2, "what is left goes on from there");
  const spent = (after.rounds - 2) * (costs.fixedMs + costs.perCountedMs * after.countedMs);
  assert.ok(spent <= 300_001, String(spent));
});

test("without time for more, the least rounds have the shortest windows, and none follow them", () => {
  assert.deepEqual(allocate(costs, { ...ahead, leftMs: 1_000 }), { rounds: 3, countedMs: 500 });
  assert.equal(allocate(costs, { ...ahead, leftMs: -1, made: [800, 1_000, 1_200] }).rounds, 3);
  assert.equal(allocate(costs, { ...ahead, leftMs: -1, made: [800, 1_000, 1_200] }).countedMs, 1_000);
});

test("the efficient window is Kalibera and Jones': a start nine times as dear triples it", () => {
  assert.ok(Math.abs(efficientMs({ ...costs, fixedMs: 9 * costs.fixedMs }) / efficientMs(costs) - 3) < 1e-12);
  assert.equal(efficientMs({ ...costs, between: 0 }), Infinity);
});
