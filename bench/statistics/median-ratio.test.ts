import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { compareMedians, medianRatioInterval, signsBeyondMargin } from "./median-ratio.ts";
import { noiseFloor } from "./noise-floor.ts";
import { judgeFamily } from "./verdict.ts";

const FLOOR = { waits: { kind: "agree", delta: 0.01 } } as const;
const pairsOf = (ratios: readonly number[]) =>
  ratios.map((ratio, round) => ({ round, over: 1_000, under: 1_000 * ratio }));
const judged = (ratios: readonly number[], change: { resolution?: number } = {}) =>
  judgeFamily([{
    ...{ over: "bun", under: "node", basis: "waits", marks: [], ...change },
    evidence: { kind: "quantiles", pairs: pairsOf(ratios), better: "lower" },
  }], FLOOR).comparisons[0]!;

test("one window of many times the usual wait moves no median, and its interval has exactly the rounds that the level asks for", () => {
  const compared = compareMedians(pairsOf([1.2, 1.3, 0.02, 1.25, 1.4]), "lower");
  assert.ok(compared.kind === "measured" && compared.ratio === 1.25 && compared.n === 5);
  assert.equal(medianRatioInterval([1.2, 1.3, 1.1, 1.25, 1.4], 0.95), null);
  assert.deepEqual(medianRatioInterval([1.2, 1.3, 1.1, 1.25, 1.4, 1.35], 0.95), { low: 1.1, high: 1.4, level: 0.95 });
});

test("six rounds that all agree are a verdict, five are too few and say so, one that does not agree leaves it open", () => {
  const six = judged([1.2, 1.3, 1.1, 1.25, 1.4, 1.35]);
  assert.deepEqual([six.verdict, six.interval], ["faster", { low: 1.1, high: 1.4, level: 0.95 }]);
  const five = judged([1.2, 1.3, 1.1, 1.25, 1.4]);
  assert.ok(five.verdict === "no-verdict");
  assert.deepEqual(five.marks.map(({ code, text }) => [code, text]), [
    ["too-few-rounds", "5 of the 6 rounds a verdict needs"],
  ]);
  assert.equal(judged([1.2, 1.3, 0.9, 1.25, 1.4, 1.35]).verdict, "not-separable");
});

test("a microsecond of a short wait is no difference, and equal waits in every round are no copies", () => {
  assert.equal(judged(Array(7).fill(27 / 26)).verdict, "faster");
  assert.equal(judged(Array(7).fill(27 / 26), { resolution: 1 / 26 }).verdict, "not-separable");
  assert.equal(judged(Array(7).fill(1)).verdict, "equivalent");
  const floor = noiseFloor([{
    ...{ over: "a", under: "b" },
    evidence: { kind: "quantiles", pairs: pairsOf(Array(7).fill(1)), better: "lower" },
  }]);
  assert.ok(floor.kind === "agree" && floor.p === 1 && floor.delta === 0.01);
});

test("the p of a comparison is below alpha exactly where its interval lies beyond the margin", () => {
  const random = createRandom(20_261_127);
  const seen = new Set<boolean>();
  for (let n = 0; n < 2_000; n++) {
    const ratios = Array.from({ length: 2 + n % 14 }, () => Math.exp(0.3 + 0.4 * (random() - 0.5) * (n % 5)));
    const level = 0.9 + 0.099 * random(), delta = 0.3 * random();
    const interval = medianRatioInterval(ratios, level);
    const beyond = interval !== null && (interval.low > 1 + delta || interval.high < 1 / (1 + delta));
    assert.equal(signsBeyondMargin(ratios, delta) <= 1 - level, beyond, `${ratios} ${level} ${delta}`);
    seen.add(beyond);
  }
  assert.equal(seen.size, 2);
});

test("cells that do not differ are told apart in at most one of twenty runs, also where windows are wild", () => {
  const random = createRandom(7), RUNS = 4_000;
  const wild = () => Math.exp(0.2 * (random() - 0.5)) * (random() < 0.1 ? 20 : 1);
  for (const rounds of [6, 9]) {
    let wrong = 0;
    for (let run = 0; run < RUNS; run++) {
      if (judged(Array.from({ length: rounds }, () => wild() / wild())).verdict === "faster") wrong++;
    }
    assert.ok(wrong > 0 && wrong / RUNS < 0.05, `${rounds} rounds: ${wrong}`);
  }
});
