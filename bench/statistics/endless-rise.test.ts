/** `endlessRise` finds growth, and of noise it finds no more than it promises: held by simulation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, type Random } from "../basics/random.ts";
import { normal, shareOf } from "../../tests/fixtures/simulation.ts";
import { endlessRise, type Life } from "./endless-rise.ts";
import { thresholds } from "./thresholds.ts";

/** The course of a cost by its place in a life, 0 to 1, as a share of its first. */
type Course = (place: number) => number;

/** A warm-up of three costs and a window, multiplied by noise. */
function life(course: Course, noise: () => (step: number) => number): Life {
  const noiseAt = noise();
  const costs = Array.from({ length: 4 }, (_, step) => 20_000 * course(step / 3) * noiseAt(step));
  return { costs: costs.slice(0, 3), window: costs[3]! };
}

const lives = (count: number, course: Course, noise: () => (step: number) => number) =>
  Array.from({ length: count }, () => life(course, noise));

const none = () => () => 1;
/** A machine whose speed moves by so much from one cost to the next. */
const walk = (random: Random, sd: number) => () => {
  let at = 0;
  return () => Math.exp(at += sd * normal(random));
};
/** Costs that scatter around a mean. */
const scatter = (random: Random, sd: number) => () => () => Math.exp(sd * normal(random));
/** A speed that swings slowly and smoothly: in half of all lives it falls from begin to end. */
const swing = (random: Random, amplitude: number) => () => {
  const phase = 2 * Math.PI * random(), period = 4 + 16 * random();
  return (step: number) => Math.exp(amplitude * Math.sin(phase + 2 * Math.PI * step / period));
};
/** Two speeds, changed now and then, as beside a neighbour that works and rests. */
const jumps = (random: Random, size: number) => () => {
  let slow = random() < 0.5;
  return () => {
    if (random() < 0.3) slow = !slow;
    return slow ? 1 + size : 1;
  };
};

const flat: Course = () => 1;
/** A list that each request adds to and looks through: the square root of the time. */
const list: Course = (place) => Math.sqrt(0.2 + place);
/** A server that engines compile. */
const compiled: Course = (place) => 1 + 0.6 * 0.05 ** place;
/** A cache of a bounded number of entries that costs more until it is full. */
const filled: Course = (place) => 1 + Math.min(1, 4 * place);

test("a cost that grows by each request is found in all lives, and its growth is reported", () => {
  const found = endlessRise(lives(4, list, none));
  assert.deepEqual({ lives: found?.lives, rising: found?.rising }, { lives: 4, rising: 4 });
  assert.ok(found!.growth > thresholds.endlessGrowth.value && found!.p < 1e-3, JSON.stringify(found));
  const random = createRandom(1);
  assert.ok(shareOf(500, () => endlessRise(lives(4, (place) => 1 + 4 * place, scatter(random, 0.1))) !== null) > 0.95);
});

test("a flat cost, a falling one and one that has come to rest have a figure", () => {
  for (const course of [flat, compiled, filled]) assert.equal(endlessRise(lives(8, course, none)), null, course.name);
});

test("fewer lives than a verdict needs rounds, and lives too short, say nothing", () => {
  assert.equal(endlessRise(lives(2, list, none)), null);
  assert.equal(endlessRise([]), null);
  assert.equal(endlessRise(Array.from({ length: 6 }, () => ({ costs: [10, 50], window: 90 }))), null);
});

test("a cost that is back in the window does not grow without end, and one whose window is unknown may", () => {
  const window = (at: number | null) => lives(4, list, none).map((one) => ({ ...one, window: at }));
  assert.equal(endlessRise(window(9_000)), null);
  assert.equal(endlessRise(window(null))?.rising, 4);
});

test("one life of four that does not grow keeps the mark away", () => {
  assert.equal(endlessRise([...lives(3, list, none), life(flat, none)]), null);
});

test("noise is called a growth without end in one run of a thousand at most, whatever its kind", () => {
  const random = createRandom(58);
  const runs = 4_000;
  const noises = {
    ...Object.fromEntries([0.05, 0.2, 0.5].flatMap((size) => [
      [`random walk of ${size}`, walk(random, size)],
      [`scatter of ${size}`, scatter(random, size)],
      [`jumps of ${size}`, jumps(random, size)],
    ])),
    "swings of 0.1": swing(random, 0.1),
  };
  for (const [name, noise] of Object.entries(noises)) {
    for (const count of [3, 4, 8]) {
      const share = shareOf(runs, () => endlessRise(lives(count, flat, noise)) !== null);
      // Three standard errors above one in a thousand.
      assert.ok(share <= 0.0025, `${name}, ${count} lives: ${share}`);
    }
  }
});
