/**
 * What the statistics promise, held against simulated runs. Sizes are what a few seconds allow. Of 100 families that truly
 * miss in 5 %, more than 11 miss in one case of a hundred: a single scene is allowed 11, all together 5 %.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { everyTwo } from "../plan/families.ts";
import { createRandom, type Random } from "../basics/random.ts";
import type { BlockTable } from "./blocks.ts";
import { compareUnpaired } from "./compare.ts";
import { ratioInterval } from "./estimate.ts";
import { compareBy, type Compared } from "./evidence.ts";
import { type NoiseFloor, noiseFloor } from "./noise-floor.ts";
import { blockTableOf, normal, pairsOf, shareOf, simulateRun } from "../../tests/fixtures/simulation.ts";
import type { Comparison } from "../record/comparison.ts";
import { type ComparisonInput, familyLevel, judgeFamily } from "./verdict.ts";

/** Members 0, 3, 6 and 9 are Node's, with the stores in threes: what a default run measures together, at one size. */
const MEMBERS = 12;
const TWIN = 99;
const runtimeOf = (member: number) => member % 3;
const isNode = (member: number) => runtimeOf(member) === 0;
/** Members of the last store cost a multiple, in scenes that say so. */
const isScan = (member: number) => member >= 9;
const SCAN = Math.log(20);
/** Pairs of runtimes on one store: 36 over three sizes. */
const RUNTIMES = [0, 3, 6, 9].flatMap((first) => everyTwo([first, first + 1, first + 2]));
/** Pairs of stores on one runtime: 54 over three sizes. */
const STORES = [0, 1, 2].flatMap((first) => everyTwo([first, first + 3, first + 6, first + 9]));
/** Spread of one member whose pairs have the standard deviation found most, 0.027. */
const USUAL = 0.027 / Math.SQRT2;

interface Scene {
  readonly rounds: number;
  readonly members?: number;
  /** Standard deviation of a member's log cost; or one for all. */
  readonly sd: number | ((member: number) => number);
  /** Standard deviations of what all members of Node, and of each of the two other runtimes, have in common in a round. */
  readonly shared?: readonly [number, number, number];
  /** A number of mean 0 and standard deviation 1. */
  readonly noise?: (random: Random) => number;
  readonly logCost?: (member: number) => number;
}

/** A table of the scene, with member 1 in it twice. */
function tableOf(scene: Scene, random: Random): BlockTable {
  const { members = MEMBERS, sd, noise = normal, shared = [0, 0, 0], logCost = () => 0 } = scene;
  const apart = [...Array(members).keys()];
  const places = [...apart, ...(members > 3 ? [1] : [])];
  return blockTableOf(
    Array.from({ length: scene.rounds }, () => {
      const drift = 0.2 * random();
      const ofRuntime = shared.map((sd) => sd * normal(random));
      return places.map((place) => {
        const spread = typeof sd === "number" ? sd : sd(place);
        return 10 + drift + logCost(place) + ofRuntime[runtimeOf(place)]! + spread * noise(random);
      });
    }),
    [...apart.map(String), ...(members > 3 ? [String(TWIN)] : [])],
  );
}

const comparedIn = (table: BlockTable, pairs: readonly (readonly [number, number])[]): Compared[] =>
  pairs.map(([over, under]) => ({ over: String(over), under: String(under), evidence: { kind: "blocks", table } }));

/** t with four degrees of freedom, of standard deviation 1. */
const heavyTailed = (random: Random): number => {
  const squares = Array.from({ length: 4 }, () => normal(random) ** 2).reduce((sum, square) => sum + square, 0);
  return normal(random) / Math.sqrt(squares / 4) / Math.SQRT2;
};

/** Whether any interval of a family lacks the true ratio. */
function misses(compared: readonly Compared[], logCost: (member: number) => number = () => 0): boolean {
  const { levelEach } = familyLevel(compared.length);
  return compared.some((one) => {
    const comparison = compareBy(one);
    if (comparison.kind !== "measured") return true;
    const { low, high } = ratioInterval(comparison.logRatio, levelEach);
    const truth = Math.exp(logCost(Number(one.under)) - logCost(Number(one.over)));
    return low > truth || high < truth;
  });
}

test("all intervals of a family hold together in 95 % of runs, whatever the noise is like", () => {
  const seed = 2001;
  const random = createRandom(seed);
  const nodeNoisy = (member: number) => isNode(member) ? 0.04 : 0.01;
  const oneNoisy = (member: number) => member === 0 ? 0.04 : 0.01;
  const logCost = (member: number) => isScan(member) ? SCAN : 0;
  const scenes: readonly (Scene & { readonly name: string })[] = [
    { name: "members alike", rounds: 6, sd: USUAL },
    { name: "Node four times as noisy, three rounds", rounds: 3, sd: nodeNoisy },
    { name: "Node four times as noisy", rounds: 12, sd: nodeNoisy },
    { name: "one member four times as noisy", rounds: 4, sd: oneNoisy },
    { name: "noise that Node members share", rounds: 4, sd: 0.015, shared: [0.02, 0, 0] },
    { name: "noise that Node members share, twelve rounds", rounds: 12, sd: 0.015, shared: [0.02, 0, 0] },
    { name: "noise that members of each runtime share", rounds: 4, sd: 0.02, shared: [0.04, 0.04, 0.04] },
    {
      name: "noise that members of one runtime share four times as much",
      rounds: 4,
      sd: 0.02,
      shared: [0.08, 0.01, 0.01],
    },
    { name: "heavy tails", rounds: 4, sd: USUAL, noise: heavyTailed },
    { name: "heavy tails, Node four times as noisy", rounds: 6, sd: nodeNoisy, noise: heavyTailed },
    { name: "two members", members: 2, rounds: 4, sd: oneNoisy },
    { name: "three members", members: 3, rounds: 4, sd: oneNoisy },
    { name: "fifteen members and a twin", members: 15, rounds: 6, sd: nodeNoisy },
    { name: "scans that are four times as noisy", rounds: 4, sd: (member) => isScan(member) ? 0.08 : 0.02, logCost },
    { name: "scans that are calmer", rounds: 4, sd: (member) => isScan(member) ? 0.01 : 0.04, logCost },
    { name: "scans and Node four times as noisy", rounds: 6, sd: (m) => (isScan(m) ? 4 : 1) * nodeNoisy(m), logCost },
  ];
  const shares = scenes.flatMap(({ name, ...scene }) => {
    const few = scene.members !== undefined && scene.members <= 3;
    const families = few ? [everyTwo([...Array(scene.members).keys()])] : [RUNTIMES, STORES];
    const runs = few ? 400 : 100;
    const missed = families.map(() => 0);
    for (let run = 0; run < runs; run++) {
      const tables = Array.from({ length: few ? 1 : 3 }, () => tableOf(scene, random));
      families.forEach((pairs, n) => {
        if (misses(tables.flatMap((table) => comparedIn(table, pairs)), scene.logCost)) missed[n]!++;
      });
    }
    return missed.map((count, n) => {
      assert.ok(count <= (few ? 32 : 11), `seed ${seed}, ${name}, family ${n}: ${count} of ${runs}`);
      return count / runs;
    });
  });
  const all = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  assert.ok(all <= 0.05, `seed ${seed}: ${all} of all families`);
});

const inputsOf = (tables: readonly BlockTable[]): ComparisonInput[] =>
  tables.flatMap((table) => comparedIn(table, RUNTIMES)).map((one) => ({ ...one, basis: "together", marks: [] }));

const isDifferent = ({ verdict }: Comparison) => verdict === "faster" || verdict === "slower";

const floorOf = (tables: readonly BlockTable[]): NoiseFloor =>
  noiseFloor(tables.flatMap((table) => comparedIn(table, [[1, TWIN]])));

/** One simulated run of three sizes: its noise floor, and its family of runtimes. */
function play(scene: Scene, random: Random) {
  const tables = [0, 1, 2].map(() => tableOf(scene, random));
  const floor = floorOf(tables);
  return { floor, ...judgeFamily(inputsOf(tables), { together: floor }) };
}

/** The share of true differences of that size that a run calls faster: Node against the two others, on each store. */
function foundShare(runs: number, difference: number, scene: Scene, random: Random): number {
  const logCost = (member: number) => isNode(member) ? Math.log1p(difference) : 0;
  let [found, all] = [0, 0];
  for (let run = 0; run < runs; run++) {
    for (const { over, verdict } of play({ ...scene, logCost }, random).comparisons) {
      if (!isNode(Number(over))) continue;
      all++;
      if (verdict === "slower") found++;
    }
  }
  return found / all;
}

test("fourteen rounds find a true 5 % among 36 comparisons in 90 % of cases, six find a true 10 %, three a third", () => {
  const seed = 2002;
  const random = createRandom(seed);
  for (const [rounds, difference] of [[14, 0.05], [6, 0.1], [3, 0.33]] as const) {
    const found = foundShare(30, difference, { rounds, sd: USUAL }, random);
    assert.ok(found >= 0.88, `seed ${seed}: ${difference} in ${rounds} rounds found in ${found}`);
  }
  const small = foundShare(15, 0.02, { rounds: 14, sd: USUAL }, random);
  assert.ok(small < 0.1, `seed ${seed}: promises little about 2 %: ${small}`);
});

test("scans that vary eight times as much as the others widen no interval but their own", () => {
  const seed = 2009;
  const random = createRandom(seed);
  const logCost = (member: number) => isScan(member) ? SCAN : isNode(member) ? Math.log1p(0.1) : 0;
  let [found, all] = [0, 0];
  for (let run = 0; run < 30; run++) {
    const sd = (member: number) => isScan(member) ? 8 * USUAL : USUAL;
    for (const { over, verdict } of play({ rounds: 6, sd, logCost }, random).comparisons) {
      if (!isNode(Number(over)) || isScan(Number(over))) continue;
      all++;
      if (verdict === "slower") found++;
    }
  }
  assert.ok(found / all >= 0.88, `seed ${seed}: a true 10 % found in ${found} of ${all}`);
});

test("A/A is called different in at most 5 % of runs, with one pair or four, together or alone", () => {
  const seed = 2003;
  const random = createRandom(seed);
  const different = { together: 0, alone: 0 };
  const runs = 1_000;
  for (let run = 0; run < runs; run++) {
    const pairs = run % 2 === 0 ? 1 : 4;
    // Spread large enough that a false alarm is beyond the least delta.
    const tables = Array.from({ length: pairs }, () => tableOf({ members: 4, rounds: 4, sd: 0.03 }, random));
    const together = noiseFloor(tables.flatMap((table) => comparedIn(table, [[1, TWIN]])));
    const alone = noiseFloor(Array.from({ length: pairs }, (): Compared => {
      const rounds = simulateRun({ rounds: 6, logSpeeds: [0, 0], sd: 0.03, drift: 0.2 }, random);
      return { over: "a", under: "b", evidence: { kind: "rounds", pairs: pairsOf(rounds, 0, 1), better: "higher" } };
    }));
    if (together.kind === "different") different.together++;
    if (alone.kind === "different") different.alone++;
  }
  for (const [basis, count] of Object.entries(different)) {
    assert.ok(count / runs <= 0.02, `seed ${seed}: ${count} of ${runs} ${basis}, 1 % intended`);
    assert.ok(count > 0, `seed ${seed}: the A/A test can never fail, ${basis}`);
  }
});

test("four rounds keep delta below 3 %, so that it does not swallow a true 10 %", () => {
  const seed = 2004;
  const random = createRandom(seed);
  const wide = shareOf(200, () => {
    const floor = floorOf([0, 1, 2].map(() => tableOf({ rounds: 4, sd: USUAL }, random)));
    return floor.kind === "agree" && floor.delta > 0.03;
  });
  assert.ok(wide <= 0.1, `seed ${seed}: ${wide}`);
});

test("equal members hold a false faster in at most 5 % of families, and so does what the bench itself invents", () => {
  const seed = 2005;
  const random = createRandom(seed);
  const wrong = shareOf(100, () => play({ rounds: 6, sd: 0.012 }, random).comparisons.some(isDifferent));
  assert.ok(wrong <= 0.05, `seed ${seed}: equal members, ${wrong}`);
  // Every second place makes its cell 2 % dearer; too little for the A/A test, so the A/A bound must carry it.
  const invented = shareOf(1_000, () => {
    const run = simulateRun({ rounds: 6, logSpeeds: [0, 0.02, 0, 0.02], sd: 0.01, drift: 0.2 }, random);
    const [same, other] = [[0, 1], [2, 3]].map(([a, b]): ComparisonInput => ({
      over: "a",
      under: "b",
      basis: "solo",
      evidence: { kind: "rounds", pairs: pairsOf(run, a!, b!), better: "higher" },
      marks: [],
    }));
    return isDifferent(judgeFamily([other!], { solo: noiseFloor([same!]) }).comparisons[0]!);
  });
  assert.ok(invented <= 0.05, `seed ${seed}: invented, ${invented}`);
});

test("noise never makes cells equivalent: a true 3 % is not, however much a run varies", () => {
  const seed = 2006;
  const random = createRandom(seed);
  for (const sd of [0.002, USUAL, 0.06]) {
    const logCost = (member: number) => isNode(member) ? Math.log1p(0.03) : 0;
    const wrong = shareOf(
      40,
      () =>
        play({ rounds: 6, sd, logCost }, random).comparisons.some(({ over, verdict }) =>
          isNode(Number(over)) && verdict === "equivalent"
        ),
    );
    assert.ok(wrong <= 0.05, `seed ${seed}: sd ${sd}, ${wrong}`);
  }
});

test("equal members are called equivalent where the spread allows it", () => {
  const seed = 2007;
  const random = createRandom(seed);
  let [equivalent, all] = [0, 0];
  for (let run = 0; run < 50; run++) {
    for (const { verdict } of play({ rounds: 6, sd: 0.004 }, random).comparisons) {
      all++;
      if (verdict === "equivalent") equivalent++;
    }
  }
  assert.ok(equivalent / all >= 0.9, `seed ${seed}: ${equivalent} of ${all}`);
});

test("solo pairs hold at three rounds and means of runs at three runs, spikes of garbage collection included", () => {
  const seed = 2008;
  const random = createRandom(seed);
  const spiky = () => 0.03 * normal(random) + (random() < 0.1 ? 0.2 * random() : 0);
  const draw = (n: number) => Array.from({ length: n }, () => Math.exp(spiky()));
  const { levelEach } = familyLevel(36);
  let [solo, runs] = [0, 0];
  const tries = 3_000;
  for (let run = 0; run < tries; run++) {
    const [a, b] = [draw(3), draw(3)];
    const pairs = a.map((value, round) => ({ round, over: value, under: b[round]! }));
    const comparisons = [
      compareBy({ over: "a", under: "b", evidence: { kind: "rounds", pairs, better: "higher" } }),
      compareUnpaired(a, b, "higher"),
    ];
    const [outOfPairs, outOfRuns] = comparisons.map((comparison) => {
      if (comparison.kind !== "measured") return true;
      const { low, high } = ratioInterval(comparison.logRatio, levelEach);
      return low > 1 || high < 1;
    });
    if (outOfPairs) solo++;
    if (outOfRuns) runs++;
  }
  // 0.05 / 36 of them are intended to miss: 4 of 3000.
  assert.ok(solo <= 10 && runs <= 10, `seed ${seed}: ${solo} and ${runs} of ${tries} miss`);
});
