import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, type Random } from "../random.ts";
import { compare } from "./compare.ts";
import { noiseFloor } from "./noise-floor.ts";
import { pairsOf, shareOf, simulateRun } from "../../../tests/fixtures/simulation.ts";
import { judgeFamily, type Verdict } from "./verdict.ts";

/** One simulated command: an A/A pair and cells of the given true speeds, all measured in each round. */
interface Scene {
  readonly rounds: number;
  /** Standard deviation of one cell's log value. */
  readonly sd: number;
  readonly logSpeeds: readonly number[];
  /** Which cells are compared with which. */
  readonly contests: readonly (readonly [a: number, b: number])[];
  /** Log ratio that the bench invents between any two labels compared. */
  readonly bias?: number;
}

/** Solo trials at a coefficient of variation of 2 % a cell, drift of up to 20 % common to a round. */
const thorough = { rounds: 12, sd: 0.02 };
/** Duets with a standard deviation of the log ratio of 2 %. */
const duet = { rounds: 6, sd: 0.02 / Math.SQRT2 };

function play(scene: Scene, random: Random): Verdict[] {
  const logSpeeds = [0, scene.bias ?? 0, ...scene.logSpeeds];
  const rounds = simulateRun({ rounds: scene.rounds, logSpeeds, sd: scene.sd, drift: 0.2 }, random);
  const floor = noiseFloor([compare(pairsOf(rounds, 0, 1), "higher", 0.95)]);
  const contests = scene.contests.map(([a, b]) => ({
    a: `cell ${a}`,
    b: `cell ${b}`,
    basis: "solo" as const,
    better: "higher" as const,
    objections: [],
    pairs: pairsOf(rounds, a + 2, b + 2),
  }));
  return judgeFamily(contests, { solo: floor });
}

/** The share of runs whose verdict on the first contest is that cell 0 is faster. */
function foundShare(runs: number, scene: Scene, random: Random): number {
  return shareOf(runs, () => {
    const [verdict] = play(scene, random);
    return verdict?.kind === "faster" && verdict.winner === "a";
  });
}

const pair = (difference: number) => ({ logSpeeds: [Math.log1p(difference), 0], contests: [[0, 1]] as const });

/** Three runtimes on each of four stores, every runtime against every other on the same store: twelve contests. */
const stores = [0, 1, 2, 3];
const matrix = stores.flatMap((store) =>
  ([[0, 1], [0, 2], [1, 2]] as const).map(([a, b]) => [3 * store + a, 3 * store + b] as const)
);

test("A/A is called different in at most 5 % of 2000 runs, solo and duet", () => {
  const seed = 1001;
  const random = createRandom(seed);
  for (const { rounds, sd } of [thorough, duet]) {
    const different = shareOf(2_000, () => {
      const run = simulateRun({ rounds, logSpeeds: [0, 0], sd, drift: 0.2 }, random);
      return noiseFloor([compare(pairsOf(run, 0, 1), "higher", 0.95)]).kind === "different";
    });
    assert.ok(different <= 0.018, `seed ${seed}: ${different} of ${rounds}-round runs, 1 % intended`);
    assert.ok(different > 0, `seed ${seed}: the A/A test can never fail`);
  }
});

test("a true 5 % is found in at least 90 % of 12-round runs at CV 2 %", () => {
  const seed = 1002;
  const found = foundShare(2_000, { ...thorough, ...pair(0.05) }, createRandom(seed));
  assert.ok(found >= 0.9, `seed ${seed}: found in ${found}`);
});

test("a 6-round duet finds a true 5 % in four of five runs, and promises little about 3 %", () => {
  const seed = 1003;
  const random = createRandom(seed);
  const five = foundShare(2_000, { ...duet, ...pair(0.05) }, random);
  const three = foundShare(2_000, { ...duet, ...pair(0.03) }, random);
  assert.ok(five >= 0.8 && five < 0.92, `seed ${seed}: 5 % found in ${five}`);
  assert.ok(three >= 0.25 && three < 0.4, `seed ${seed}: 3 % found in ${three}`);
});

test("three equal runtimes on four stores hold a false faster in at most 5 % of runs", () => {
  const seed = 1004;
  const random = createRandom(seed);
  const logSpeeds = stores.flatMap((store) => [store, store, store]);
  for (const kind of [thorough, duet]) {
    const wrong = shareOf(
      500,
      () => play({ ...kind, logSpeeds, contests: matrix }, random).some((verdict) => verdict.kind === "faster"),
    );
    assert.ok(wrong <= 0.05, `seed ${seed}: ${kind.rounds} rounds, ${wrong}`);
  }
});

test("pairs that differ by no more than delta, or by what the bench invents, seldom give a false faster", () => {
  const seed = 1005;
  const random = createRandom(seed);
  const contests = Array.from({ length: 12 }, (_, index) => [2 * index, 2 * index + 1] as const);
  for (const bias of [Math.log1p(0.01), 0.02]) {
    const logSpeeds = contests.flatMap(() => [0, bias]);
    for (const kind of [thorough, duet]) {
      const wrong = shareOf(
        400,
        () => play({ ...kind, logSpeeds, contests, bias }, random).some((verdict) => verdict.kind === "faster"),
      );
      assert.ok(wrong <= 0.05, `seed ${seed}: bias ${bias}, ${kind.rounds} rounds, ${wrong}`);
    }
  }
});

test("pairs that differ by exactly the margin are falsely called equivalent in at most 5 % of families", () => {
  const seed = 1006;
  const random = createRandom(seed);
  const contests = Array.from({ length: 6 }, (_, index) => [2 * index, 2 * index + 1] as const);
  const logSpeeds = contests.flatMap(() => [Math.log1p(0.02), 0]);
  for (const sd of [0.001, 0.003, 0.006]) {
    const wrong = shareOf(
      500,
      () => play({ rounds: 12, sd, logSpeeds, contests }, random).some((verdict) => verdict.kind === "equivalent"),
    );
    assert.ok(wrong <= 0.05, `seed ${seed}: sd ${sd}, ${wrong}`);
  }
});

test("equal cells are called equivalent when the spread allows it", () => {
  const seed = 1007;
  const random = createRandom(seed);
  const equal = shareOf(500, () => play({ rounds: 12, sd: 0.01, ...pair(0) }, random)[0]?.kind === "equivalent");
  assert.ok(equal >= 0.9, `seed ${seed}: ${equal}`);
});
