import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOddFixture } from "../../../tests/fixtures/made-up-run.ts";
import type { Cell } from "../cell-schema.ts";
import { type CellCard, cellCard, isUnsupported, makeCellCard, makeCellCards } from "./cell-card.ts";
import { type Observation, observationRecord } from "./observation-record.ts";

const NODE: Cell = { point: { suite: "any", at: { runtime: "node" } }, label: "main" };
const AXES = [{
  name: "runtime",
  title: "Runtime",
  role: "contrast" as const,
  unit: null,
  option: "runtime",
  shown: true,
  values: ["node", "bun"].map((value) => ({ value, text: value, facts: {} })),
}];

/** A solo observation that holds, at a rate. */
function solo(requestsPerSecond: number, change: Partial<Observation> = {}, audit_facts = {}): Observation {
  return observationRecord.parse({
    schema: "levelfield.observation/1",
    index: 0,
    round: 0,
    kind: "solo",
    purpose: null,
    draw_seed: 1,
    status: "ok",
    reasons: [],
    started_at: "2026-01-01T00:00:00.000Z",
    wall_ms: 2_000,
    bound: "server",
    members: [{
      cell: NODE,
      server: null,
      oracle: { before: 40, after: 40, audit: null },
      audit_facts,
      requests: requestsPerSecond,
      cpu_ns: null,
      cpu_ns_per_request: null,
      parts: null,
    }],
    order: [0],
    warmup: [],
    load: {
      duration_us: 2_000_000,
      requests: 2 * requestsPerSecond,
      requests_per_second: requestsPerSecond,
      rows_per_request: null,
      reply_bytes: requestsPerSecond * 400,
      sent_per_slot: [],
      slot_us: 100_000,
      sent_per_template: [],
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

const cardOf = (...observations: Observation[]): CellCard => cellCard.parse(makeCellCard("run", AXES, observations));

const wrong = (code: "socket-errors" | "server-crashed", message: string): Partial<Observation> => ({
  status: code === "server-crashed" ? "failed" : "invalid",
  reasons: [{ code, message }],
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

test("the worst observation decides the status, and no figure of a spoilt one is used", () => {
  const card = cardOf(solo(100), solo(9_999, wrong("socket-errors", "a")), solo(300));
  assert.deepEqual([card.status, card.observations, card.observations_ok], ["invalid", 3, 2]);
  assert.equal(card.requests_per_second, 200);
  const worse = cardOf(solo(1, wrong("server-crashed", "b")), solo(1, wrong("socket-errors", "a")));
  assert.deepEqual([worse.status, worse.requests_per_second, worse.bound], ["failed", null, "unknown"]);
  assert.deepEqual(worse.reasons.map(({ code }) => code), ["server-crashed", "socket-errors"]);
});

test("socket errors and late replies are counted over all observations, spoilt ones too", () => {
  const { load } = solo(100);
  const errors = { connect: 1, read: 2, write: 4, timeout: 8, status: 0, expected_status: 0 };
  const spoilt = solo(100, { ...wrong("socket-errors", "a"), load: { ...load!, errors } });
  const card = cardOf(solo(100), spoilt, spoilt);
  assert.deepEqual([card.socket_errors, card.timeouts], [14, 16]);
});

test("what audits counted is there as medians, by name", () => {
  const card = cardOf(solo(1, {}, { rows: 10, busy: 1 }), solo(1, {}, { rows: 30 }), solo(1, {}, { rows: 20 }));
  assert.deepEqual(card.audit_facts, { rows: 20, busy: 1 });
});

test("the same reason in several observations is told once", () => {
  const spoilt = wrong("socket-errors", "a");
  assert.equal(cardOf(solo(1, spoilt), solo(2, spoilt)).reasons.length, 1);
});

test("one observation the generator limited makes the cell a lower bound", () => {
  const bound = (...bounds: Observation["bound"][]) => cardOf(...bounds.map((bound) => solo(1, { bound }))).bound;
  assert.equal(bound("server", "generator", "unknown"), "generator");
  assert.equal(bound("server", "unknown", "neither"), "unknown");
  assert.equal(bound("server", "neither"), "neither");
  assert.equal(bound("server", "server"), "server");
});

test("cards come in the order of the plan, points that cannot be last, and no observation makes no card", () => {
  const { run, lines } = makeOddFixture({ rounds: 1 });
  const cards = makeCellCards(run, [...lines].reverse());
  assert.deepEqual(cards.slice(0, -1).map(({ cell }) => cell), run.plan.cells);
  assert.deepEqual(cards.at(-1)!.cell.point, run.plan.unsupported[0]!.point);
  assert.deepEqual(cards.map(isUnsupported), [...Array(9).fill(false), true, false, false, true]);
  assert.throws(() => makeCellCard("run", AXES, []), RangeError);
});
