import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../random.ts";
import { compare, type RoundPair } from "./compare.ts";
import { type NoiseFloor, noiseFloor } from "./noise-floor.ts";
import { normal, pairsOf, simulateRun } from "../../../tests/fixtures/simulation.ts";
import { type Contest, judgeFamily, type Verdict } from "./verdict.ts";

const floor: NoiseFloor = { kind: "agree", delta: 0.01, bound: 0.005, p: 0.6, pairs: 1 };

/** A contest whose log ratios have exactly the given mean and standard deviation. */
function contest(meanLogRatio: number, sd: number, rest: Partial<Contest> = {}, n = 6): Contest {
  const shape = Array.from({ length: n }, (_, round) => round % 2 === 0 ? 1 : -1);
  const scale = sd * Math.sqrt((n - 1) / n);
  const pairs = shape.map((sign, round) => ({ round, a: 100 * Math.exp(meanLogRatio + scale * sign), b: 100 }));
  return { a: "bun", b: "node", basis: "duet", better: "higher", objections: [], pairs, ...rest };
}

const judge = (...contests: Contest[]): Verdict[] => judgeFamily(contests, { duet: floor });
const kinds = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ kind }) => kind);

test("a clear difference is faster, with its winner, ratio, interval, adjusted p and basis", () => {
  const [verdict] = judge(contest(Math.log(1.1), 0.01));
  assert.ok(verdict?.kind === "faster");
  assert.equal(verdict.winner, "a");
  assert.equal(verdict.basis, "duet");
  assert.ok(Math.abs(verdict.ratio - 1.1) < 1e-12);
  // t(0.975, 5) = 2.5706; 2.5706 x 0.01 / sqrt(6) = 0.010494.
  assert.ok(Math.abs(Math.log(verdict.interval.low) - (Math.log(1.1) - 0.010494)) < 1e-6);
  assert.equal(verdict.interval.level, 0.95);
  assert.ok(verdict.adjustedP < 0.05);
  const [reverse] = judge(contest(Math.log(1 / 1.1), 0.01));
  assert.ok(reverse?.kind === "faster" && reverse.winner === "b");
  const [cost] = judge(contest(Math.log(1.1), 0.01, { better: "lower" }));
  assert.ok(cost?.kind === "faster" && cost.winner === "b" && cost.ratio < 1);
});

test("a difference significant against zero but not beyond delta is not faster", () => {
  const [verdict] = judge(contest(0.015, 0.01));
  assert.ok(verdict?.kind === "not-separable");
  assert.ok(verdict.interval.low > 1 && verdict.interval.low < 1.01);
});

test("an interval inside the margin is equivalent, and the margin grows with delta", () => {
  const [verdict] = judge(contest(0.001, 0.01));
  assert.ok(verdict?.kind === "equivalent" && verdict.margin === 0.02);
  const noisy = judgeFamily([contest(0.001, 0.03)], { duet: { ...floor, kind: "agree", delta: 0.05 } });
  assert.ok(noisy[0]?.kind === "equivalent" && noisy[0].margin === 0.05);
});

test("what is neither is not separable, with the rounds needed", () => {
  const [verdict] = judge(contest(Math.log(1.04), 0.05));
  assert.ok(verdict?.kind === "not-separable");
  assert.ok(verdict.roundsNeeded.kind === "reachable" && verdict.roundsNeeded.rounds > 6);
  assert.equal(verdict.roundsNeeded.verdict, "faster");
});

test("the adjusted p is the p against delta, not against zero, times the tests left", () => {
  const edge = Math.log1p(0.01) + 2.570581835636314 * 0.01 / Math.sqrt(6);
  const [alone] = judge(contest(edge, 0.01));
  assert.ok(alone?.kind === "not-separable" || alone?.kind === "faster");
  assert.ok(Math.abs(alone.adjustedP - 0.05) < 1e-9, String(alone.adjustedP));
  const [among] = judge(contest(edge, 0.01), contest(0, 0.01), contest(0, 0.01));
  assert.ok(among?.kind === "not-separable" && Math.abs(among.adjustedP - 0.15) < 1e-9, JSON.stringify(among));
  assert.ok(Math.abs(among.interval.level - (1 - 0.05 / 3)) < 1e-12);
});

test("a family widens the interval of its first step and judges the rest by Holm", () => {
  const alone = judge(contest(0.033, 0.018));
  assert.deepEqual(kinds(alone), ["faster"]);
  const amongEqual = judge(contest(0.033, 0.018), contest(0, 0.018), contest(0, 0.018));
  assert.deepEqual(kinds(amongEqual), ["not-separable", "not-separable", "not-separable"]);
  const amongDifferent = judge(contest(0.033, 0.018), contest(0.5, 0.018), contest(0.6, 0.018));
  assert.deepEqual(kinds(amongDifferent), ["faster", "faster", "faster"]);
});

test("each unfit contest gets its reason and does not count in the family", () => {
  const flagged = contest(0.5, 0.01, { objections: ["node is generator-bound"] });
  const short = contest(0.5, 0.01, {}, 4);
  const solo = contest(0.5, 0.01, { basis: "solo" });
  const copied = contest(0.5, 0);
  const verdicts = judge(flagged, short, solo, copied, contest(0.033, 0.018));
  assert.deepEqual(
    verdicts.map((verdict) => verdict.kind === "no-verdict" ? verdict.cause : verdict.kind),
    ["marked-cell", "too-few-rounds", "noise-floor-unknown", "not-measured", "faster"],
  );
  assert.ok(verdicts[0]?.kind === "no-verdict" && verdicts[0].reasons.includes("node is generator-bound"));
});

test("a run that differs from itself, or has no A/A pair, gives no verdict", () => {
  const clear = contest(0.5, 0.01);
  const causeWith = (given: NoiseFloor) => {
    const [verdict] = judgeFamily([clear], { duet: given });
    return verdict?.kind === "no-verdict" ? verdict.cause : verdict?.kind;
  };
  assert.equal(causeWith({ ...floor, kind: "different" }), "run-contradicted");
  assert.equal(causeWith({ kind: "unknown", reason: "the run has no A/A pair" }), "noise-floor-unknown");
  assert.deepEqual(judgeFamily([], {}), []);
});

test("faster means both: interval beyond delta and adjusted p below 0.05; and swapping cells swaps the winner", () => {
  const seed = 77;
  const random = createRandom(seed);
  const seen = new Set<string>();
  for (let run = 0; run < 500; run++) {
    const logSpeeds = Array.from({ length: 4 }, () => 0.03 * normal(random));
    const rounds = simulateRun({ rounds: 6, logSpeeds, sd: 0.02 * random(), drift: 0.2 }, random);
    const family = [[0, 1], [0, 2], [0, 3], [1, 2]] as const;
    const contests = family.map(([a, b]) => contest(0, 0, { pairs: pairsOf(rounds, a, b) }));
    const swapped = family.map(([a, b]) => contest(0, 0, { pairs: pairsOf(rounds, b, a) }));
    const verdicts = judge(...contests);
    judge(...swapped).forEach((other, index) => {
      const verdict = verdicts[index]!;
      const told = `seed ${seed}, run ${run}, contest ${index}`;
      seen.add(verdict.kind);
      assert.equal(verdict.kind, other.kind, told);
      assert.ok(verdict.kind !== "no-verdict", told);
      const { low, high } = verdict.interval;
      const beyond = low > 1.01 || high < 1 / 1.01;
      assert.equal(verdict.kind === "faster", beyond && verdict.adjustedP < 0.05, told);
      if (verdict.kind === "faster" && other.kind === "faster") assert.notEqual(verdict.winner, other.winner, told);
      if (verdict.kind === "equivalent") assert.ok(low > 1 / 1.02 && high < 1.02, told);
    });
  }
  assert.deepEqual([...seen].sort(), ["equivalent", "faster", "not-separable"], `seed ${seed}`);
});

test("A/A pairs agree, differ or stay unknown, and set delta", () => {
  const floorOf = (...contests: Contest[]) =>
    noiseFloor(contests.map(({ pairs }) => compare(pairs as RoundPair[], "higher", 0.95)));
  const quiet = floorOf(contest(0.0005, 0.002));
  assert.ok(quiet.kind === "agree" && quiet.delta === 0.01 && quiet.bound < 0.002);
  const noisy = floorOf(contest(0.01, 0.03));
  // |mean| + t(5/6, 5) sd / sqrt(6) = 0.01 + 1.0730 x 0.012247 = 0.02314; as a fraction 0.02341.
  assert.ok(noisy.kind === "agree" && Math.abs(noisy.delta - 0.02341) < 1e-4, JSON.stringify(noisy));
  assert.equal(floorOf(contest(0.05, 0.01)).kind, "different");
  assert.equal(floorOf(contest(0.005, 0.0005)).kind, "agree");
  const worst = floorOf(contest(0.0005, 0.002), contest(0.01, 0.03));
  assert.ok(worst.kind !== "unknown" && worst.delta === noisy.delta && worst.pairs === 2);
  // t = 4.5 with 5 degrees of freedom has p = 0.0064: enough for one A/A pair at 1 %, not for one of two.
  const suspicious = contest(4.5 * 0.01 / Math.sqrt(6), 0.01);
  assert.equal(floorOf(suspicious).kind, "different");
  assert.equal(floorOf(suspicious, contest(0.0005, 0.002)).kind, "agree");
  assert.equal(floorOf().kind, "unknown");
  assert.equal(floorOf(contest(0, 0.01, {}, 1)).kind, "unknown");
  assert.equal(floorOf(contest(0, 0)).kind, "unknown");
});
