import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../bench/basics/random.ts";
import type { Comparison } from "../../bench/record/comparison.ts";
import { inverse } from "../../bench/record/inverse.ts";
import { bySurprise, type ClaimVerdict, judgeClaim, type Judged, shareOfGain } from "./judge-claim.ts";

const SIDES = { over: "a", under: "b", basis: "together" } as const;

/** A comparison with an interval, whose verdict follows from it as in a run whose noise is `delta`. */
function compared(low: number, high: number, delta = 0.02): Comparison {
  const verdict = low > 1 + delta
    ? "faster"
    : high < 1 / (1 + delta)
    ? "slower"
    : low > 1 / 1.02 && high < 1.02
    ? "equivalent"
    : "not-separable";
  return {
    ...SIDES,
    ...{ verdict, rounds: 6, ratio: Math.sqrt(low * high), interval: { low, high, level: 0.95 } },
    ...{ adjusted_p: 0.01, delta, smallest_detectable: null, rounds_needed: null },
  };
}

const NONE: Comparison = {
  ...SIDES,
  ...{ verdict: "no-verdict", ratio: null, interval: null },
  marks: [{ code: "too-few-rounds", effect: "withholds", text: "one round" }],
};

test("a claim is judged by its direction, its size and what the run can see", () => {
  const cases: readonly (readonly [published: number, low: number, high: number, ClaimVerdict])[] = [
    [1.9, 1.8, 2.1, "holds"],
    [2.3, 1.8, 2.1, "holds"],
    // Nine tenths of the gain, though the interval excludes it.
    [2.32, 1.9, 2, "holds"],
    [1.65, 1.8, 2.1, "holds"],
    [1.6, 1.8, 2.1, "larger here"],
    [4, 1.8, 2.1, "smaller here"],
    [33, 3, 4.3, "smaller here"],
    [33, 1.8, 2.1, "much smaller here"],
    [7.9, 1.06, 1.11, "much smaller here"],
    // A published ratio near the interval does not outweigh a direction that is proven the other way.
    [1.03, 0.9, 0.95, "reversed here"],
    [1.5, 0.99, 1.01, "much smaller here"],
    [1.01, 0.99, 1.015, "cannot be told"],
    [4, 0.9, 1.5, "much smaller here"],
    [1.2, 0.9, 1.5, "cannot be told"],
  ];
  for (const [published, low, high, expected] of cases) {
    assert.equal(
      judgeClaim([published, published], compared(low, high)),
      expected,
      `${published} in [${low}, ${high}]`,
    );
  }
  assert.equal(judgeClaim([2, 2], undefined), "cannot be told");
  assert.equal(judgeClaim([2, 2], NONE), "cannot be told");
  const ranges = [[3, 6, "holds"], [2.8, 6, "smaller here"], [1.1, 1.5, "larger here"]] as const;
  const wide = [compared(4, 5), compared(1.9, 2), compared(1.8, 2.1)] as const;
  for (const [n, [least, most, expected]] of ranges.entries()) {
    assert.equal(judgeClaim([least, most], wide[n]), expected);
  }
});

test("what differs in kind is not held against a claim, nor a rate alone that does not agree with CPU time", () => {
  const found = compared(1.8, 2.1), held = (rates: number | null) => judgeClaim([1.9, 1.9], found, { rates });
  assert.equal(judgeClaim([1.9, 1.9], found, { unlike: "requests were pipelined there" }), "not measured alike");
  assert.deepEqual([1.9, 2.5, null].map(held), ["holds", "holds", "holds"]);
  assert.deepEqual([0.9, 1.3, 3].map(held), ["not measured alike", "not measured alike", "not measured alike"]);
});

test("the share of a gain is that of its logarithm, and of a range that of its nearer end", () => {
  assert.equal(shareOfGain([4, 4], 2), 0.5);
  assert.ok(Math.abs(shareOfGain([3.1, 3.1], 1.1) - 0.084) < 0.001);
  assert.equal(shareOfGain([4, 9], 5), 1);
  assert.equal(shareOfGain([4, 9], 2), 0.5);
  assert.equal(shareOfGain([2, 4], 16), 2);
  assert.ok(shareOfGain([2, 2], 0.9) < 0);
});

test("over random intervals the answer follows from direction and size, and a claim turned round is reversed", () => {
  const random = createRandom(20_261_127), seen = new Map<ClaimVerdict, number>();
  for (let n = 0; n < 10_000; n++) {
    const least = 1.01 + 30 * random() ** 3, published = [least, least * (1 + Math.max(0, random() - 0.5))] as const;
    const low = 0.3 + 3 * random(), high = low * (1 + random());
    const found = compared(low, high, 0.2 * random());
    const verdict = judgeClaim(published, found);
    const text = `${published} in [${low}, ${high}], ${found.verdict}: ${verdict}`;
    seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
    const isInside = published[1] >= low && published[0] <= high;
    if (found.verdict === "slower") assert.equal(verdict, "reversed here", text);
    else if (found.verdict === "faster") {
      if (isInside) assert.equal(verdict, "holds", text);
      if (verdict === "larger here") assert.ok(low > published[1], text);
      if (/smaller/.test(verdict)) assert.ok(high < published[0], text);
      assert.equal(judgeClaim(published, inverse(found)), "reversed here", text);
    } else assert.equal(verdict, isInside ? "cannot be told" : "much smaller here", text);
  }
  assert.equal(seen.size, 6, JSON.stringify([...seen]));
  for (const [verdict, times] of seen) assert.ok(times > 50, `${verdict} ${times}`);
});

test("an index begins with what does not hold, then with what is furthest from what was published", () => {
  const rows: Judged[] = [
    { verdict: "holds", published: [2, 2], ratio: 2 },
    { verdict: "cannot be told", published: [9, 9], ratio: null },
    { verdict: "not measured alike", published: [99, 99], ratio: 1 },
    { verdict: "smaller here", published: [2, 2], ratio: 1.5 },
    { verdict: "much smaller here", published: [1.1, 1.1], ratio: 1 },
    { verdict: "smaller here", published: [33, 33], ratio: 3 },
    { verdict: "reversed here", published: [2, 2], ratio: 0.5 },
  ];
  assert.deepEqual(rows.toSorted(bySurprise).map(({ published, ratio }) => [published[0], ratio]), [
    [2, 0.5],
    [1.1, 1],
    [33, 3],
    [2, 1.5],
    [2, 2],
    [9, null],
    [99, 1],
  ]);
});
