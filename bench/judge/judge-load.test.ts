import assert from "node:assert/strict";
import { test } from "node:test";
import { recorded } from "../../tests/fixtures/recorded-load.ts";
import type { LoadResult } from "../generators/generator.ts";
import { latencySchema, type Loaded } from "../record/load-record.ts";
import { mark } from "../record/mark.ts";
import { judgeLoad } from "./judge-load.ts";

const NO_ERRORS = { connect: 0, read: 0, write: 0, timeout: 0, status: 0 };

/** Ten connections, each answered every millisecond for a second. */
const SOUND: LoadResult = {
  durationUs: 1_000_000,
  requests: 10_000,
  bytes: null,
  threads: [],
  slotUs: 0,
  errors: NO_ERRORS,
  latency: [[900, 5_000], [1_100, 5_000]],
  untold: {},
};

const due = (errorsDue: number, errorsAllowed = 0) => ({
  threads: [{ startedUs: 0, slots: [], sent: [], errorsDue, errorsAllowed }],
});

const kept = (change: Partial<LoadResult>, perSecond: number | null = null) =>
  recorded({ ...SOUND, ...change }, 10, perSecond);
const faultsOf = (change: Partial<LoadResult>, perSecond: number | null = null) =>
  judgeLoad(kept(change, perSecond), { whose: "one", members: [], given: { serverCpus: null, loadCpus: null } });
const codes = (change: Partial<LoadResult>) => faultsOf(change).map(({ code }) => code);

test("a sound load has no faults", () => {
  assert.deepEqual(faultsOf({}), []);
});

test("connections that a server ended spoil a load of a generator that opens none again", () => {
  assert.deepEqual(codes({ keptShare: 0.3 }), ["connections-ended"]);
  assert.match(
    faultsOf({ keptShare: 0.3 })[0]!.text,
    /^the server ended connections: 30 % of 10 still sent at the end/,
  );
  assert.deepEqual(codes({ keptShare: 0.9 }), []);
  assert.deepEqual(codes({ keptShare: null }), []);
});

const sent = (change: Partial<NonNullable<LoadResult["messages"]>>): Partial<LoadResult> => ({
  messages: {
    ...{ in_flight: 1, members: 1, expected: 10_000, received: 10_000, doubled: 0, reordered: 0, changed: 0 },
    ...{ connections_short: 0, closes: {}, fault: null, ...change },
  },
});

test("messages that did not come once each, in order and as sent, spoil a load", () => {
  assert.deepEqual(codes(sent({})), []);
  assert.deepEqual(
    faultsOf(
      sent({ expected: 10_002, doubled: 1, reordered: 3, changed: 4, connections_short: 2, fault: "it sent x" }),
    ),
    [mark(
      "messages-lost",
      "of 10002 messages 2 lost, 1 doubled, 3 out of order, 4 changed, on 2 connections: it sent x",
    )],
  );
  for (const one of ["doubled", "reordered", "changed"] as const) {
    assert.deepEqual(codes(sent({ [one]: 1 })), ["messages-lost"], one);
  }
  const [broken] = faultsOf({ ...sent({ fault: "it closed with 1011" }), errors: { ...NO_ERRORS, read: 1 } });
  assert.match(broken!.text, /^1 socket errors \(.*read 1.*\): it closed with 1011$/);
  const limited = sent({ fault: "it closed with 1008 after 100 replies", closes: { "1008": 2, "1006": 1 } });
  const [closed] = faultsOf({ ...limited, errors: { ...NO_ERRORS, read: 3 } });
  assert.match(closed!.text, /with 1008 after 100 replies; 2 connections closed with 1008, as for a limit$/);
});

test("with several messages in flight on each connection their times are as many times longer", () => {
  const slow: Partial<LoadResult> = { latency: [[16_000, 10_000]] };
  assert.deepEqual(codes(slow), ["littles-law-broken"]);
  assert.deepEqual(codes({ ...slow, ...sent({ in_flight: 16 }) }), []);
  assert.deepEqual(codes({ latency: [[17_000, 10_000]], ...sent({ in_flight: 16 }) }), ["littles-law-broken"]);
  assert.equal(kept({ ...slow, ...sent({ in_flight: 16 }) }).latency!.littles_law_gap, 0);
  assert.equal(kept({ ...slow, ...sent({ in_flight: 1, members: 32 }) }).latency!.littles_law_gap, null);
});

const errors = (change: Partial<LoadResult["errors"]>) => ({ errors: { ...NO_ERRORS, ...change } });

/** Each load with its faults, all of them. */
const CASES: readonly (readonly [says: string, load: Partial<LoadResult>, ...codes: string[]])[] = [
  ["a socket error in connecting", errors({ connect: 1 }), "socket-errors"],
  ["a socket error in reading", errors({ read: 1 }), "socket-errors"],
  ["a socket error in writing", errors({ write: 1 }), "socket-errors"],
  ["an unexpected status", errors({ status: 1 }), "unexpected-status"],
  ["a late reply", { ...errors({ timeout: 1 }), latency: [[1_000, 9_999]] }, "timeouts"],
  ["all errors that were asked for", { ...due(1_000), ...errors({ status: 1_000 }) }],
  ["but for those in flight at the end", { ...due(1_000), ...errors({ status: 990 }) }],
  ["fewer errors than were asked for", { ...due(1_000), ...errors({ status: 989 }) }, "unexpected-status"],
  ["more errors than were asked for", { ...due(1_000), ...errors({ status: 1_001 }) }, "unexpected-status"],
  ["errors that must come, and none that may", { ...due(100, 50), ...errors({ status: 90 }) }],
  ["errors that must come, and all that may", { ...due(100, 50), ...errors({ status: 150 }) }],
  ["fewer errors than must come", { ...due(100, 50), ...errors({ status: 89 }) }, "unexpected-status"],
  ["more errors than may come", { ...due(100, 50), ...errors({ status: 151 }) }, "unexpected-status"],
  ["no reply, of which nothing else is said", { requests: 0, latency: [] }, "no-requests"],
  ["an empty histogram", { latency: [] }, "histogram-broken"],
  ["a histogram that lacks one", { latency: [[1_000, 9_999]] }, "histogram-broken"],
  ["a negative count", { latency: [[900, -1], [1_000, 10_001]] }, "histogram-broken"],
  ["more requests in flight than connections", { latency: [[1_021, 10_000]] }, "littles-law-broken"],
  ["as many within the limit", { latency: [[1_019, 10_000]] }],
  ["fewer, which waited for the generator", { latency: [[979, 10_000]] }],
  ["too few requests a connection to tell", { requests: 999, latency: [[20_000, 999]] }],
  ["as few as tell", { requests: 1_000, latency: [[20_000, 1_000]] }, "littles-law-broken"],
  [
    "every fault, not only the first",
    errors({ connect: 1, read: 1, write: 1, timeout: 1, status: 1 }),
    ...["socket-errors", "timeouts", "unexpected-status", "histogram-broken"],
  ],
];

test("a load is spoilt by errors, unlike counts and more in flight than can be, and by nothing within its limits", () => {
  for (const [says, load, ...expected] of CASES) assert.deepEqual(codes(load), expected, says);
});

test("the latency part of a record has ordered percentiles of the raw histogram", () => {
  const latency = latencySchema.parse(kept({ latency: [[100, 9_000], [2_345, 990], [70_001, 10]] }).latency);
  assert.deepEqual(
    [latency.p50_us, latency.p90_us, latency.p99_us, latency.p999_us, latency.max_us],
    [100, 100, 2_345, 2_345, 70_001],
  );
  assert.deepEqual(latency.histogram, [[100, 9_000], [2_350, 990], [70_000, 10]]);
  assert.equal(kept({ requests: 0, latency: [] }).latency, null);
});

test("how many an open loop has in flight is nobody's choice, so Little's law says nothing there", () => {
  const late = { latency: [[20_000, 10_000]] as const };
  assert.deepEqual(faultsOf(late, 10_000), []);
  assert.equal(kept(late, 10_000).latency!.littles_law_gap, null);
  assert.deepEqual(codes(late), ["littles-law-broken"]);
});

test("what a generator does not count speaks against nothing, and what it does not tell apart does", () => {
  const unknown = { connect: null, read: null, write: null, timeout: null, status: null };
  assert.deepEqual(codes({ errors: unknown }), []);
  const [fault] = faultsOf({ errors: { ...unknown, connect: 2, other: 3 } });
  assert.equal(fault!.text, "5 socket errors (connect 2, other 3)");
  const [ended] = faultsOf({ errors: { ...NO_ERRORS, read: 100 } });
  assert.equal(
    ended!.text,
    "100 socket errors (connect 0, read 100, write 0): one request in 101 got no whole reply before its connection ended; " +
      '"connection: close" announces an end that is meant',
  );
});

test("time of the servers' core that is nobody's voids a closed loop, and no load at a rate, whose core has idle time", () => {
  const counters = { server_share: 0.57, server_foreign_share: 0.12, server_wait_share: 0.01, steal_share: 0 };
  const other = { generator_foreign_share: 0, frequency_change: null, clock_step_ms: null, share_window_ns: 2e9 };
  const codesAt = (perSecond: number | null) =>
    judgeLoad({ ...kept({}, perSecond), counters: { ...counters, ...other } as Loaded["counters"] }, {
      whose: "one",
      members: [],
      given: { serverCpus: null, loadCpus: null },
    }).map(({ code }) => code);
  assert.ok(codesAt(null).includes("contended"));
  assert.ok(!codesAt(10_000).includes("contended"));
});
