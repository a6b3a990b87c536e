import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { studentTQuantile } from "./distributions.ts";
import { afterRounds, type Estimate, estimateOf, ratioInterval } from "./estimate.ts";
import { isInsideMargin, pBeyondMargin, sideBeyondMargin } from "./margin.ts";
import { roundsNeeded, smallestDetectable } from "./power.ts";
import { normal, shareOf } from "../../tests/fixtures/simulation.ts";
import { sampleOf } from "./t-interval.ts";

const paired = (n: number, mean: number, sd: number): Estimate => estimateOf({ n, mean, sd });

test("the p against a margin is below alpha exactly when the interval lies beyond the margin", () => {
  const seed = 17;
  const random = createRandom(seed);
  for (let run = 0; run < 3_000; run++) {
    const logRatio = paired(2 + Math.floor(random() * 12), 0.1 * normal(random), 0.05 * random());
    const alpha = 0.001 + 0.1 * random();
    const margin = 0.05 * random();
    const beyond = sideBeyondMargin(ratioInterval(logRatio, 1 - alpha), margin) !== null;
    assert.equal(beyond, pBeyondMargin(logRatio, margin) < alpha, `seed ${seed}, run ${run}`);
  }
});

test("a margin of zero gives the two-sided p of the plain t test", () => {
  const logRatio = paired(6, studentTQuantile(0.975, 5) * 0.01, 0.01 * Math.sqrt(6));
  assert.ok(Math.abs(pBeyondMargin(logRatio, 0) - 0.05) < 1e-9);
});

test("an interval is above, below or across a margin, and inside only with both ends", () => {
  const level = 0.95;
  assert.equal(sideBeyondMargin({ low: 1.011, high: 1.05, level }, 0.01), "above");
  assert.equal(sideBeyondMargin({ low: 1.009, high: 1.05, level }, 0.01), null);
  assert.equal(sideBeyondMargin({ low: 0.9, high: 0.99, level }, 0.01), "below");
  assert.equal(sideBeyondMargin({ low: 0.9, high: 0.9902, level }, 0.01), null);
  assert.equal(isInsideMargin({ low: 0.985, high: 1.015, level }, 0.02), true);
  assert.equal(isInsideMargin({ low: 0.985, high: 1.021, level }, 0.02), false);
  assert.equal(isInsideMargin({ low: 0.979, high: 1.015, level }, 0.02), false);
});

test("a true difference of the smallest detectable size is found in about 90 % of runs", () => {
  const seed = 23;
  const random = createRandom(seed);
  const question = { delta: 0.01, alpha: 0.05 };
  for (const n of [6, 12]) {
    const truth = Math.log1p(smallestDetectable(paired(n, 0, 0.02), question));
    const found = shareOf(2_000, () => {
      const logRatio = estimateOf(sampleOf(Array.from({ length: n }, () => truth + 0.02 * normal(random))));
      return pBeyondMargin(logRatio, question.delta) < question.alpha;
    });
    assert.ok(found > 0.87 && found < 0.95, `seed ${seed}, n ${n}: found ${found}`);
  }
});

test("the rounds needed are the least whose smallest detectable difference is below the one seen", () => {
  const question = { delta: 0.01, equivalence: 0.02, alpha: 0.05 / 3 };
  for (const [ratio, sd] of [[1.03, 0.02], [0.95, 0.06], [1.022, 0.05]] as const) {
    const seen = paired(6, Math.log(ratio), sd);
    const needed = roundsNeeded(seen, question);
    assert.ok(needed.kind === "reachable" && needed.verdict === "faster");
    const distance = Math.expm1(Math.abs(seen.mean));
    assert.ok(smallestDetectable(afterRounds(seen, needed.rounds)!, question) < distance, `${ratio}`);
    assert.ok(smallestDetectable(afterRounds(seen, needed.rounds - 1)!, question) >= distance, `${ratio}`);
  }
});

test("a ratio inside delta is told the rounds to equivalence, and hopeless noise that no rounds help", () => {
  const question = { delta: 0.01, equivalence: 0.02, alpha: 0.05 };
  const equal = roundsNeeded(paired(6, 0.002, 0.03), question);
  assert.ok(equal.kind === "reachable" && equal.verdict === "equivalent" && equal.rounds > 6);
  assert.deepEqual(roundsNeeded(paired(6, 0.3, 0.001), question), { kind: "reachable", rounds: 3, verdict: "faster" });
  assert.equal(roundsNeeded(paired(6, 0.0101, 0.2), question).kind, "unreachable");
  assert.throws(() => pBeyondMargin(paired(6, 0, 1), -0.1), RangeError);
});

test("what of delta is noise of A/A pairs shrinks with the rounds that are advised", () => {
  const seen = paired(4, Math.log(1.03), 0.01);
  const noisy = roundsNeeded(seen, { delta: 0.04, equivalence: 0.02, alpha: 0.05 });
  const quiet = roundsNeeded(seen, { delta: 0.01, equivalence: 0.02, alpha: 0.05 });
  assert.deepEqual(noisy, { kind: "reachable", rounds: 15, verdict: "faster" });
  assert.deepEqual(quiet, { kind: "reachable", rounds: 5, verdict: "faster" });
});
