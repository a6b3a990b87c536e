import assert from "node:assert/strict";
import { test } from "node:test";
import { cellCard, makeCellCard, makeCellCards } from "./cell-card.ts";
import { type TrialRecord, trialRecord } from "./trial-record.ts";

/** A record that holds, at a rate. */
function trial(requestsPerSecond: number, change: Partial<TrialRecord> = {}): TrialRecord {
  return trialRecord.parse({
    schema: "levelfield.trial/1",
    index: 0,
    round: 0,
    cell: { suite: "users", workload: "read", runtime: "node", store: "map", size: 1_000 },
    label: "main",
    draw_seed: 1,
    status: "ok",
    reasons: [],
    started_at: "2026-01-01T00:00:00.000Z",
    wall_ms: 2_000,
    bound: "server",
    server: null,
    oracle: { before: 40, after: 40 },
    warmup_requests_per_second: 1,
    load: {
      duration_us: 1_000_000,
      requests: requestsPerSecond,
      requests_per_second: requestsPerSecond,
      reply_bytes: requestsPerSecond * 200,
      sent_per_100ms: [],
      connections: 50,
      threads: 1,
      errors: { connect: 0, read: 0, write: 0, timeout: 0, status: 0, expected_status: 0 },
      thread_cpus: null,
    },
    latency: null,
    counters: null,
    stderr_tail: null,
    ...change,
  });
}

const wrong = (code: "socket-errors" | "server-crashed", message: string): Partial<TrialRecord> => ({
  status: code === "server-crashed" ? "failed" : "invalid",
  reasons: [{ code, message }],
});

test("a card has the medians of its trials, and null where none of them has a figure", () => {
  const card = cellCard.parse(makeCellCard("run", [trial(100), trial(300), trial(200)]));
  assert.equal(card.status, "ok");
  assert.deepEqual([card.trials, card.trials_ok, card.requests_per_second], [3, 3, 200]);
  assert.equal(card.reply_bytes_per_request, 200);
  assert.equal(card.p99_us, null);
});

test("the worst trial decides the status, and no figure of a spoilt trial is used", () => {
  const card = cellCard.parse(makeCellCard("run", [trial(100), trial(9_999, wrong("socket-errors", "a")), trial(300)]));
  assert.deepEqual([card.status, card.trials, card.trials_ok], ["invalid", 3, 2]);
  assert.equal(card.requests_per_second, 200);
  const worse = makeCellCard("run", [trial(1, wrong("server-crashed", "b")), trial(1, wrong("socket-errors", "a"))]);
  assert.deepEqual([worse.status, worse.requests_per_second, worse.bound], ["failed", null, "unknown"]);
  assert.deepEqual(worse.reasons.map(({ code }) => code), ["server-crashed", "socket-errors"]);
});

test("the same reason in several trials is told once", () => {
  const spoilt = wrong("socket-errors", "a");
  assert.equal(makeCellCard("run", [trial(1, spoilt), trial(2, spoilt)]).reasons.length, 1);
});

test("one trial the generator limited makes the cell a lower bound", () => {
  const bound = (...bounds: TrialRecord["bound"][]) =>
    makeCellCard("run", bounds.map((bound) => trial(1, { bound }))).bound;
  assert.equal(bound("server", "generator", "unknown"), "generator");
  assert.equal(bound("server", "unknown", "neither"), "unknown");
  assert.equal(bound("server", "neither"), "neither");
  assert.equal(bound("server", "server"), "server");
});

test("trials are gathered by cell in the order cells first appear, and no trials make no card", () => {
  const other = { ...trial(1).cell, runtime: "bun" };
  const cards = makeCellCards("run", [trial(1, { cell: other }), trial(2), trial(3, { cell: other })]);
  assert.deepEqual(cards.map((card) => [card.cell.runtime, card.trials]), [["bun", 2], ["node", 1]]);
  assert.throws(() => makeCellCard("run", []), RangeError);
});
