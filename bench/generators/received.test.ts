import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import { countedByConnection, receivedByConnection } from "./received.ts";

const to = (port: number, change: Partial<RequestPlan> = {}) => ({
  url: `http://127.0.0.1:${port}`,
  requests: { mix: [{ path: "/", expect: [200] }], draws: {}, pace: { closed: 4 }, ...change } as RequestPlan,
});
const load = { durationUs: 2e6, longestUs: 90_000, requests: [300], bytes: 30_000 };

test("connections that received nothing have no reply, those that ceased to are stuck, a server that stands still is neither", () => {
  const of = (...sockets: [number, number][]) =>
    receivedByConnection({ targets: [to(1)] }, sockets.map(([bytes, ms]) => [1, bytes, ms, ms] as const), load)![0];
  assert.deepEqual(of([10_000, 0], [20_000, 1], [0, 2_001], [0, 2_001]), {
    ...{ unanswered: 2, stuck: 0, replies: [0, 50, 200] },
  });
  assert.deepEqual(of([10_000, 0], [10_000, 190], [9_900, 900], [100, 1_990])?.stuck, 2);
  // One that was served a moment after the load's end was in a queue.
  const queued = [[1, 9_900, 900, 20], [1, 9_900, 0, 100]] as const;
  assert.equal(receivedByConnection({ targets: [to(1)] }, queued, load)![0]!.stuck, 0);
  assert.deepEqual(of([7_500, 900], [7_500, 901], [7_500, 902], [7_500, 900])?.stuck, 0);
  // The system of the server has not connected two of four.
  assert.deepEqual(of([10_000, 0], [20_000, 1])?.unanswered, 2);
  // The server ended one of them, which was opened anew.
  assert.deepEqual(of([10_000, 0], [10_000, 0], [100, 0], [0, 1]), { unanswered: 0, stuck: 0 });
});

test("a handshake is no reply, servers have their own connections, and one for each request is not looked at", () => {
  const secure = to(1, { protocol: "https" });
  const ofOne = [[1, 20_000, 0], [1, 20_000, 0], [1, 3_000, 1_950], [1, 3_000, 1_950]] as const;
  const sockets = ofOne.map(([port, bytes, ms]) => [port, bytes, ms, ms] as const);
  const [found] = receivedByConnection({ targets: [secure] }, sockets, load)!;
  assert.deepEqual([found!.unanswered, found!.stuck], [2, 0]);
  const two = receivedByConnection({ targets: [to(1), to(2)] }, [...sockets, [2, 500, 0, 0]], {
    ...{ ...load, requests: [300, 5], bytes: 46_500 },
  })!;
  assert.deepEqual(two.map(({ stuck, unanswered }) => [stuck, unanswered]), [[2, 0], [0, 3]]);
  assert.equal(receivedByConnection({ targets: [to(1, { connection: "new" })] }, sockets, load), undefined);
});

test("connections with under a tenth of the mean number of replies are counted, those that are stuck among these", () => {
  const of = (slow: number, stuckMs: number) => {
    const sockets = Array.from({ length: 50 }, (_, n) => [1, n < slow ? 200 : 400_000, n === 0 ? stuckMs : 9] as const);
    const bytes = sockets.reduce((sum, [, each]) => sum + each, 0);
    const plan = { targets: [to(1, { pace: { closed: 50 } })] } as const;
    const found = sockets.map(([port, each, ms]) => [port, each, ms, ms] as const);
    const [{ few, stuck }] = receivedByConnection(plan, found, { ...load, requests: [bytes / 100], bytes })! as [never];
    return [few, stuck];
  };
  assert.deepEqual([of(10, 9), of(10, 900), of(45, 9), of(0, 9)], [[10, 0], [9, 1], [45, 0], [undefined, 0]]);
  assert.equal(countedByConnection([[19, 20, 21, 1]])[0]!.few, undefined);
  assert.equal(countedByConnection([[90, 100, 100, 0, 9, 8]])[0]!.few, undefined);
  assert.equal(countedByConnection([[900, 1_000, 1_000, 0, 9, 8]])[0]!.few, 2);
});
