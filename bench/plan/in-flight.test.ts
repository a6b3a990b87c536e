import assert from "node:assert/strict";
import { test } from "node:test";
import { inFlightOf } from "./in-flight.ts";

const latency = (p50_us: number, p99_us = p50_us, mean_us = p50_us) => ({ p50_us, p99_us, mean_us });

test("replies of 1.2 s in a window of 2 s over 50 connections are 41.7 a second", () => {
  const more = inFlightOf({ requests: 50, duration_us: 2e6, connections: 50, latency: latency(1.2e6) })!;
  assert.ok(Math.abs((50 + more) / 2 - 50 / 1.2) < 1e-9, `${more}`);
});

test("nothing is counted in where it is little, and where replies took unlike times", () => {
  const of = (requests: number, own: ReturnType<typeof latency> | null, duration_us = 2e6) =>
    inFlightOf({ requests, duration_us, connections: 50, latency: own });
  assert.equal(of(5_000, latency(20_000)), null, "a hundred replies each");
  assert.equal(of(100, latency(1e6)), null, "the window ends with a reply of each");
  assert.equal(of(49, latency(1.2e6)), null, "not one reply each");
  assert.equal(of(100, latency(400_000, 800_000)), null, "a queue: later ones wait longer");
  assert.equal(of(100, latency(1.2e6, 1.2e6, 760_000)), null, "two kinds of reply");
  assert.equal(of(100, null), null);
});

test("no more is counted in than there are connections", () => {
  assert.equal(inFlightOf({ requests: 60, duration_us: 10e6, connections: 50, latency: latency(1e6) }), 50);
});
