import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../bench/basics/random.ts";
import type { Comparison } from "../../bench/record/comparison.ts";
import { inverse } from "../../bench/record/inverse.ts";
import { bySurprise, type ClaimVerdict, judgeClaim, LEAST_GAIN, NEAR } from "./judge-claim.ts";

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
    [1.9, 1.8, 2.1, "holds here"],
    [2.3, 1.8, 2.1, "holds here"],
    [2.32, 1.8, 2.1, "holds in kind"],
    [1.65, 1.8, 2.1, "holds here"],
    [1.6, 1.8, 2.1, "holds in kind"],
    [33, 3, 4.3, "holds in kind"],
    [33, 3, 4.1, "not here"],
    [7.9, 1.06, 1.11, "not here"],
    // A published ratio near the interval does not outweigh a direction that is proven the other way.
    [1.03, 0.9, 0.95, "not here"],
    [1.5, 0.99, 1.01, "not here"],
    [1.01, 0.99, 1.015, "cannot be told"],
    [4, 0.9, 1.5, "not here"],
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
  const ranges = [[3, 6, "holds here"], [2.4, 6, "holds in kind"], [1, 1.5, "holds in kind"]] as const;
  const wide = [compared(4, 5), compared(2, 2.1), compared(1.8, 2.1)] as const;
  for (const [n, [least, most, expected]] of ranges.entries()) {
    assert.equal(judgeClaim([least, most], wide[n]), expected);
  }
});

test("over random intervals a claim holds only where its direction and a tenth of its gain are proven, else it is refuted or open", () => {
  const random = createRandom(20_261_127), seen = new Map<ClaimVerdict, number>();
  for (let n = 0; n < 10_000; n++) {
    const least = 1 + 30 * random() ** 3, published = [least, least * (1 + Math.max(0, random() - 0.5))] as const;
    const low = 0.3 + 3 * random(), high = low * (1 + random());
    const found = compared(low, high, 0.2 * random());
    const verdict = judgeClaim(published, found);
    const text = `${published} in [${low}, ${high}], ${found.verdict}: ${verdict}`;
    seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
    const holds = verdict === "holds here" || verdict === "holds in kind";
    const isSlight = published[0] > high * (1 + NEAR) && high - 1 < LEAST_GAIN * (published[0] - 1);
    assert.equal(holds, found.verdict === "faster" && !isSlight, text);
    if (found.verdict === "slower") assert.equal(verdict, "not here", text);
    const isInside = published[1] >= low && published[0] <= high;
    // Whatever the run proves, what lies inside its interval is refuted by a proven other direction alone.
    if (isInside && verdict === "not here") assert.equal(found.verdict, "slower", text);
    if (isInside && holds) assert.equal(verdict, "holds here", text);
    if (verdict === "cannot be told") assert.ok(isInside, text);
    const far = published[0] > high * (1 + NEAR) || published[1] < low / (1 + NEAR);
    if (far) assert.notEqual(verdict, "holds here", text);
    // The claim turned round is refuted where the claim holds.
    if (holds) assert.equal(judgeClaim(published, inverse(found)), "not here", text);
  }
  assert.equal(seen.size, 4, JSON.stringify([...seen]));
  for (const [verdict, times] of seen) assert.ok(times > 50, `${verdict} ${times}`);
});

test("an index begins with what does not hold, then with what is furthest from what was published", () => {
  const rows = [
    { verdict: "holds here", published: [2, 2], ratio: 2 },
    { verdict: "cannot be told", published: [9, 9], ratio: null },
    { verdict: "holds in kind", published: [2, 2], ratio: 1.5 },
    { verdict: "not here", published: [1.1, 1.1], ratio: 1 },
    { verdict: "holds in kind", published: [33, 33], ratio: 3 },
    { verdict: "not here", published: [2, 2], ratio: 0.5 },
  ] as const;
  assert.deepEqual(rows.toSorted(bySurprise).map(({ published, ratio }) => [published[0], ratio]), [
    [2, 0.5],
    [1.1, 1],
    [33, 3],
    [2, 1.5],
    [2, 2],
    [9, null],
  ]);
});
