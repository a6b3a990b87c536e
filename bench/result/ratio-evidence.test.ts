import assert from "node:assert/strict";
import { test } from "node:test";
import type { Solo } from "../judge/lines.ts";
import { openText, ratioEvidence } from "./ratio-evidence.ts";

/** Rounds of a cell with these rates; null is a round that is not ok. */
const solos = (...rates: (number | null)[]) =>
  rates.map((rate, round) => ({
    round,
    status: rate === null ? "invalid" : "ok",
    load: { requests_per_second: rate, rows_per_request: 3, reply_bytes: null, errors: { status: null } },
    latency: null,
    member: { server: null },
    counters: { server_cpu_ns_per_request: rate === null ? null : 1e9 / rate },
  } as unknown as Solo));
const least = { least: 0.7 };

test("one round refutes nothing, however far outside it lies", () => {
  const evidence = ratioEvidence(solos(10), solos(100), "requests_per_second", least);
  assert.ok(evidence.kind === "open");
  assert.equal(openText(evidence.compared), "1 round of both, too few to refute it");
  const lacking = ratioEvidence(solos(10, null), solos(100, 100), "requests_per_second", least);
  assert.equal(lacking.kind, "open", "a round that is not ok counts for none");
});

test("an expectation is refuted where the whole interval lies outside its bounds", () => {
  const a = solos(50, 51, 49, 50), b = solos(100, 101, 99, 98);
  assert.deepEqual(ratioEvidence(a, b, "requests_per_second", least), { kind: "outside" });
  assert.deepEqual(ratioEvidence(b, a, "requests_per_second", { most: 1.4 }), { kind: "outside" });
  assert.deepEqual(ratioEvidence(b, a, "cpu_ns_per_request", least), { kind: "outside" }, "CPU time, not speed");
  assert.deepEqual(ratioEvidence(a, b, "rows_per_second", least), { kind: "outside" });
});

test("an interval that reaches inside leaves it open, and is told", () => {
  const evidence = ratioEvidence(solos(60, 75, 66), solos(100, 100, 100), "requests_per_second", least);
  assert.ok(evidence.kind === "open");
  assert.match(openText(evidence.compared), /^0\.\d\d to 0\.\d\d in 3 rounds$/);
});

test("rounds are held against each other, not sorted values", () => {
  const drifting = [100, 200, 400, 800];
  const evidence = ratioEvidence(
    solos(...drifting.map((rate, n) => rate * (0.5 + n / 1_000))),
    solos(...drifting),
    "requests_per_second",
    least,
  );
  assert.equal(evidence.kind, "outside");
});
