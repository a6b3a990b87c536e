import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import type { Cell } from "../record/cell-schema.ts";
import { type CellCard, cellCard } from "../record/card.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { isInTurn, isUnsupported, makeCellCard, makeCellCards, rateMarks } from "./cell-card.ts";
import { solosOf } from "../judge/lines.ts";
import { type Observation, observationRecord } from "../record/observation-record.ts";
import { statusOf } from "../judge/status.ts";
import { mark } from "../record/mark.ts";

const NODE: Cell = { point: { suite: "any", at: { runtime: "node" } }, label: "main" };
const AXES = [planAxis("runtime", ["node", "bun"])];
const [LINE] = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node"] }).lines
  .filter(({ kind }) => kind === "solo") as [Observation];

/** A solo observation that holds, at a rate. */
function solo(requestsPerSecond: number, change: Partial<Observation> = {}, audit_facts = {}): Observation {
  const requests = 2 * requestsPerSecond;
  const member = { ...LINE.members[0]!, cell: NODE, server: null, audit_facts, warmup: null, requests };
  const load = { ...LINE.load!, duration_us: 2_000_000, requests, requests_per_second: requestsPerSecond };
  return observationRecord.parse({
    ...LINE,
    ...{ round: 0, bound: "server", members: [member], latency: null, counters: null },
    load: { ...load, rows_per_request: null, reply_bytes: requestsPerSecond * 400 },
    ...change,
  });
}

const cardOf = (...observations: Observation[]): CellCard =>
  cellCard.parse(makeCellCard("run", AXES, observations.flatMap(solosOf)));

const wrong = (code: Mark["code"], text: string): Partial<Observation> => ({
  status: statusOf([mark(code, text)]),
  marks: [mark(code, text)],
});

test("a card has the medians of its observations, and null where none of them has a figure", () => {
  const card = cardOf(solo(100), solo(300), solo(200));
  assert.deepEqual([card.status, card.name], ["ok", "node"]);
  assert.deepEqual([card.observations, card.observations_ok, card.requests_per_second], [3, 3, 200]);
  assert.deepEqual([card.reply_bytes_per_request, card.transfer_bytes_per_second], [200, 40_000]);
  assert.deepEqual([card.p99_us, card.rows_per_second, card.error_share], [null, null, 0]);
});

test("rows a second are requests a second times the rows of each, and errors are a share of replies", () => {
  const one = solo(100);
  const load = { ...one.load!, rows_per_request: 20, errors: { ...one.load!.errors, status: 50, expected_status: 60 } };
  const card = cardOf(solo(100, { load }));
  assert.deepEqual([card.rows_per_second, card.error_share], [2_000, 0.25]);
});

test("no figure of a spoilt observation is used, and where more than a third are the worst decides the status", () => {
  const card = cardOf(
    solo(100),
    solo(9_999, wrong("socket-errors", "a")),
    solo(9_999, wrong("contended", "b")),
    solo(300),
  );
  assert.deepEqual([card.status, card.observations, card.observations_ok], ["invalid", 4, 2]);
  assert.equal(card.requests_per_second, 200);
  const worse = cardOf(solo(1, wrong("server-crashed", "b")), solo(1, wrong("socket-errors", "a")));
  assert.deepEqual([worse.status, worse.requests_per_second, worse.bound], ["failed", null, "unknown"]);
  assert.deepEqual(worse.marks.map(({ code }) => code), ["server-crashed", "socket-errors"]);
  // The reason of the status stands first, whatever came first.
  const later = cardOf(solo(1, wrong("contended", "a")), solo(1, wrong("server-hung", "b")));
  assert.deepEqual([later.status, later.marks[0]!.code], ["failed", "server-hung"]);
});

test("socket errors and late replies are counted over all observations, spoilt ones too, with one mark", () => {
  const { load } = solo(100);
  const errors = { connect: 1, read: 2, write: 4, timeout: 8, status: 0, expected_status: 0 };
  const spoilt = solo(100, { ...wrong("socket-errors", "a"), load: { ...load!, errors } });
  const card = cardOf(solo(100), spoilt, spoilt);
  assert.deepEqual([card.socket_errors, card.timeouts], [14, 16]);
  assert.equal(card.marks.length, 1, "the same mark is told once");
});

test("what audits counted is there as medians, by name", () => {
  const card = cardOf(solo(1, {}, { rows: 10, busy: 1 }), solo(1, {}, { rows: 30 }), solo(1, {}, { rows: 20 }));
  assert.deepEqual(card.audit_facts, { rows: 20, busy: 1 });
});

test("one bad round of six costs that round, and its mark is told", () => {
  const good = [100, 110, 120, 130, 140].map((rate) => solo(rate));
  for (const code of ["contended", "server-crashed", "socket-errors", "clock-changed"] as const) {
    const card = cardOf(...good, solo(1, wrong(code, "others")));
    assert.deepEqual([card.status, card.observations, card.observations_ok], ["ok", 6, 5], code);
    assert.deepEqual([card.requests_per_second, card.marks], [120, [mark(code, "others")]]);
  }
  assert.equal(
    cardOf(...good.slice(1), solo(1, wrong("contended", "a")), solo(1, wrong("contended", "a"))).status,
    "ok",
  );
});

test("a server that answers with errors is told with its own last error, which may name a pool", () => {
  const erred = wrong("unexpected-status", "239 replies had an error status");
  const timeout = "Error: timeout exceeded when trying to connect\n    at pool.js:45:11\n";
  const textOf = (stderr_tail: string | null) => cardOf(solo(400, { ...erred, stderr_tail })).marks[0]!.text;
  assert.equal(
    textOf(timeout),
    '239 replies had an error status; it says "timeout exceeded when trying to connect"',
  );
  assert.equal(textOf(null), "239 replies had an error status");
});

test("one wrong answer is one too many, in however many rounds", () => {
  const good = Array.from({ length: 20 }, () => solo(100));
  for (const code of ["wrong-answer", "audit-failed", "unexpected-status"] as const) {
    assert.equal(cardOf(...good, solo(100, wrong(code, "it lost a row"))).status, "invalid", code);
  }
  assert.equal(cardOf(...good, solo(100, wrong("wrong-runtime", "it is another"))).status, "failed");
});

test("what a server answers wrongly beside others, it did not answer well alone a moment before", () => {
  const { lines } = makeFixture({ runtimes: ["node", "bun"], stores: ["map"], sizes: [10_000], together: "plan" });
  const line = structuredClone(lines.find(({ kind, alone }) => kind === "ensemble" && alone)!);
  line.marks = [mark("wrong-answer", "another user")];
  line.status = "invalid";
  line.members[1]!.marks = line.marks;
  assert.deepEqual(solosOf(line).map(({ status }) => status), line.members.map((_, n) => n === 1 ? "invalid" : "ok"));
  // Others' work in the window together says nothing of the windows alone.
  const contended = { ...line, marks: [mark("contended", "others")] };
  contended.members = line.members.map((member) => ({ ...member, marks: [] }));
  assert.ok(solosOf(contended).every(({ status, load }) => status === "ok" && load !== null));
});

test("what limited most rounds limits the cell, and of equally many what says less for the server", () => {
  const bound = (...bounds: Observation["bound"][]) => cardOf(...bounds.map((bound) => solo(1, { bound }))).bound;
  assert.equal(bound("server", "generator", "unknown"), "generator");
  assert.equal(bound("server", "unknown", "neither"), "unknown");
  assert.equal(bound("server", "neither"), "neither");
  assert.equal(bound("server", "server", "generator"), "server");
  assert.equal(bound("generator", "generator", "server"), "generator");
  assert.equal(bound("server", "server"), "server");
});

test("a server that waits is no limit of its rate, unless it makes calls in turn: then its waiting is a part of each", () => {
  const waits = cardOf(solo(1, { bound: "neither" }));
  assert.equal(rateMarks(waits, false).length, 1);
  assert.deepEqual(rateMarks(waits, true), []);
  assert.equal(rateMarks(cardOf(solo(1, { bound: "generator" })), true).length, 1);
  const line = (connections: number) => {
    const { load } = solo(1);
    return [solo(1, { load: { ...load!, connections } })].flatMap(solosOf);
  };
  assert.ok(isInTurn({ generator: "in-process" }, line(1)));
  assert.ok(!isInTurn({ generator: "in-process" }, line(8)), "several at once");
  assert.ok(!isInTurn({ generator: "wrk" }, line(1)), "requests are sent");
});

test("cards come in the order of the plan, points that cannot be last, and no observation makes no card", () => {
  const { run, lines } = makeOddFixture({ rounds: 1 });
  const cards = makeCellCards(run, [...lines].reverse());
  assert.deepEqual(cards.slice(0, -1).map(({ cell }) => cell), run.plan.cells);
  assert.deepEqual(cards.at(-1)!.cell.point, run.plan.unsupported[0]!.point);
  assert.deepEqual(cards.map(isUnsupported), [...Array(9).fill(false), true, false, false, true]);
  assert.throws(() => makeCellCard("run", AXES, []), RangeError);
});

test("what others voided counts no more once a spare round made up for it", () => {
  const { run } = makeOddFixture({ rounds: 1 });
  const made = {
    ...run,
    plan: { ...run.plan, cells: [NODE], axes: AXES, unsupported: [], rounds: 1, spare_rounds: 1 },
  };
  const cardOf = (...lines: Observation[]) => {
    const { status, observations, observations_ok, requests_per_second } = makeCellCards(made, lines)[0]!;
    return [status, observations, observations_ok, requests_per_second];
  };
  const voided = solo(900, wrong("contended", "others had it"));
  assert.deepEqual(cardOf(voided), ["invalid", 1, 0, null]);
  assert.deepEqual(cardOf(voided, solo(1_000, { round: 1 })), ["ok", 1, 1, 1_000]);
  assert.deepEqual(cardOf(voided, { ...voided, round: 1 }), ["invalid", 2, 0, null]);
  assert.deepEqual(cardOf(solo(900, wrong("wrong-answer", "?")), solo(1_000, { round: 1 }))[0], "invalid");
});

test("of a cell at a rate the card has what was due and both clocks, and a rate that was not kept voids its figures", () => {
  const { load } = solo(1_000);
  const due = { ...load!, offered_per_second: 1_000, dropped: 0 };
  const latency = {
    p50_us: 200,
    p90_us: 300,
    p99_us: 900,
    p999_us: null,
    max_us: 1_000,
    mean_us: null,
    histogram: [],
    littles_law_gap: null,
  };
  const kept = cardOf(solo(1_000, { load: due, latency }));
  const { by_clock: clocks, ...offered } = kept.open_loop!;
  const one = (us: number) => ({ us, low_us: us, high_us: us, coverage: null });
  const none = { p50: null, p90: null, p99: null, p999: null, max: null };
  assert.deepEqual(offered, { offered_per_second: 1_000, answered_share: 1, dropped: 0, on_time_share: null });
  assert.deepEqual(clocks.due, { p50: one(200), p90: one(300), p99: one(900), p999: null, max: one(1_000) });
  assert.deepEqual([clocks.sent, clocks.late], [none, none]);
  const sent = { p50_us: 100, p90_us: 200, p99_us: 300, p999_us: 400, max_us: 500 };
  const lateness = { on_time_share: 0.9, p50_us: 20, p90_us: 31, p99_us: 90, p999_us: 95, max_us: 800 };
  const all = cardOf(solo(1_000, { load: { ...due, lateness }, latency, sent })).open_loop!;
  assert.deepEqual([all.on_time_share, all.by_clock.sent.p999, all.by_clock.late.p99], [0.9, one(400), one(90)]);
  // The generator was late by more than a tenth at two of the quantiles: those are nobody's.
  const known = { p50: one(200), p90: null, p99: one(900), p999: null, max: null };
  assert.deepEqual([all.by_clock.due, all.by_clock.sent.p90], [known, one(200)]);
  assert.equal(kept.p99_us, 900);
  assert.equal(cardOf(solo(1_000)).open_loop, undefined);
  const untold = { latency: "counted from when it was sent" };
  const other = cardOf(solo(1_000, { load: { ...due, untold }, latency }));
  assert.deepEqual([other.p50_us, other.p99_us], [null, null]);
  assert.deepEqual(other.open_loop!.by_clock.due, none);
  assert.deepEqual([other.open_loop!.by_clock.sent.p50, other.open_loop!.by_clock.sent.p99], [one(200), one(900)]);
  const short = cardOf(solo(1_000, {
    load: { ...due, offered_per_second: 2_000, dropped: 2_000 },
    ...wrong("rate-not-kept", "only 50.0 % were answered"),
  }));
  assert.deepEqual([short.status, short.p99_us, short.open_loop!.answered_share], ["invalid", null, 0.5]);
});
