import assert from "node:assert/strict";
import { test } from "node:test";
import { type FlaggedObservation, flagsOf } from "./flags.ts";

/** An observation nothing is to be said of. */
const one = (
  ended: "steady" | "most" | "planned",
  change: Partial<FlaggedObservation> = {},
  kind: "flat" | "moving" | "unknown" = ended === "most" ? "moving" : "flat",
): FlaggedObservation => ({
  load: { requests: 100_000, requests_per_second: 50_000, connections: 50, sent_per_slot: [] },
  latency: null,
  counters: null,
  member: { warmup: { ended, duration_us: 12_100_000, steadiness: [kind] } },
  ...change,
});
const codes = (ok: readonly FlaggedObservation[], lost = 0) => flagsOf(ok, lost, null).map(({ code }) => code);
const [steady, most, planned] = [one("steady"), one("most"), one("planned")];

test("a cell that most warm-ups gave up on is not judged, one that half of them did is", () => {
  assert.deepEqual(codes([steady, steady, most]), []);
  assert.deepEqual(codes([steady, most]), [], "no more than half");
  assert.deepEqual(codes([steady, most, most]), ["never-steady"]);
  assert.deepEqual(codes([planned, planned]), [], "a length given by hand is not given up");
  const [flag] = flagsOf([most], 0, null);
  assert.deepEqual([flag!.objection, flag!.message], [true, "its cost was still changing after 12 s of warm-up"]);
  assert.deepEqual(codes([one("most", { member: { warmup: null } })]), []);
});

test("a warm-up given up for noise is told, and is no objection: nobody saw the cost change", () => {
  const noisy = one("most", {}, "unknown");
  const [flag] = flagsOf([noisy, noisy], 0, null);
  assert.deepEqual([flag!.code, flag!.objection], ["noisy-warm-up", false]);
  assert.deepEqual(codes([noisy, most]), ["never-steady"], "one that was seen to change is enough");
});

test("rounds that are lost are told and held against nothing, and where all are lost the status says so", () => {
  assert.deepEqual(codes([steady, steady]), []);
  const [flag] = flagsOf([steady, steady, steady, steady, steady], 1, null);
  assert.deepEqual([flag!.code, flag!.objection, flag!.message], ["rounds-lost", false, "1 of 6 rounds are lost"]);
  assert.deepEqual(codes([], 6), []);
});
