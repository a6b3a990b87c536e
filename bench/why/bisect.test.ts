import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../tests/fixtures/simulation.ts";
import { createRandom, type Random } from "../basics/random.ts";
import type { Bisection } from "../record/bisection.ts";
import type { Comparison } from "../record/comparison.ts";
import { fasterFirst } from "../record/inverse.ts";
import { noiseFloor } from "../statistics/noise-floor.ts";
import { judgeFamily } from "../statistics/verdict.ts";
import { nextStep } from "./bisect.ts";

const VERSIONS = 16, ROUNDS = 8, TRIALS = 100;
/** Spread of one server's cost from round to round: that of a pair is 0.027, as on shared machines. */
const SPREAD = 0.019;

type Told = Extract<ReturnType<typeof nextStep>, { kind: "found" }>;

/** An ensemble of versions with known costs, and one of them twice, judged as a run is. */
function measured(
  costs: readonly number[],
  places: readonly number[],
  rounds: number,
  random: Random,
  spread: number,
): Comparison[] {
  const members = [...places.map((place) => `v${place}`), "aa"];
  const table = {
    ...{ id: "bisect", members },
    rounds: Array.from({ length: rounds }, (_, round) => ({
      round,
      costs: [...places, places[0]!].map((place) => costs[place]! * Math.exp(spread * normal(random))),
    })),
  };
  const evidence = { kind: "blocks", table } as const;
  const pairs = places.flatMap((a, n) => places.slice(n + 1).map((b) => ({ over: `v${a}`, under: `v${b}` })));
  return judgeFamily(
    pairs.map((pair) => ({ ...pair, basis: "together", evidence, marks: [] })),
    { together: noiseFloor([{ over: members[0]!, under: "aa", evidence }]) },
  ).comparisons.map(fasterFirst);
}

/** A whole bisection of versions with known costs; those left out cannot be measured. */
function bisected(costs: readonly number[], random: Random, leftOut: readonly number[] = [], spread = SPREAD) {
  const versions = costs.map((_, n) => `v${n}`);
  const steps: Bisection["steps"] = [];
  const left_out: { version: number; reason: string }[] = [];
  for (;;) {
    const next = nextStep({ versions, left_out, steps });
    if (next.kind === "found") return { ...next, steps, asked: new Set(steps.map(({ middle }) => middle)).size };
    const gone = next.places.find((place) => leftOut.includes(place));
    if (gone !== undefined) left_out.push({ version: gone, reason: "it does not start" });
    else {
      const { middle, places, times } = next;
      const comparisons = measured(costs, places, ROUNDS * times, random, spread);
      steps.push({ run: String(steps.length), rounds: ROUNDS * times, middle, comparisons });
    }
    assert.ok(steps.length < 100, "it comes to an end");
  }
}

/** How many of so many bisections do what is expected. */
function countOf(
  make: (random: Random) => { costs: number[]; leftOut?: number[]; right(told: Told): boolean },
): number {
  return Array.from({ length: TRIALS }, (_, seed) => createRandom(seed)).filter((random) => {
    const { costs, leftOut, right } = make(random);
    const told = bisected(costs, random, leftOut);
    assert.ok(told.asked <= 6, `${told.asked} versions were held against both ends`);
    return right(told);
  }).length;
}

const stepsTo = (steps: Readonly<Record<number, number>>) =>
  Array.from(
    { length: VERSIONS },
    (_, n) => Object.entries(steps).reduce((cost, [at, more]) => n >= Number(at) ? cost * more : cost, 1_000),
  );

test("one step of 10 % among 16 versions is found in nine of ten, either way, in at most six steps", () => {
  for (const more of [1.1, 1 / 1.1]) {
    const right = countOf((random) => {
      const at = 1 + Math.floor(random() * (VERSIONS - 1));
      return {
        costs: stepsTo({ [at]: more }),
        right: ({ finding }) => finding.kind === "step" && finding.after === at && finding.before === at - 1,
      };
    });
    assert.ok(right >= 0.9 * TRIALS, `${right} of ${TRIALS} for ${more}`);
  }
});

test("where rounds spread too far to find the step, what is told is that, and that it lies between two versions", () => {
  const kinds = new Map<string, number>();
  let wrong = 0;
  for (let seed = 0; seed < TRIALS; seed++) {
    const random = createRandom(seed);
    const at = 1 + Math.floor(random() * (VERSIONS - 1));
    const { finding } = bisected(stepsTo({ [at]: 1.1 }), random, [], 3 * SPREAD);
    kinds.set(finding.kind, (kinds.get(finding.kind) ?? 0) + 1);
    const isAround = "after" in finding && finding.before < at && at <= finding.after;
    if (finding.kind !== "no-difference" && !(isAround && finding.kind !== "several")) wrong++;
  }
  assert.ok(wrong <= 0.05 * TRIALS, `${wrong} of ${TRIALS} are wrong: ${[...kinds]}`);
  assert.ok(kinds.get("narrowed")! >= 5, `none to look at: ${[...kinds]}`);
});

test("a change in many small steps is put down to no version", () => {
  const small = Object.fromEntries(Array.from({ length: VERSIONS - 1 }, (_, n) => [n + 1, 1.1 ** (1 / 15)]));
  const right = countOf(() => ({ costs: stepsTo(small), right: ({ finding }) => finding.kind === "several" }));
  assert.ok(right >= 0.9 * TRIALS, `${right} of ${TRIALS}`);
});

test("of two steps the larger is told as a part of the change", () => {
  const right = countOf(() => ({
    costs: stepsTo({ 3: 1.06, 11: 1.12 }),
    right: ({ finding }) => finding.kind === "several" && finding.after === 11 && finding.step?.verdict === "faster",
  }));
  assert.ok(right >= 0.8 * TRIALS, `${right} of ${TRIALS}`);
});

test("ends that do not differ are said to be alike, and what came and went between them is named", () => {
  const alike = countOf(() => ({ costs: stepsTo({}), right: ({ finding }) => finding.kind === "no-difference" }));
  assert.ok(alike >= 0.9 * TRIALS, `${alike} of ${TRIALS}`);
  const gone = countOf(() => ({
    costs: stepsTo({ 5: 1.1, 12: 1 / 1.1 }),
    right: ({ finding }) => finding.kind === "came-and-went" && finding.at === 7,
  }));
  assert.ok(gone >= 0.9 * TRIALS, `${gone} of ${TRIALS}`);
});

test("a version beyond the ends is told beside the step", () => {
  const right = countOf(() => ({
    costs: stepsTo({ 4: 1.2, 9: 1 / 1.08 }),
    right: ({ finding, beyond }) => "after" in finding && finding.after === 4 && beyond.includes(7),
  }));
  assert.ok(right >= 0.9 * TRIALS, `${right} of ${TRIALS}`);
});

test("versions that cannot be measured are stepped over, and the change is told to lie around them", () => {
  const right = countOf(() => ({
    costs: stepsTo({ 8: 1.1 }),
    leftOut: [7, 8],
    right: ({ finding }) => finding.kind === "step" && finding.before === 6 && finding.after === 9,
  }));
  assert.ok(right >= 0.9 * TRIALS, `${right} of ${TRIALS}`);
});

test("runs without a verdict are made again with twice the rounds, and in the end it is said why", () => {
  const versions = ["v0", "v1"];
  const step = (n: number): Bisection["steps"][number] => ({
    ...{ run: String(n), rounds: 8, middle: null },
    comparisons: [{
      ...{ verdict: "no-verdict", over: "v0", under: "v1", basis: "together", ratio: null, interval: null },
      marks: [{ code: "too-few-rounds", effect: "withholds", text: "others had the core" }],
    }],
  });
  const after = (count: number) =>
    nextStep({ versions, left_out: [], steps: Array.from({ length: count }, (_, n) => step(n)) });
  assert.deepEqual([0, 1, 2].map(after).map((next) => next.kind === "measure" && next.times), [1, 2, 4]);
  const aheadOf = (count: number) => {
    const next = nextStep({ versions: Array.from({ length: count }, (_, n) => `v${n}`), left_out: [], steps: [] });
    return next.kind === "measure" && next.ahead;
  };
  assert.deepEqual([2, 3, 4, 16, 17].map(aheadOf), [1, 2, 3, 5, 5]);
  const told = after(3);
  assert.deepEqual(told.kind === "found" && told.finding, {
    kind: "undecided",
    mark: { code: "too-few-rounds", effect: "withholds", text: "others had the core" },
  });
});
