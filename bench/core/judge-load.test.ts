import assert from "node:assert/strict";
import { test } from "node:test";
import { type CountedLoad, faultsOf, latencyOf } from "./judge-load.ts";
import { latencySchema } from "./result/observation-record.ts";

const NO_ERRORS = { connect: 0, read: 0, write: 0, timeout: 0, status: 0 };

/** Ten connections, each answered every millisecond for a second. */
const SOUND: CountedLoad = {
  durationUs: 1_000_000,
  requests: 10_000,
  connections: 10,
  errors: NO_ERRORS,
  errorsDue: 0,
  errorsAllowed: 0,
  latency: [[900, 5_000], [1_100, 5_000]],
};

const codes = (change: Partial<CountedLoad>) => faultsOf({ ...SOUND, ...change }).map(({ code }) => code);

test("a sound load has no faults", () => {
  assert.deepEqual(faultsOf(SOUND), []);
});

test("any socket error, late reply or unexpected status spoils a load", () => {
  assert.deepEqual(codes({ errors: { ...NO_ERRORS, connect: 1 } }), ["socket-errors"]);
  assert.deepEqual(codes({ errors: { ...NO_ERRORS, read: 1 } }), ["socket-errors"]);
  assert.deepEqual(codes({ errors: { ...NO_ERRORS, write: 1 } }), ["socket-errors"]);
  assert.deepEqual(codes({ errors: { ...NO_ERRORS, status: 1 } }), ["unexpected-status"]);
  assert.deepEqual(codes({ errors: { ...NO_ERRORS, timeout: 1 }, latency: [[1_000, 9_999]] }), ["timeouts"]);
});

test("error replies that were asked for are no fault, but for those in flight at the end they must all come", () => {
  const asked = (errorsDue: number, status: number) => codes({ errorsDue, errors: { ...NO_ERRORS, status } });
  assert.deepEqual(asked(1_000, 1_000), []);
  assert.deepEqual(asked(1_000, 990), []);
  assert.deepEqual(asked(1_000, 989), ["unexpected-status"]);
  assert.deepEqual(asked(1_000, 1_001), ["unexpected-status"]);
});

test("errors that are only allowed may come or not, beside those that must", () => {
  const allowed = (status: number) => codes({ errorsDue: 100, errorsAllowed: 50, errors: { ...NO_ERRORS, status } });
  assert.deepEqual(allowed(90), []);
  assert.deepEqual(allowed(150), []);
  assert.deepEqual(allowed(89), ["unexpected-status"]);
  assert.deepEqual(allowed(151), ["unexpected-status"]);
});

test("a load without a single reply has nothing else said about it", () => {
  assert.deepEqual(codes({ requests: 0, latency: [] }), ["no-requests"]);
});

test("a histogram must hold one count a request, none of them negative", () => {
  assert.deepEqual(codes({ latency: [[1_000, 9_999]] }), ["histogram-broken"]);
  assert.deepEqual(codes({ latency: [[900, -1], [1_000, 10_001]] }), ["histogram-broken"]);
});

test("more requests in flight than connections cannot be; fewer were waiting for the generator", () => {
  assert.deepEqual(codes({ latency: [[1_021, 10_000]] }), ["littles-law-broken"]);
  assert.deepEqual(codes({ latency: [[979, 10_000]] }), []);
  assert.deepEqual(codes({ latency: [[1_019, 10_000]] }), []);
});

test("with few requests a connection Little's law is not asserted: those in flight weigh too much", () => {
  assert.deepEqual(codes({ requests: 999, latency: [[20_000, 999]] }), []);
  assert.deepEqual(codes({ requests: 1_000, latency: [[20_000, 1_000]] }), ["littles-law-broken"]);
});

test("every fault is told, not only the first", () => {
  assert.deepEqual(codes({ errors: { connect: 1, read: 1, write: 1, timeout: 1, status: 1 } }), [
    "socket-errors",
    "timeouts",
    "unexpected-status",
    "histogram-broken",
  ]);
});

test("the latency part of a record has ordered percentiles of the raw histogram", () => {
  const latency = latencySchema.parse(latencyOf({ ...SOUND, latency: [[100, 9_000], [2_345, 990], [70_001, 10]] }));
  assert.deepEqual(
    [latency.p50_us, latency.p90_us, latency.p99_us, latency.p999_us, latency.max_us],
    [100, 100, 2_345, 2_345, 70_001],
  );
  assert.deepEqual(latency.histogram, [[100, 9_000], [2_350, 990], [70_000, 10]]);
  assert.equal(latencyOf({ ...SOUND, latency: [] }), null);
});
