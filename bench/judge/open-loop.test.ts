import { isAtRate } from "../record/cell.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { dueLatency, isRateReached, rateMark, requestsAtRate, sentLatency } from "./open-loop.ts";
import type { Loaded } from "../record/load-record.ts";
import { mark } from "../record/mark.ts";
import { recorded } from "../../tests/fixtures/recorded-load.ts";

const SOUND = { durationUs: 2_000_000, requests: 2_000, bytes: null, threads: [], slotUs: 0, untold: {} };
const ERRORS = { connect: null, read: null, write: null, timeout: 0, status: 0 };
const MADE = recorded({ ...SOUND, errors: ERRORS, latency: [[100, 2_000]] }, 200, 1_000);

const load = (change: Partial<NonNullable<Loaded["load"]>> = {}): NonNullable<Loaded["load"]> => ({
  ...MADE.load!,
  dropped: 0,
  ...change,
});
const latency = (p99_us: number): NonNullable<Loaded["latency"]> => ({
  ...MADE.latency!,
  ...{ p99_us, histogram: [] },
});

test("a rate counts from 99 % on, and below it is marked with what was due, what never went out and who was the limit", () => {
  assert.equal(rateMark({ load: load({ requests: 1_980, requests_per_second: 990 }), bound: "neither" }), undefined);
  const short = load({ requests: 1_800, requests_per_second: 900, dropped: 40 });
  assert.deepEqual(
    rateMark({ load: short, bound: "server" }),
    mark(
      "rate-not-kept",
      "only 90.0 % of the 1.00k req/s that were due were answered, 40 were never sent: the server was the limit",
    ),
  );
  assert.equal(
    rateMark({ load: { ...short, dropped: null }, bound: "neither" })!.text,
    "only 90.0 % of the 1.00k req/s that were due were answered",
  );
});

test("of a few requests one may be missing, of a closed loop nothing is due", () => {
  const few = { requests: 9, requests_per_second: 4.5, offered_per_second: 5 };
  assert.ok(isRateReached(few));
  assert.ok(!isRateReached({ ...few, requests: 8, requests_per_second: 4 }));
  const { offered_per_second: _, ...closed } = load();
  assert.ok(isRateReached(closed));
  assert.equal(rateMark({ load: closed, bound: "server" }), undefined);
});

test("both clocks are kept apart: the sender's comes with the other, or is the only one a generator has", () => {
  const sent = { p50_us: 90, p90_us: 150, p99_us: 300, p999_us: 300, max_us: 300 };
  const both = { load: load(), latency: latency(900), sent };
  assert.equal(dueLatency(both)!.p99_us, 900);
  assert.equal(sentLatency(both)!.p99_us, 300);
  const one = { load: load({ untold: { latency: "counted from when it was sent" } }), latency: latency(700) };
  assert.equal(dueLatency(one), null);
  assert.equal(sentLatency(one)!.p99_us, 700);
  assert.equal(sentLatency({ load: load(), latency: latency(900) }), null);
  const { offered_per_second: _, ...closed } = load();
  assert.equal(sentLatency({ ...both, load: closed }), null);
});

test("an open loop has connections to spare over the closed one it stands beside", () => {
  assert.deepEqual(requestsAtRate({ pace: { closed: 50 } }, 1_000), { perSecond: 1_000, connections: 200 });
  assert.deepEqual(requestsAtRate({ pace: { closed: 50 } }, 1_000, { queues: true }), {
    perSecond: 1_000,
    connections: 50,
  });
  const closed = { pace: { perSecond: 5, connections: 7 } };
  assert.deepEqual(requestsAtRate(closed, 1_000), { perSecond: 1_000, connections: 7 });
  assert.deepEqual(requestsAtRate(closed, 1_000, { schedule: "fixed" }), { perSecond: 1_000, connections: 7 });
  const random = { perSecond: 1_000, connections: 7, schedule: "poisson" };
  assert.deepEqual(requestsAtRate(closed, 1_000, { schedule: "poisson" }), random);
  const points = [{ rate: 1_000 }, { rate: "50%" }, { rate: "closed" }, {}];
  assert.deepEqual(points.map(isAtRate), [true, true, false, false]);
});
