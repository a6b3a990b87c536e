import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { blockTableOf, normal, pairsOf, simulateRun } from "../../tests/fixtures/simulation.ts";
import { studentTQuantile } from "./distributions.ts";
import type { Evidence } from "./evidence.ts";
import { type NoiseFloor, noiseFloor } from "./noise-floor.ts";
import { type Contest, judgeFamily, type Verdict } from "./verdict.ts";

const floor: NoiseFloor = { kind: "agree", delta: 0.01, bound: 0.005, p: 0.6, pairs: 1 };

/** Rounds whose log ratios have exactly the given mean and standard deviation. */
function roundsOf(meanLogRatio: number, sd: number, n = 6, better: "higher" | "lower" = "higher"): Evidence {
  const shape = Array.from({ length: n }, (_, round) => round % 2 === 0 ? 1 : -1);
  const scale = sd * Math.sqrt((n - 1) / n);
  const pairs = shape.map((sign, round) => ({ round, a: 100 * Math.exp(meanLogRatio + scale * sign), b: 100 }));
  return { kind: "rounds", pairs, better };
}

const contest = (meanLogRatio: number, sd: number, rest: Partial<Contest> = {}): Contest => ({
  a: "bun",
  b: "node",
  basis: "together",
  evidence: roundsOf(meanLogRatio, sd),
  objections: [],
  ...rest,
});

const judge = (...contests: Contest[]): Verdict[] => judgeFamily(contests, { together: floor }).verdicts;
const kinds = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ kind }) => kind);

test("a clear difference is faster, with its winner, ratio, interval, adjusted p and basis", () => {
  const [verdict] = judge(contest(Math.log(1.1), 0.01));
  assert.ok(verdict?.kind === "faster");
  assert.equal(verdict.winner, "a");
  assert.equal(verdict.basis, "together");
  assert.ok(Math.abs(verdict.ratio - 1.1) < 1e-12);
  // t(0.975, 5) = 2.5706; 2.5706 x 0.01 / sqrt(6) = 0.010494.
  assert.ok(Math.abs(Math.log(verdict.interval.low) - (Math.log(1.1) - 0.010494)) < 1e-6);
  assert.equal(verdict.interval.level, 0.95);
  assert.ok(verdict.adjustedP < 0.05);
  const [reverse] = judge(contest(Math.log(1 / 1.1), 0.01));
  assert.ok(reverse?.kind === "faster" && reverse.winner === "b");
  const [cost] = judge(contest(0, 0, { evidence: roundsOf(Math.log(1.1), 0.01, 6, "lower") }));
  assert.ok(cost?.kind === "faster" && cost.winner === "b" && cost.ratio < 1);
});

test("a doubt keeps a verdict from what it may have moved, and from nothing else", () => {
  const doubt = { reason: "a still grew cheaper", most: 0.1 };
  const [clear, near, level] = judge(
    contest(Math.log(1.3), 0.01, { doubt }),
    contest(Math.log(1.08), 0.01, { doubt }),
    contest(0.001, 0.01, { doubt }),
  );
  const [undoubted] = judge(contest(Math.log(1.3), 0.01), contest(Math.log(1.08), 0.01), contest(0.001, 0.01));
  assert.deepEqual(clear, undoubted);
  for (const verdict of [near, level]) {
    assert.ok(verdict?.kind === "no-verdict" && verdict.cause === "marked-cell");
    assert.deepEqual(verdict.reasons, ["a still grew cheaper"]);
  }
  const [slower] = judge(contest(Math.log(1 / 1.3), 0.01, { doubt }));
  assert.ok(slower?.kind === "faster" && slower.winner === "b");
});

test("a difference significant against zero but not beyond delta is not faster", () => {
  const [verdict] = judge(contest(0.018, 0.01));
  assert.ok(verdict?.kind === "not-separable");
  assert.ok(verdict.interval.low > 1 && verdict.interval.low < 1.01);
});

test("an interval inside 2 % is equivalent, and no noise widens that margin", () => {
  const [verdict] = judge(contest(0.001, 0.01));
  assert.ok(verdict?.kind === "equivalent" && verdict.margin === 0.02);
  const withDelta = (delta: number, sd: number) =>
    judgeFamily([contest(0.001, sd)], { together: { kind: "agree", delta } }).verdicts[0]!.kind;
  assert.equal(withDelta(0.02, 0.01), "equivalent");
  assert.equal(withDelta(0.021, 0.01), "not-separable");
  assert.equal(withDelta(0.05, 0.03), "not-separable");
});

test("what is neither is not separable, with the rounds needed", () => {
  const [verdict] = judge(contest(Math.log(1.04), 0.05));
  assert.ok(verdict?.kind === "not-separable");
  assert.ok(verdict.roundsNeeded.kind === "reachable" && verdict.roundsNeeded.rounds > 6);
  assert.equal(verdict.roundsNeeded.verdict, "faster");
});

test("intervals of a family hold together, and the adjusted p is the p against delta times its size", () => {
  const edge = Math.log1p(0.01) + studentTQuantile(0.975, 5) * 0.01 / Math.sqrt(6);
  const [alone] = judge(contest(edge, 0.01));
  assert.ok(alone !== undefined && alone.kind !== "no-verdict");
  assert.ok(Math.abs(alone.adjustedP - 0.05) < 1e-9, String(alone.adjustedP));
  const { verdicts, family } = judgeFamily([contest(edge, 0.01), contest(0.3, 0.01), contest(0, 0.01)], {
    together: floor,
  });
  assert.deepEqual(kinds(verdicts).slice(0, 2), ["not-separable", "faster"]);
  assert.deepEqual([family.comparisons, family.level], [3, 0.95]);
  assert.ok(Math.abs(family.levelEach - (1 - 0.05 / 3)) < 1e-12);
  for (const verdict of verdicts) {
    assert.ok(verdict.kind !== "no-verdict" && verdict.interval.level === family.levelEach, verdict.kind);
  }
  const [first] = verdicts;
  assert.ok(first?.kind === "not-separable" && Math.abs(first.adjustedP - 0.15) < 1e-9);
});

test("each unfit contest gets its reason and does not count in the family", () => {
  const contests = [
    contest(0.5, 0.01, { objections: ["node is generator-bound"] }),
    contest(0, 0, { evidence: roundsOf(0.5, 0.01, 2) }),
    contest(0, 0, { evidence: { kind: "runs", a: [1, 2], b: [3, 4, 5], better: "higher" } }),
    contest(0.5, 0.01, { basis: "solo" }),
    contest(0.5, 0),
    contest(0.033, 0.018),
  ];
  const { verdicts, family } = judgeFamily(contests, { together: floor });
  assert.deepEqual(
    verdicts.map((verdict) => verdict.kind === "no-verdict" ? verdict.cause : verdict.kind),
    ["marked-cell", "too-few-rounds", "too-few-runs", "noise-floor-unknown", "not-measured", "faster"],
  );
  assert.equal(family.comparisons, 1);
  assert.ok(verdicts[0]?.kind === "no-verdict" && verdicts[0].reasons.includes("node is generator-bound"));
});

test("a run that differs from itself, or has no A/A pair, gives no verdict", () => {
  const clear = contest(0.5, 0.01);
  const causeWith = (given: NoiseFloor) => {
    const [verdict] = judgeFamily([clear], { together: given }).verdicts;
    return verdict?.kind === "no-verdict" ? verdict.cause : verdict?.kind;
  };
  assert.equal(causeWith({ ...floor, kind: "different" }), "run-contradicted");
  assert.equal(causeWith({ kind: "unknown", reason: "the run has no A/A pair" }), "noise-floor-unknown");
  const { verdicts, family } = judgeFamily([], {});
  assert.deepEqual([verdicts, family.comparisons], [[], 0]);
});

test("a family may rest on a table, on solo rounds and on runs at once", () => {
  const random = createRandom(8);
  const table = blockTableOf(
    Array.from({ length: 6 }, () => [0, 0.3, 0.6].map((mean) => mean + 0.01 * normal(random))),
    ["a", "b", "c"],
  );
  const runs = [[100, 101, 99], [200, 203, 198]] as const;
  const { verdicts } = judgeFamily([
    { a: "a", b: "c", basis: "together", evidence: { kind: "blocks", table }, objections: [] },
    contest(0.5, 0.01, { basis: "solo" }),
    contest(0, 0, { basis: "solo", evidence: { kind: "runs", a: runs[0], b: runs[1], better: "higher" } }),
  ], { together: floor, solo: floor });
  assert.deepEqual(kinds(verdicts), ["faster", "faster", "faster"]);
  assert.deepEqual(verdicts.map((verdict) => verdict.kind === "faster" && verdict.winner), ["a", "a", "b"]);
});

test("faster means both: interval beyond delta and adjusted p below 0.05; and swapping cells swaps the winner", () => {
  const seed = 77;
  const random = createRandom(seed);
  const seen = new Set<string>();
  for (let run = 0; run < 400; run++) {
    const logSpeeds = Array.from({ length: 4 }, () => 0.03 * normal(random));
    const rounds = simulateRun({ rounds: 6, logSpeeds, sd: 0.015 * random(), drift: 0.2 }, random);
    const family = [[0, 1], [0, 2], [0, 3], [1, 2]] as const;
    const of = (a: number, b: number) =>
      contest(0, 0, { evidence: { kind: "rounds", pairs: pairsOf(rounds, a, b), better: "higher" } });
    const verdicts = judge(...family.map(([a, b]) => of(a, b)));
    judge(...family.map(([a, b]) => of(b, a))).forEach((other, index) => {
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
  const floorOf = (...contests: Contest[]) => noiseFloor(contests);
  const quiet = floorOf(contest(0.0005, 0.002));
  assert.ok(quiet.kind === "agree" && quiet.delta === 0.01 && quiet.bound < 0.002);
  const noisy = floorOf(contest(0.01, 0.03));
  // |mean| + t(5/6, 5) sd / sqrt(6) = 0.01 + 1.0730 x 0.012247 = 0.02314; as a fraction 0.02341.
  assert.ok(noisy.kind === "agree" && Math.abs(noisy.delta - 0.02341) < 1e-4, JSON.stringify(noisy));
  assert.equal(floorOf(contest(0.05, 0.01)).kind, "different");
  assert.equal(floorOf(contest(0.005, 0.0005)).kind, "agree");
  // sqrt((0.01^2 + 0.01^2) / 2) + t(5/6, 10) x 0.012247 / sqrt(2) = 0.01 + 1.0179 x 0.00866 = 0.018815.
  const both = floorOf(contest(0.01, 0.03), contest(-0.01, 0.03));
  assert.ok(both.kind !== "unknown" && both.pairs === 2, JSON.stringify(both));
  assert.ok(Math.abs(Math.log1p(both.bound) - 0.018815) < 1e-4, JSON.stringify(both));
  // t = 4.5 with 5 degrees of freedom has p = 0.0064: enough for one A/A pair at 1 %, not for one of two.
  const suspicious = contest(4.5 * 0.01 / Math.sqrt(6), 0.01);
  assert.equal(floorOf(suspicious).kind, "different");
  assert.equal(floorOf(suspicious, contest(0.0005, 0.002)).kind, "agree");
  assert.equal(floorOf().kind, "unknown");
  assert.equal(floorOf(contest(0, 0, { evidence: roundsOf(0, 0.01, 1) })).kind, "unknown");
  assert.equal(floorOf(contest(0, 0)).kind, "unknown");
  const partly = floorOf(contest(0, 0), contest(0.0005, 0.002));
  assert.ok(partly.kind === "agree" && partly.pairs === 1);
});
