import assert from "node:assert/strict";
import { test } from "node:test";
import { joinedSlices, relativeSlices, sentAt, sentBeforeStill, sentUntil } from "./slices.ts";

const points = [{ atUs: 1_000, requests: 100 }, { atUs: 3_000, requests: 500 }, { atUs: 4_000, requests: 500 }];

test("requests sent by a moment are told between the points around it, and nowhere else", () => {
  assert.deepEqual([1_000, 2_000, 2_500, 3_000, 3_500, 4_000].map((atUs) => sentAt(points, atUs)), [
    100,
    300,
    400,
    500,
    500,
    500,
  ]);
  for (const atUs of [999, 4_001]) assert.equal(sentAt(points, atUs), null, String(atUs));
  assert.equal(sentAt([], 5), null);
});

test("a server that stood still had sent what it tells first afterwards", () => {
  assert.deepEqual([0, 1_000, 1_001, 2_999, 3_000, 3_001].map((atUs) => sentBeforeStill(points, atUs)), [
    100,
    100,
    500,
    500,
    500,
    500,
  ]);
  assert.equal(sentBeforeStill(points, 4_001), null);
});

test("a thread's slots tell what it had sent by a moment: whole slots and a share of the one begun", () => {
  const by = (atUs: number) => sentUntil([64, 128, 64], 1_000, 10_000, atUs);
  assert.deepEqual([9_000, 10_000, 10_500, 11_000, 11_250, 12_000, 13_000, 99_000].map(by), [
    0,
    0,
    32,
    64,
    96,
    192,
    256,
    256,
  ]);
  assert.equal(sentUntil([], 1_000, 0, 5_000), 0);
});

test("slices with too few requests of any server are joined to the next, for all servers alike", () => {
  const slice = (requests: number) => ({ requests, cpu_ns: 10 * requests });
  const fast = [100, 100, 100, 100, 100].map(slice), slow = [4, 4, 4, 40, 4].map(slice);
  assert.deepEqual(joinedSlices([fast, slow]), [[300, 100].map(slice), [12, 40].map(slice)], "the last is left over");
  assert.deepEqual(joinedSlices([fast]), [fast]);
  assert.deepEqual(joinedSlices([]), []);
});

test("what slows the core slows all its servers, so it cancels; a change of one is left whole", () => {
  const costs = (list: readonly number[]) => list.map((cost) => ({ requests: 100, cpu_ns: 100 * cost }));
  const ratioOf = (slices: readonly { requests: number; cpu_ns: number }[]) =>
    slices[1]!.cpu_ns / slices[1]!.requests / (slices[0]!.cpu_ns / slices[0]!.requests);
  // The core is slower by half, and the first server grew cheaper by a fifth besides.
  const [first, ...others] = relativeSlices([[50, 60], [10, 15], [20, 30]].map(costs));
  assert.ok(Math.abs(ratioOf(first!) / 0.8 - 1) < 1e-9, String(ratioOf(first!)));
  // The others share what is the first one's alone: against the mean they look dearer, by less.
  for (const other of others) assert.ok(ratioOf(other) > 1 && ratioOf(other) < 1 / 0.8, String(ratioOf(other)));
  const [same] = relativeSlices([[50, 75], [10, 15]].map(costs));
  assert.ok(Math.abs(ratioOf(same!) - 1) < 1e-9);
});

test("one server is left as it is, and a slice in which any cost is unknown is left out for all", () => {
  const alone = [{ requests: 5, cpu_ns: 50 }];
  assert.deepEqual(relativeSlices([alone]), [alone]);
  const idle = relativeSlices([[{ requests: 0, cpu_ns: 50 }, ...alone], [...alone, ...alone]]);
  assert.deepEqual(idle.map(({ length }) => length), [1, 1]);
});
