import assert from "node:assert/strict";
import { test } from "node:test";
import { AXIS, CLOSED, KNEE, lines, plan, run } from "../../../tests/fixtures/rate-run.ts";
import { nextRateWindow } from "../../plan/rate-windows.ts";
import { latencyCells, latencyReport } from "./latency-of.ts";

test("each round of tails has every rate, in an order of its own; the last two search and go over connections", () => {
  const orders = lines.slice(0, 6).map(({ windows }) => windows!.map(({ at }) => `${at["rate"]} ${at["clock"]}`));
  for (const order of orders) assert.deepEqual(order.toSorted(), ["50 % due", "90 % due", "common due"]);
  assert.ok(new Set(orders.map((order) => order.join())).size > 1);
  assert.ok(lines[6]!.windows!.every(({ at }) => "knee" in at));
  assert.deepEqual(lines[7]!.windows!.map(({ at }) => at), [{ connections: 1 }, { connections: 50 }]);
  for (const { windows } of lines) {
    assert.equal(new Set(windows!.map(({ at }) => JSON.stringify(at))).size, windows!.length);
  }
});

test("from the lines alone follow tails, knee and curve, and what the cell holds", () => {
  const [cell, ...others] = latencyCells(plan, lines, () => "bun")!;
  assert.deepEqual(others, []);
  assert.deepEqual(cell!.tails.map(({ name, offered_per_second, sound }) => [name, offered_per_second, sound]), [
    ["50 %", 500, 6],
    ["90 %", 900, 6],
    ["common", 700, 6],
  ]);
  assert.deepEqual(cell!.tails.map(({ p99_us, sender_p99_us }) => [p99_us, sender_p99_us]), [
    [1_000, 500],
    [50_000, 25_000],
    [1_000, 500],
  ]);
  const { per_second, share_of_capacity } = cell!.knee!;
  assert.ok(per_second! <= KNEE && per_second! > 0.96 * KNEE, String(per_second));
  assert.equal(share_of_capacity, per_second! / CLOSED);
  assert.match(
    cell!.sentence,
    /^at 700\/s 99 % wait at most 1 ms \(median of 6 windows, 1 ms\); beyond \d+\/s the limit of 10 ms is not held$/,
  );
  assert.deepEqual(cell!.connections.map(({ connections }) => connections), [1, 50]);
});

test("without a sound closed loop no knee is looked for, and a stopped search says so", () => {
  const bad = lines.map((line) => ({ ...line, status: "invalid" as const }));
  assert.equal(latencyCells(plan, bad, () => "bun")![0]!.knee, null);
  const next = nextRateWindow(plan, AXIS, { round: 6, draw_seed: 1 }, { closedRate: 1, capacity: null, windows: [] });
  assert.equal(next, null);
  const [stopped] = latencyCells(plan, lines.slice(0, 6), () => "bun")!;
  assert.equal(stopped!.knee!.why, "the search was stopped");
});

test("only a plan with the axis rate says something of latency", () => {
  const { further: _, ...rest } = plan;
  assert.equal(latencyCells(rest, lines, () => "bun"), undefined);
  assert.equal(latencyReport({ ...run, plan: rest }, {}), undefined);
  assert.equal(latencyReport({ ...run, plan }, { latency: [] })!.limit, "p99<10ms");
});
