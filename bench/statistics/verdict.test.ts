import assert from "node:assert/strict";
import { test } from "node:test";
import { mark } from "../record/mark.ts";
import { createRandom } from "../basics/random.ts";
import { blockTableOf, normal, pairsOf, simulateRun } from "../../tests/fixtures/simulation.ts";
import { studentTQuantile } from "./distributions.ts";
import type { Evidence } from "./evidence.ts";
import { type NoiseFloor, noiseFloor } from "./noise-floor.ts";
import type { Comparison } from "../record/comparison.ts";
import { inverse } from "../record/inverse.ts";
import { type ComparisonInput, judgeFamily } from "./verdict.ts";

const floor: NoiseFloor = { kind: "agree", delta: 0.01, bound: 0.005, p: 0.6, pairs: 1 };

/** Rounds whose log ratios have exactly the given mean and standard deviation. */
function roundsOf(meanLogRatio: number, sd: number, n = 6, better: "higher" | "lower" = "higher"): Evidence {
  const shape = Array.from({ length: n }, (_, round) => round % 2 === 0 ? 1 : -1);
  const scale = sd * Math.sqrt((n - 1) / n);
  const pairs = shape.map((sign, round) => ({ round, over: 100 * Math.exp(meanLogRatio + scale * sign), under: 100 }));
  return { kind: "rounds", pairs, better };
}

const asked = (meanLogRatio: number, sd: number, rest: Partial<ComparisonInput> = {}): ComparisonInput => ({
  over: "bun",
  under: "node",
  basis: "together",
  evidence: roundsOf(meanLogRatio, sd),
  marks: [],
  ...rest,
});

const judge = (...all: ComparisonInput[]): Comparison[] => judgeFamily(all, { together: floor }).comparisons;
const verdictsOf = (comparisons: readonly Comparison[]): string[] => comparisons.map(({ verdict }) => verdict);

test("a clear difference is faster, with its winner, ratio, interval, adjusted p and basis", () => {
  const [one] = judge(asked(Math.log(1.1), 0.01));
  assert.ok(one?.verdict === "faster");
  assert.deepEqual([one.over, one.under, one.basis], ["bun", "node", "together"]);
  assert.ok(Math.abs(one.ratio - 1.1) < 1e-12);
  // t(0.975, 5) = 2.5706; 2.5706 x 0.01 / sqrt(6) = 0.010494.
  assert.ok(Math.abs(Math.log(one.interval.low) - (Math.log(1.1) - 0.010494)) < 1e-6);
  assert.equal(one.interval.level, 0.95);
  assert.ok(one.adjusted_p < 0.05);
  const [reverse] = judge(asked(Math.log(1 / 1.1), 0.01));
  assert.equal(reverse?.verdict, "slower");
  const [cost] = judge(asked(0, 0, { evidence: roundsOf(Math.log(1.1), 0.01, 6, "lower") }));
  assert.ok(cost?.verdict === "slower" && cost.ratio < 1);
});

test("a doubt keeps a verdict from what it may have moved, and from nothing else", () => {
  const doubt = { mark: mark("warming-up", "a still grew cheaper"), most: 0.1 };
  const [clear, near, level] = judge(
    asked(Math.log(1.3), 0.01, { doubt }),
    asked(Math.log(1.08), 0.01, { doubt }),
    asked(0.001, 0.01, { doubt }),
  );
  const [undoubted] = judge(asked(Math.log(1.3), 0.01), asked(Math.log(1.08), 0.01), asked(0.001, 0.01));
  assert.deepEqual(clear, undoubted);
  for (const verdict of [near, level]) {
    assert.ok(verdict?.verdict === "no-verdict");
    assert.deepEqual(verdict.marks, [doubt.mark]);
  }
  const [slower] = judge(asked(Math.log(1 / 1.3), 0.01, { doubt }));
  assert.equal(slower?.verdict, "slower");
});

test("a side whose figures are lower bounds may be called faster, and nothing else", () => {
  const marks = [mark("other-bound", "the generator was the limit")];
  const limit = { side: "over", marks } as const;
  const [faster, near, slower, under] = judge(
    asked(Math.log(1.3), 0.01, { limit }),
    asked(0.001, 0.01, { limit }),
    asked(Math.log(1 / 1.3), 0.01, { limit }),
    asked(Math.log(1 / 1.3), 0.01, { limit: { side: "under", marks } }),
  );
  assert.ok(faster?.verdict === "faster" && faster.lower_bound === "over");
  assert.equal(inverse(faster).verdict === "slower" && inverse(faster).lower_bound, "under");
  for (const open of [near, slower]) assert.deepEqual(open?.verdict === "no-verdict" && open.marks, marks);
  assert.ok(under?.verdict === "slower" && under.lower_bound === "under");
});

test("a difference significant against zero but not beyond delta is not faster", () => {
  const [verdict] = judge(asked(0.018, 0.01));
  assert.ok(verdict?.verdict === "not-separable");
  assert.ok(verdict.interval.low > 1 && verdict.interval.low < 1.01);
});

test("an interval inside 2 % is equivalent, and no noise widens that margin", () => {
  const [verdict] = judge(asked(0.001, 0.01));
  assert.equal(verdict?.verdict, "equivalent");
  const withDelta = (delta: number, sd: number) =>
    judgeFamily([asked(0.001, sd)], { together: { kind: "agree", delta } }).comparisons[0]!.verdict;
  assert.equal(withDelta(0.02, 0.01), "equivalent");
  assert.equal(withDelta(0.021, 0.01), "not-separable");
  assert.equal(withDelta(0.05, 0.03), "not-separable");
});

test("what is neither is not separable, with the rounds needed", () => {
  const [verdict] = judge(asked(Math.log(1.04), 0.05));
  assert.ok(verdict !== undefined && verdict.verdict !== "no-verdict");
  assert.deepEqual([verdict.verdict, verdict.rounds, verdict.rounds_needed], ["not-separable", 6, 33]);
});

test("intervals of a family hold together, and the adjusted p is the p against delta times its size", () => {
  const edge = Math.log1p(0.01) + studentTQuantile(0.975, 5) * 0.01 / Math.sqrt(6);
  const [alone] = judge(asked(edge, 0.01));
  assert.ok(alone !== undefined && alone.verdict !== "no-verdict");
  assert.ok(Math.abs(alone.adjusted_p - 0.05) < 1e-9, String(alone.adjusted_p));
  const { comparisons, family } = judgeFamily([asked(edge, 0.01), asked(0.3, 0.01), asked(0, 0.01)], {
    together: floor,
  });
  assert.deepEqual(verdictsOf(comparisons).slice(0, 2), ["not-separable", "faster"]);
  assert.deepEqual([family.comparisons, family.level], [3, 0.95]);
  assert.ok(Math.abs(family.levelEach - (1 - 0.05 / 3)) < 1e-12);
  for (const one of comparisons) {
    assert.ok(one.verdict !== "no-verdict" && one.interval.level === family.levelEach, one.verdict);
  }
  const [first] = comparisons;
  assert.ok(first?.verdict === "not-separable" && Math.abs(first.adjusted_p - 0.15) < 1e-9);
});

test("each unfit comparison gets its reason and does not count in the family", () => {
  const all = [
    asked(0.5, 0.01, { marks: [mark("other-bound", "node is generator-bound")] }),
    asked(0, 0, { evidence: roundsOf(0.5, 0.01, 2) }),
    asked(0, 0, { evidence: { kind: "runs", over: [1, 2], under: [3, 4, 5], better: "higher" } }),
    asked(0.5, 0.01, { basis: "solo" }),
    asked(0.5, 0),
    asked(0.033, 0.018),
  ];
  const { comparisons, family } = judgeFamily(all, { together: floor });
  assert.deepEqual(
    comparisons.map((one) => one.verdict === "no-verdict" ? one.marks[0]!.code : one.verdict),
    ["other-bound", "too-few-rounds", "too-few-runs", "noise-floor-unknown", "not-measured", "faster"],
  );
  assert.equal(family.comparisons, 1);
  assert.ok(comparisons[0]?.verdict === "no-verdict" && comparisons[0].marks[0]!.text === "node is generator-bound");
});

test("a run that differs from itself, or has no A/A pair, gives no verdict", () => {
  const clear = asked(0.5, 0.01);
  const causeWith = (given: NoiseFloor) => {
    const [one] = judgeFamily([clear], { together: given }).comparisons;
    return one?.verdict === "no-verdict" ? one.marks[0]!.code : one?.verdict;
  };
  assert.equal(causeWith({ ...floor, kind: "different" }), "run-contradicted");
  assert.equal(
    causeWith({ kind: "unknown", mark: mark("noise-floor-unknown", "the run has no A/A pair") }),
    "noise-floor-unknown",
  );
  const { comparisons, family } = judgeFamily([], {});
  assert.deepEqual([comparisons, family.comparisons], [[], 0]);
});

test("a family may rest on a table, on solo rounds and on runs at once", () => {
  const random = createRandom(8);
  const table = blockTableOf(
    Array.from({ length: 6 }, () => [0, 0.3, 0.6].map((mean) => mean + 0.01 * normal(random))),
    ["a", "b", "c"],
  );
  const runs = [[100, 101, 99], [200, 203, 198]] as const;
  const { comparisons } = judgeFamily([
    { over: "a", under: "c", basis: "together", evidence: { kind: "blocks", table }, marks: [] },
    asked(0.5, 0.01, { basis: "solo" }),
    asked(0, 0, { basis: "solo", evidence: { kind: "runs", over: runs[0], under: runs[1], better: "higher" } }),
  ], { together: floor, solo: floor });
  assert.deepEqual(verdictsOf(comparisons), ["faster", "faster", "slower"]);
});

test("faster means both: interval beyond delta and adjusted p below 0.05; and the inverse is what swapped cells give", () => {
  const seed = 77;
  const random = createRandom(seed);
  const seen = new Set<string>();
  for (let run = 0; run < 400; run++) {
    const logSpeeds = Array.from({ length: 4 }, () => 0.03 * normal(random));
    const rounds = simulateRun({ rounds: 6, logSpeeds, sd: 0.015 * random(), drift: 0.2 }, random);
    const family = [[0, 1], [0, 2], [0, 3], [1, 2]] as const;
    const of = (over: number, under: number) =>
      asked(0, 0, {
        over: `cell ${over}`,
        under: `cell ${under}`,
        evidence: { kind: "rounds", pairs: pairsOf(rounds, over, under), better: "higher" },
      });
    const comparisons = judge(...family.map(([a, b]) => of(a, b)));
    judge(...family.map(([a, b]) => of(b, a))).forEach((swapped, index) => {
      const one = comparisons[index]!;
      const told = `seed ${seed}, run ${run}, comparison ${index}`;
      seen.add(one.verdict);
      assert.ok(one.verdict !== "no-verdict" && swapped.verdict !== "no-verdict", told);
      const { low, high } = one.interval;
      const isDifferent = one.verdict === "faster" || one.verdict === "slower";
      assert.equal(isDifferent, (low > 1.01 || high < 1 / 1.01) && one.adjusted_p < 0.05, told);
      if (isDifferent) assert.equal(one.verdict === "faster", one.ratio > 1, told);
      if (one.verdict === "equivalent") assert.ok(low > 1 / 1.02 && high < 1.02, told);
      const turned = inverse(one);
      assert.deepEqual([turned.over, turned.under, turned.verdict], [swapped.over, swapped.under, swapped.verdict]);
      const pairs = [[turned.ratio, swapped.ratio], [turned.interval.low, swapped.interval.low]] as const;
      for (const [here, other] of pairs) assert.ok(Math.abs(here - other) < 1e-12, told);
    });
  }
  assert.deepEqual([...seen].sort(), ["equivalent", "faster", "not-separable", "slower"], `seed ${seed}`);
});

test("A/A pairs agree, differ or stay unknown, and set delta", () => {
  const floorOf = (...pairs: ComparisonInput[]) => noiseFloor(pairs);
  const quiet = floorOf(asked(0.0005, 0.002));
  assert.ok(quiet.kind === "agree" && quiet.delta === 0.01 && quiet.bound < 0.002);
  const noisy = floorOf(asked(0.01, 0.03));
  // |mean| + t(5/6, 5) sd / sqrt(6) = 0.01 + 1.0730 x 0.012247 = 0.02314; as a fraction 0.02341.
  assert.ok(noisy.kind === "agree" && Math.abs(noisy.delta - 0.02341) < 1e-4, JSON.stringify(noisy));
  assert.equal(floorOf(asked(0.05, 0.01)).kind, "different");
  assert.equal(floorOf(asked(0.005, 0.0005)).kind, "agree");
  // sqrt((0.01^2 + 0.01^2) / 2) + t(5/6, 10) x 0.012247 / sqrt(2) = 0.01 + 1.0179 x 0.00866 = 0.018815.
  const both = floorOf(asked(0.01, 0.03), asked(-0.01, 0.03));
  assert.ok(both.kind !== "unknown" && both.pairs === 2, JSON.stringify(both));
  assert.ok(Math.abs(Math.log1p(both.bound) - 0.018815) < 1e-4, JSON.stringify(both));
  // t = 4.5 with 5 degrees of freedom has p = 0.0064: enough for one A/A pair at 1 %, not for one of two.
  const suspicious = asked(4.5 * 0.01 / Math.sqrt(6), 0.01);
  assert.equal(floorOf(suspicious).kind, "different");
  assert.equal(floorOf(suspicious, asked(0.0005, 0.002)).kind, "agree");
  assert.equal(floorOf().kind, "unknown");
  assert.equal(floorOf(asked(0, 0, { evidence: roundsOf(0, 0.01, 1) })).kind, "unknown");
  assert.equal(floorOf(asked(0, 0)).kind, "unknown");
  const partly = floorOf(asked(0, 0), asked(0.0005, 0.002));
  assert.ok(partly.kind === "agree" && partly.pairs === 1);
});
