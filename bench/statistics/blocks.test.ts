import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { blockTableOf, normal } from "../../tests/fixtures/simulation.ts";
import { type BlockTable, compareBlocks } from "./blocks.ts";
import { compareRounds } from "./compare.ts";
import { sampleOf } from "./t-interval.ts";

const names = ["a", "b", "c", "d", "e"];

/** A table of the named members with the given sd of log cost in each. */
function made(rounds: number, sds: readonly number[], seed: number, drift = 0): BlockTable {
  const random = createRandom(seed);
  return blockTableOf(
    Array.from({ length: rounds }, () => {
      const common = drift * normal(random);
      return sds.map((sd, member) => Math.log(1_000 * (member + 1)) + common + sd * normal(random));
    }),
    names.slice(0, sds.length),
  );
}

const estimate = (table: BlockTable, a: string, b: string) => {
  const found = compareBlocks(table, a, b);
  assert.ok(found.kind === "measured", JSON.stringify(found));
  return found;
};

test("the ratio is how many times as fast a is: the geometric mean of cost of b over cost of a", () => {
  const table = made(6, [0.01, 0.01, 0.01], 1);
  const [found, other] = [estimate(table, "a", "b"), estimate(table, "b", "a")];
  assert.ok(Math.abs(found.ratio - 2) < 0.05 && found.n === 6, String(found.ratio));
  assert.ok(Math.abs(found.ratio * other.ratio - 1) < 1e-12);
  assert.ok(Math.abs(found.logRatio.error - other.logRatio.error) < 1e-12);
});

test("a table of two gives the plain paired t test", () => {
  const table = made(5, [0.02, 0.02], 2);
  const pairs = table.rounds.map(({ round, costs }) => ({ round, over: costs[0]!, under: costs[1]! }));
  const [blocks, plain] = [estimate(table, "a", "b"), compareRounds(pairs, "lower")];
  assert.ok(plain.kind === "measured");
  assert.equal(blocks.logRatio.degrees, 4);
  assert.ok(Math.abs(blocks.logRatio.error - plain.logRatio.error) < 1e-12);
  assert.ok(Math.abs(blocks.ratio - plain.ratio) < 1e-12);
});

test("what is common to a round changes nothing", () => {
  const [calm, drifting] = [made(4, [0.02, 0.02, 0.02, 0.04], 3), made(4, [0.02, 0.02, 0.02, 0.04], 3)];
  const moved = {
    ...drifting,
    rounds: drifting.rounds.map(({ round, costs }, n) => ({ round, costs: costs.map((cost) => cost! * (1 + n)) })),
  };
  const [x, y] = [estimate(calm, "a", "d"), estimate(moved, "a", "d")];
  assert.ok(Math.abs(x.ratio - y.ratio) < 1e-12 && Math.abs(x.logRatio.error - y.logRatio.error) < 1e-12);
});

test("the variance is half the pair's own and half what is usual, never less than its members' own", () => {
  const table = made(5, [0.01, 0.01, 0.01, 0.06, 0.06], 4);
  const variance = (a: number, b: number) =>
    sampleOf(table.rounds.map(({ costs }) => Math.log(costs[b]! / costs[a]!))).sd ** 2;
  const every = names.flatMap((_, a) => names.slice(a + 1).map((_, n) => variance(a, a + 1 + n)));
  const usual = every.reduce((sum, each) => sum + each, 0) / every.length;
  const calm = estimate(table, "a", "b").logRatio;
  assert.ok(Math.abs(5 * calm.error ** 2 - (variance(0, 1) + usual) / 2) < 1e-12);
  assert.equal(calm.degrees, 8);
  // Of the noisy two: with k members, own variance = (sum over its pairs - sum of all members' own) / (k - 2).
  const total = every.reduce((sum, each) => sum + each, 0) / 4;
  const ownOf = (a: number) => (names.reduce((sum, _, b) => b === a ? sum : sum + variance(a, b), 0) - total) / 3;
  const noisy = estimate(table, "d", "e").logRatio;
  assert.ok(ownOf(3) + ownOf(4) > usual);
  assert.ok(Math.abs(5 * noisy.error ** 2 - (variance(3, 4) + ownOf(3) + ownOf(4)) / 2) < 1e-9, `${noisy.error}`);
});

test("members that cost a multiple lend others no variance, and take that of the whole table", () => {
  const at = [1, 1.2, 1.5, 20, 30];
  const table = made(5, [0.01, 0.01, 0.01, 0.1, 0.1], 8);
  const ranged = (times: readonly number[]): BlockTable => ({
    ...table,
    rounds: table.rounds.map(({ round, costs }) => ({
      round,
      costs: costs.map((cost, n) => cost! * times[n]! / (n + 1)),
    })),
  });
  const without = { ...ranged(at), members: names.slice(0, 3) };
  const fast = { ...without, rounds: without.rounds.map(({ round, costs }) => ({ round, costs: costs.slice(0, 3) })) };
  const errorOf = (table: BlockTable, a: string, b: string) => estimate(table, a, b).logRatio.error;
  assert.equal(errorOf(ranged(at), "a", "b"), errorOf(fast, "a", "b"));
  // A pair with one of them, and two of them, as where all cost the same.
  for (const [a, b] of [["a", "d"], ["d", "e"]] as const) {
    assert.ok(Math.abs(errorOf(ranged(at), a, b) - errorOf(ranged([1, 1, 1, 1, 1]), a, b)) < 1e-12);
  }
  assert.ok(errorOf(ranged([1, 1, 1, 3, 3]), "a", "b") > 2 * errorOf(ranged([1, 1, 1, 6, 6]), "a", "b"));
  // On a machine of half the speed the same are alike.
  const slower = ranged(at.map((cost) => 2 * cost));
  assert.ok(Math.abs(errorOf(ranged(at), "a", "c") - errorOf(slower, "a", "c")) < 1e-12);
});

test("a small table lends fewer degrees of freedom", () => {
  const degrees = [2, 3, 4, 5].map((k) => estimate(made(6, Array(k).fill(0.02), 7), "a", "b").logRatio.degrees);
  assert.deepEqual(degrees, [5, 8, 10, 10]);
});

test("a round that lacks a member still serves the others", () => {
  const whole = made(5, [0.02, 0.02, 0.02], 5);
  const holed = {
    ...whole,
    rounds: whole.rounds.map(({ round, costs }) => ({ round, costs: round === 2 ? [null, ...costs.slice(1)] : costs })),
  };
  assert.equal(estimate(holed, "a", "b").n, 4);
  assert.equal(estimate(holed, "b", "c").n, 5);
  assert.equal(estimate(holed, "b", "c").ratio, estimate(whole, "b", "c").ratio);
});

test("too few rounds, a cost that is not positive and copied costs give a reason", () => {
  const causeOf = (rounds: (number | null)[][]) => {
    const found = compareBlocks(
      { id: "t", members: ["a", "b"], rounds: rounds.map((costs, round) => ({ round, costs })) },
      "a",
      "b",
    );
    return found.kind === "unmeasured" ? found.lack.code : found.kind;
  };
  assert.equal(causeOf([]), "too-few-rounds");
  assert.equal(causeOf([[1, 2], [null, 2]]), "too-few-rounds");
  assert.equal(causeOf([[1, 2], [0, 2], [1, 3]]), "value-not-positive");
  assert.equal(causeOf([[1, 2], [2, 4], [3, 6]]), "no-spread");
});

test("a table that is none is refused", () => {
  const table = made(3, [0.02, 0.02], 6);
  assert.throws(() => compareBlocks(table, "a", "z"), /no member "z"/);
  assert.throws(() => compareBlocks({ ...table, rounds: [table.rounds[0]!, table.rounds[0]!] }, "a", "b"), RangeError);
  assert.throws(() => compareBlocks({ ...table, rounds: [{ round: 9, costs: [1] }] }, "a", "b"), RangeError);
  assert.throws(() => compareBlocks({ ...table, members: ["a", "a"] }, "a", "a"), RangeError);
});
