import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import type { LoadPlan } from "./generator.ts";
import { wrk } from "./wrk.ts";

const requests: RequestPlan = {
  pace: { closed: 50 },
  mix: [{ path: "/things/{id}", expect: [200] }, { method: "PUT", path: "/things", body: "{n}", expect: [200, 409] }],
  draws: { id: { kind: "uniform", below: 9, miss: { share: 0.1, expect: [404] } }, n: { kind: "serial", from: 1_000 } },
};

const plan: LoadPlan = {
  targets: [{ url: "http://127.0.0.1:8080", requests }],
  threads: 2,
  durationMs: 3_000,
  timeoutMs: 10_005,
  seed: 7,
  load: 0,
};

const two = (other: RequestPlan = requests): LoadPlan => ({
  ...plan,
  targets: [plan.targets[0], { url: "http://127.0.0.1:8081", requests: other }],
});

const line = (change: Record<string, unknown> = {}) =>
  "Running 3s test\nlevelfield " + JSON.stringify({
    durationUs: 3_000_000,
    requests: 150,
    bytes: 1,
    slotUs: 100_000,
    threads: [{ startedUs: 5, slots: [64], kinds: [70, 8, 2] }, { startedUs: 6, slots: [], kinds: [60, 6, 4] }],
    errors: { connect: 0, read: 0, write: 0, status: 0, timeout: 0 },
    latency: [[10, 100], [900_000, 50]],
    ...change,
  }) + "\n";

const program = (plan: LoadPlan) => wrk.input(plan)["program.lua"]!;

test("wrk is told threads, connections, whole seconds, a timeout rounded up, its script and what to send", () => {
  const args = wrk.args(plan, "/folder");
  assert.deepEqual(args.slice(0, 6), ["-t2", "-c50", "-d3s", "--timeout", "11s", "-s"]);
  assert.ok(existsSync(args[6]!));
  assert.deepEqual(args.slice(7), ["http://127.0.0.1:8080", "--", "/folder/program.lua"]);
  assert.deepEqual(wrk.args({ ...plan, plain: true }, "/folder").slice(7), ["http://127.0.0.1:8080/things/{id}"]);
});

test("no thread is without a connection", () => {
  const few: LoadPlan = {
    ...plan,
    threads: 4,
    targets: [{ url: "x", requests: { ...requests, pace: { closed: 3 } } }],
  };
  assert.deepEqual(wrk.args(few, "/folder").slice(0, 2), ["-t3", "-c3"]);
});

test("several servers have a thread and all their connections each, told by port, and each distinct plan comes once", () => {
  assert.deepEqual(wrk.args(two(), "/folder").slice(0, 2), ["-t2", "-c100"]);
  assert.deepEqual(wrk.env(two()), { LEVELFIELD_TARGETS: "8080 8081", LEVELFIELD_LATENCY: "0" });
  assert.deepEqual(wrk.env(plan), {});
  assert.deepEqual(wrk.env({ ...plan, watched: true }), { LEVELFIELD_WATCH: "1", LEVELFIELD_LATENCY: "0" });
  assert.deepEqual(wrk.env({ ...plan, untimed: true }), { LEVELFIELD_LATENCY: "0" });
  assert.match(program(two()), /\}, \{ 1, 1 \}$/);
  const other: RequestPlan = { pace: { closed: 50 }, mix: [{ path: "/other", expect: [200] }] };
  assert.match(program(two(other)), /\}, \{ 1, 2 \}$/);
});

test("seed, load and thread decide what is drawn, and the time it takes does not", () => {
  assert.deepEqual(program({ ...plan, durationMs: 9_000, timeoutMs: 1 }), program(plan));
  assert.notDeepEqual(program({ ...plan, seed: 8 }), program(plan));
  assert.notDeepEqual(program({ ...plan, load: 1 }), program(plan));
});

test("what wrk cannot do is an Error in one line", () => {
  const of = (change: Partial<RequestPlan>, load: Partial<LoadPlan> = {}): LoadPlan => ({
    ...plan,
    targets: [{ url: "http://127.0.0.1:8080", requests: { ...requests, ...change } }],
    ...load,
  });
  const hex16 = [1, 2, 3, 4] as const;
  const wrong: [RegExp, LoadPlan][] = [
    [/^wrk cannot keep a rate$/, of({ pace: { perSecond: 5, connections: 5 } })],
    [/not 50 to one and 51 to another/, two({ ...requests, pace: { closed: 51 } })],
    [/at most 16 threads of wrk, got 17/, of({}, { threads: 17 })],
    [
      /do not all differ in 16 digits/,
      of({
        mix: [{ path: "/{hex}", expect: [200] }],
        draws: { n: { kind: "serial", from: 2 ** 32 }, hex: { kind: "same", of: "n", as: { hex16 } } },
      }),
    ],
    [
      /at most 60 draws, 25 in one request/,
      of({
        mix: [{ path: "/" + Array.from({ length: 26 }, (_, n) => `{d${n}}`).join(), expect: [200] }],
        draws: Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`d${n}`, { kind: "uniform", below: 9 }])),
      }),
    ],
  ];
  for (const [message, each] of wrong) {
    assert.throws(() => [wrk.args(each, "/folder"), wrk.input(each)], { message });
  }
});

test("the result line is found among what wrk prints, and its histogram is made raw", () => {
  assert.deepEqual(wrk.parse(line(), plan).latency, [[10, 100], [900_000, 50]]);
  const requests = 150;
  // E = 3 s / (150 / 50) = 1 s: a latency of 2.5 s was counted again at 1.5 s.
  const latency = [[10, 149], [1_500_000, 1], [2_500_000, 1]];
  assert.deepEqual(wrk.parse(line({ requests, latency }), plan).latency, [[10, 149], [2_500_000, 1]]);
});

test("the report is the last thing wrk prints: what only looks like one before it is none", () => {
  assert.equal(wrk.parse(`levelfield is flooded\n${line()}`, plan).requests, 150);
});

test("counts by kind become requests sent by template, errors due and errors allowed, by thread", () => {
  assert.deepEqual(wrk.parse(line(), plan).threads, [
    { startedUs: 5, slots: [64], sent: [78, 2], errorsDue: 8, errorsAllowed: 2 },
    { startedUs: 6, slots: [], sent: [66, 4], errorsDue: 6, errorsAllowed: 4 },
  ]);
  const other: RequestPlan = { pace: { closed: 50 }, mix: [{ path: "/", expect: [500] }] };
  const threads = [{ startedUs: 5, slots: [], kinds: [70, 8, 2] }, { startedUs: 6, slots: [], kinds: [30] }];
  assert.deepEqual(wrk.parse(line({ threads }), two(other)).threads.map(({ sent, errorsDue }) => [sent, errorsDue]), [
    [[78, 2], 8],
    [[30], 30],
  ]);
  const nothing = [0, 1].map(() => ({ startedUs: 0, slots: [], kinds: [] }));
  assert.deepEqual(wrk.parse(line({ threads: nothing }), { ...plan, plain: true }).threads[1], {
    startedUs: 0,
    slots: [],
    sent: [0, 0],
    errorsDue: 0,
    errorsAllowed: 0,
  });
});

test("output that is not what it should be is an error in one line, never a result", () => {
  for (
    const output of [
      "",
      "Running\n",
      "levelfield {",
      line({ requests: -1 }),
      line({ durationUs: 0 }),
      line({ latency: null }),
      line({ threads: [] }),
    ]
  ) {
    assert.throws(() => wrk.parse(output, plan), (error: Error) => /^(what )?wrk[^\n]+$/.test(error.message), output);
  }
});

test("what a watched load prints on the way is read, and no other line is taken for it", () => {
  assert.deepEqual(wrk.watch()("sent 1 1700000000123456 4711"), {
    thread: 1,
    atUs: 1_700_000_000_123_456,
    requests: 4_711,
  });
  for (const other of ["", "sent", "sent 1 2", "sent 1 2 3 4", "sent 1 2 x", " sent 1 2 3", "Running 1s test"]) {
    assert.equal(wrk.watch()(other), undefined, other);
  }
});

test("latencies of several servers, of a watched load and of an untimed one are nobody's", () => {
  const threads = [{ startedUs: 5, slots: [64], kinds: [1, 0, 0] }, { startedUs: 5, slots: [64], kinds: [1, 0, 0] }];
  assert.equal(wrk.parse(line({ threads, latency: [] }), two()).latency, null);
  for (const how of [{ watched: true }, { untimed: true }]) {
    assert.equal(wrk.parse(line({ latency: [] }), { ...plan, ...how }).latency, null);
  }
});
