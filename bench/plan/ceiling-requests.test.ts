import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import { ceilingRequests, requestKind } from "./ceiling-requests.ts";

const plan = (below: number, seed: number, change: Partial<RequestPlan> = {}): RequestPlan => ({
  pace: { closed: 50 },
  mix: [{ path: "/things/{id}", expect: [200] }],
  draws: { id: { kind: "uniform", below, as: { hex16: [seed, 2, 3, 4] } } },
  ...change,
});

test("requests over another range or with other keys are of one kind, anything else makes another", () => {
  const kind = requestKind(plan(10_000, 1));
  assert.equal(requestKind(plan(1_000_000, 7)), kind);
  const others: RequestPlan[] = [
    plan(10_000, 1, { pace: { closed: 400 } }),
    plan(10_000, 1, { mix: [{ path: "/things/{id}", method: "POST", body: "{}", expect: [200] }] }),
    plan(10_000, 1, { draws: { id: { kind: "zipf", below: 10_000, exponent: 0.99, as: { hex16: [1, 2, 3, 4] } } } }),
    plan(10_000, 1, { draws: { id: { kind: "uniform", below: 10_000 } } }),
    plan(10_000, 1, {
      draws: {
        id: { kind: "uniform", below: 10_000, as: { hex16: [1, 2, 3, 4] }, miss: { share: 0.1, expect: [404] } },
      },
    }),
  ];
  assert.equal(new Set([kind, ...others.map(requestKind)]).size, others.length + 1);
});

test("a null server sends back the longer one of a message and its reply; messages of one length are of one kind", () => {
  const at = (body: string, reply?: string, asGiven: { asGiven?: true } = { asGiven: true }): RequestPlan => ({
    pace: { closed: 1 },
    mix: [{ method: "WEBSOCKET", path: "/", body, first: "me", expect: [101] }],
    websocket: { inFlight: 1, firstReplies: 2, ...asGiven, ...(reply !== undefined && { reply }) },
  });
  const { mix, websocket } = ceilingRequests(at("hi", "hello"));
  assert.deepEqual(mix, [{ method: "WEBSOCKET", path: "/", body: "hello", expect: [101] }]);
  assert.deepEqual(websocket, { inFlight: 1, asGiven: true });
  assert.equal(ceilingRequests(at("hello", "hi")).mix[0]!.body, "hello");
  assert.equal(requestKind(at("hi", "hello")), requestKind(at("world")));
  assert.notEqual(requestKind(at("hi", "hello")), requestKind(at("hi")));
  assert.deepEqual(ceilingRequests(at("hi", "hello", {})), at("hi", "hello", {}));
});
