import assert from "node:assert/strict";
import { test } from "node:test";
import { lossText } from "./lacks.ts";
import { createRandom, shuffle } from "../basics/random.ts";
import { trend } from "./trend.ts";

/** A row of 1..n in which `inversions` neighbours were swapped, moving the greatest value down first. */
function rowWith(n: number, inversions: number): number[] {
  const row = Array.from({ length: n }, (_, index) => index + 1);
  let left = inversions;
  for (let top = n - 1; top > 0 && left > 0; top--) {
    const steps = Math.min(left, top);
    row.splice(top - steps, 0, ...row.splice(top, 1));
    left -= steps;
  }
  return row;
}

test("exact p agrees with Kendall's table for S", () => {
  // Kendall, Rank Correlation Methods, appendix table 1: n, S, one-sided P(S at least this great).
  const table = [[6, 15, 0.0014], [6, 13, 0.0083], [6, 11, 0.028], [7, 15, 0.015], [9, 20, 0.022], [10, 23, 0.023]];
  for (const [n, score, oneSided] of table as [number, number, number][]) {
    const result = trend(rowWith(n, (n * (n - 1) / 2 - score) / 2));
    assert.ok(result.kind === "known");
    assert.ok(Math.abs(result.tau - score / (n * (n - 1) / 2)) < 1e-12, `n ${n}, S ${score}: tau ${result.tau}`);
    assert.ok(Math.abs(result.p / 2 - oneSided) < 6e-4, `n ${n}, S ${score}: ${result.p / 2}`);
  }
});

test("a steady fall is flagged, with its size from first to last round", () => {
  const result = trend([110, 108, 106, 104, 102, 100]);
  assert.ok(result.kind === "known");
  assert.equal(result.tau, -1);
  assert.ok(Math.abs(result.relativeChange + 10 / 105) < 1e-12);
  assert.equal(result.flagged, true);
});

test("a regular but tiny rise and a large but irregular one are not flagged", () => {
  const tiny = trend([100, 100.01, 100.02, 100.03, 100.04, 100.05]);
  const irregular = trend([100, 140, 90, 150, 95, 130]);
  assert.ok(tiny.kind === "known" && !tiny.flagged);
  assert.ok(irregular.kind === "known" && !irregular.flagged);
});

test("one wild round does not move the size of a trend", () => {
  const result = trend([100, 100.5, 101, 500, 102, 102.5, 103]);
  assert.ok(result.kind === "known" && Math.abs(result.relativeChange - 0.03) < 0.005, JSON.stringify(result));
});

test("ties fall back to the corrected normal approximation and all-equal values have no trend", () => {
  const tied = trend([1, 1, 2, 2, 3, 3, 4, 4]);
  assert.ok(tied.kind === "known");
  // S = 24, var = (8 x 7 x 21 - 4 x 2 x 1 x 9) / 18 = 61.33, z = 23 / 7.832 = 2.937, two-sided p 0.0033.
  assert.ok(Math.abs(tied.p - 0.0033) < 1e-4, String(tied.p));
  const flat = trend([5, 5, 5, 5, 5, 5]);
  assert.ok(flat.kind === "known" && flat.p === 1 && flat.relativeChange === 0 && !flat.flagged);
});

test("rows in random order are flagged in at most 1 % of cases", () => {
  const seed = 5;
  const random = createRandom(seed);
  const row = [91, 94, 97, 100, 103, 106, 109, 112];
  let flagged = 0;
  for (let run = 0; run < 3_000; run++) {
    const result = trend(shuffle(row, random));
    if (result.kind === "known" && result.flagged) flagged++;
  }
  assert.ok(flagged / 3_000 < 0.0135, `seed ${seed}: ${flagged} of 3000`);
});

test("too few rounds or a value that is not positive leave the trend unknown, with the reason", () => {
  assert.equal(trend([1, 2, 3, 4, 5]).kind, "unknown");
  const wrong = trend([1, 2, 3, 4, 5, 0]);
  assert.ok(wrong.kind === "unknown" && lossText(wrong.lack).includes('"0"'));
});
