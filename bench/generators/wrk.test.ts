import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { LoadPlan } from "./generator.ts";
import { wrk } from "./wrk.ts";

const plan: LoadPlan = {
  urls: ["http://127.0.0.1:8080"],
  connections: 50,
  threads: 2,
  durationMs: 3_000,
  timeoutMs: 10_005,
  requests: { kind: "ids", size: 1_000, dataSeed: 42, drawSeed: 7, missShare: 0.1 },
};

const line = (change: Record<string, unknown> = {}) =>
  "Running 3s test\nlevelfield " + JSON.stringify({
    durationUs: 3_000_000,
    requests: 150,
    bytes: 1,
    sentMisses: 0,
    drawn: [150],
    slotUs: 100_000,
    startedUs: [0],
    slots: [[]],
    errors: { connect: 0, read: 0, write: 0, status: 0, timeout: 0 },
    latency: [[10, 100], [900_000, 50]],
    ...change,
  }) + "\n";

test("wrk is told threads, connections, whole seconds, a timeout rounded up, its script and what to draw", () => {
  const args = wrk.args(plan);
  assert.deepEqual(args.slice(0, 6), ["-t2", "-c50", "-d3s", "--timeout", "11s", "-s"]);
  assert.ok(existsSync(args[6]!));
  assert.deepEqual(args.slice(7, 13), ["http://127.0.0.1:8080", "--", "ids", "1000", "7", "0.1"]);
  assert.equal(args.slice(13).length, 4);
  assert.ok(args.slice(13).every((key) => /^-?\d+$/.test(key)));
  const fixed = wrk.args({ ...plan, requests: { kind: "fixed", path: "/health" } });
  assert.deepEqual(fixed.slice(7), ["http://127.0.0.1:8080/health", "--", "fixed"]);
});

test("a duet has a thread and all connections for each server, told by port", () => {
  const duet: LoadPlan = { ...plan, urls: ["http://127.0.0.1:8080", "http://127.0.0.1:8081"] };
  assert.deepEqual(wrk.args(duet).slice(0, 2), ["-t2", "-c100"]);
  assert.deepEqual(wrk.env(duet), { LEVELFIELD_TARGETS: "8080 8081" });
  assert.deepEqual(wrk.env(plan), {});
});

test("the result line is found among what wrk prints, and its histogram is made raw", () => {
  assert.deepEqual(wrk.parse(line(), plan).latency, [[10, 100], [900_000, 50]]);
  const requests = 150;
  // E = 3 s / (150 / 50) = 1 s: a latency of 2.5 s was counted again at 1.5 s.
  const latency = [[10, 149], [1_500_000, 1], [2_500_000, 1]];
  assert.deepEqual(wrk.parse(line({ requests, latency }), plan).latency, [[10, 149], [2_500_000, 1]]);
});

test("output that is not what it should be is an error in one line or more, never a result", () => {
  for (
    const output of [
      "",
      "Running\n",
      "levelfield {",
      line({ requests: -1 }),
      line({ durationUs: 0 }),
      line({ latency: null }),
    ]
  ) {
    assert.throws(() => wrk.parse(output, plan), Error, output);
  }
});

test("wrk's version is read from what it prints of itself", () => {
  assert.equal(
    wrk.parseVersion("wrk debian/4.1.0-3build1 [epoll] Copyright (C) 2012 Will Glozer\n"),
    "debian/4.1.0-3build1",
  );
  assert.equal(wrk.parseVersion("no such thing"), undefined);
});
