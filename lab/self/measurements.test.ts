import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../bench/basics/random.ts";
import { chanceOfMean, errorText, type Measurement, outcomeOf, percentApart } from "./measurements.ts";

const random = createRandom(7);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const LIMIT = 3;
const FIGURES = 6;
const REPEATED = 1_000;

/** Share of repetitions of a part in which some figure of it comes out so. */
function shareOf(wanted: string, truthPercent: number, rounds: number, sd: number): number {
  let count = 0;
  for (let k = 0; k < REPEATED; k++) {
    const outcomes = Array.from({ length: FIGURES }, () => {
      const differences = Array.from({ length: rounds }, () => Math.log1p(truthPercent / 100) + sd * normal());
      return outcomeOf({
        part: "made up",
        name: "",
        note: "",
        goal: { most: LIMIT },
        ...percentApart(differences, LIMIT, FIGURES),
      });
    });
    if (outcomes.includes(wanted as "missed")) count++;
  }
  return count / REPEATED;
}

test("what is just at its limit in truth is called missed in at most 5 % of repetitions, whatever the rounds", () => {
  for (const rounds of [2, 5, 14]) {
    for (const truth of [0, LIMIT]) {
      const share = shareOf("missed", truth, rounds, 0.04);
      assert.ok(share < 0.065, `${truth} % off in truth, ${rounds} rounds: ${share}`);
    }
  }
  assert.ok(shareOf("unclear", LIMIT, 5, 0.04) > 0.9, "chance alone takes it beyond, and that is said");
});

test("what is off by much more is missed, the sooner the quieter the machine", () => {
  assert.ok(shareOf("missed", 8, 14, 0.03) > 0.95);
  assert.ok(shareOf("missed", 8, 5, 0.01) > 0.9);
  assert.equal(shareOf("reached", 8, 14, 0.01), 0);
});

test("a figure within its goal reaches it, one beyond it misses it where chance has no part, and none is none", () => {
  const made = (ratio: number | null, chance?: number): Measurement => ({
    part: "made up",
    name: "",
    note: "",
    goal: { most: LIMIT },
    ratio,
    ...(chance === undefined ? {} : { chance }),
  });
  assert.equal(outcomeOf(made(LIMIT, 1)), "reached");
  assert.equal(outcomeOf(made(3.1)), "missed");
  assert.equal(outcomeOf(made(3.1, 0.049)), "missed");
  assert.equal(outcomeOf(made(3.1, 0.05)), "unclear");
  assert.equal(outcomeOf(made(null, 1)), "missed");
  assert.equal(outcomeOf({ ...made(99), goal: null }), "reached");
});

test("one round tells nothing of chance, and rounds that are all alike everything", () => {
  assert.deepEqual([chanceOfMean([], 1), chanceOfMean([9], 1)], [1, 1]);
  assert.deepEqual([chanceOfMean([9, 9], 1), chanceOfMean([1, 1], 1)], [0, 1]);
  assert.deepEqual(percentApart([], LIMIT, 1), { ratio: null, chance: 1 });
  assert.equal(errorText([0.1]), "");
  assert.equal(errorText([0.01, 0.03]), ", standard error 1.0 %");
});
