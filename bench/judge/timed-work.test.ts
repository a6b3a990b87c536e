import assert from "node:assert/strict";
import { test } from "node:test";
import { timedWork } from "./timed-work.ts";

/** A line of two servers by turns of 50 ms and 100 ms that count, of which `a` answers so many requests in ramp-ups. */
const line = (rampUp: number, counted = 20_000, change: object = {}) =>
  ({
    status: "ok",
    load: { turn_ms: 100, lead_in_ms: 50 },
    members: [["a", rampUp, counted], ["b", 9_200, 20_000]].map(([name, requests, inTurns]) => ({
      cell: { point: { suite: "mills", at: { engine: name } }, label: "main" },
      ...{ marks: [], requests: inTurns, cpu_ns: 2e9, lead_in: { requests, cpu_ns: 1e9 } },
    })),
    ...change,
  }) as unknown as Parameters<typeof timedWork>[0][number];

const found = (...lines: readonly ReturnType<typeof line>[]) =>
  timedWork(lines).map(({ member, times }) => [member.cell.point.at["engine"], times]);

test("a server that answers less than half as much in ramp-ups is found, one that refills its caches there is not", () => {
  assert.deepEqual(found(line(2_000)), [["a", 5]]);
  assert.deepEqual(found(line(0)), [["a", 10_000]]);
  assert.deepEqual(found(line(9_000)), []);
  assert.deepEqual(found(line(5_300)), []);
});

test("rounds decide by their median, void ones and those without turns not at all", () => {
  assert.deepEqual(found(line(2_000), line(9_000), line(2_500)), [["a", 4]]);
  assert.deepEqual(found(line(2_000), line(9_000), line(9_000)), []);
  assert.deepEqual(found(line(2_000, 20_000, { status: "invalid" })), []);
  assert.deepEqual(found(line(2_000, 20_000, { load: { turn_ms: 100 } })), []);
});

test("a request that takes a fifth of a ramp-up says nothing", () => {
  assert.deepEqual(found(line(30, 190)), []);
  assert.equal(found(line(30, 210)).length, 1);
});
