import assert from "node:assert/strict";
import { test } from "node:test";
import { lossText } from "./lacks.ts";
import { createRandom } from "../basics/random.ts";
import { normal, shareOf } from "../../tests/fixtures/simulation.ts";
import type { Slice } from "../record/observation-record.ts";
import { flatnessOf, steady } from "./steady.ts";

/** Slices of 0.15 s of CPU time whose costs in microseconds a request are the given ones. */
const slicesOf = (costsUs: readonly number[]): Slice[] =>
  costsUs.map((cost) => ({ cpu_ns: 0.15e9, requests: 0.15e6 / cost }));
const wobble = [1, 1.02, 0.99, 1.01, 0.98, 1, 1.01, 0.99, 1.02, 0.98, 1, 1.01];

test("a curve that has come to rest is flat, and says how far it may still have moved", () => {
  const found = steady(slicesOf(wobble.map((factor) => 40 * factor)));
  assert.ok(found.kind === "flat", JSON.stringify(found));
  assert.ok(found.interval.low > -0.08 && found.interval.high < 0.08 && Math.abs(found.change) < 0.02);
});

test("a curve that falls is moving, with how much it fell by", () => {
  const found = steady(slicesOf([100, 95, 90, 84, 70, 66, 62, 60]));
  assert.ok(found.kind === "moving" && found.change < -0.25, JSON.stringify(found));
  assert.equal(steady(slicesOf([60, 62, 66, 70, 84, 90, 95, 100])).kind, "moving", "growing dearer is no rest either");
});

test("noise makes unknown, never flat", () => {
  const found = steady(slicesOf([40, 60, 35, 55, 58, 36, 61, 38]));
  assert.ok(found.kind === "unknown");
  assert.equal(found.lack.code, "too-noisy");
});

test("only the last half of a warm-up counts, so a fall long past is forgotten", () => {
  const fall = [112, 110, 100, 82, 80, 60];
  const rest = wobble.map((factor) => 40 * factor);
  assert.notEqual(steady(slicesOf([...fall, ...rest.slice(0, 4)])).kind, "flat");
  assert.equal(steady(slicesOf([...fall, ...rest])).kind, "flat");
});

test("a machine of half the speed gets the same answer", () => {
  for (const costs of [wobble.map((factor) => 40 * factor), [100, 95, 90, 84, 70, 66, 62, 60]]) {
    const [fast, slow] = [steady(slicesOf(costs)), steady(slicesOf(costs.map((cost) => 2 * cost)))];
    assert.equal(fast.kind, slow.kind);
    assert.ok(Math.abs(fast.change! - slow.change!) < 1e-12);
  }
});

test("with too few slices or with an empty one the answer is unknown, with the reason", () => {
  const calm = slicesOf(wobble.map((factor) => 40 * factor));
  const reasonOf = (...asked: Parameters<typeof steady>) => {
    const found = steady(...asked);
    return found.kind === "unknown" ? lossText(found.lack) : found.kind;
  };
  assert.equal(reasonOf(calm), "flat");
  assert.equal(reasonOf(calm.slice(0, 7)), "7 of 8 slices");
  assert.equal(reasonOf([...calm.slice(0, 11), { requests: 0, cpu_ns: 1e8 }]), "a slice has no request or no CPU time");
});

test("of many servers judged at once chance seldom makes one seem to move, and one that does move is seen", () => {
  const random = createRandom(12);
  // Sixteen servers under ten slices that vary by 10 %, as shares of one core do.
  const settling = (fall = 0) =>
    Array.from(
      { length: 16 },
      (_, server) =>
        slicesOf(
          Array.from(
            { length: 10 },
            (_, n) => 40 * (1 + 0.1 * normal(random)) * (server === 0 && n < 5 ? 1 + fall : 1),
          ),
        ),
    );
  const seen = (servers: Slice[][], judged: number) => servers.some((one) => steady(one, judged).kind === "moving");
  const still = shareOf(500, () => seen(settling(), 16));
  assert.ok(still < 0.22, `by chance one seems to move in ${still} of the runs`);
  assert.ok(shareOf(200, () => seen(settling(), 1)) > 0.5, "judged each by itself, one nearly always does");
  assert.ok(shareOf(200, () => seen(settling(0.6), 16)) > 0.9, "a fall by a third is seen");
  assert.equal(steady(settling()[0]!.slice(0, 8), 16).kind, "unknown", "so many need more slices");
});

test("a measured window is flat only when the whole interval of its change is inside the limit", () => {
  const over = (changes: readonly number[]) => flatnessOf(changes.map(Math.log));
  assert.equal(over([1.001, 0.999, 1.002, 0.998]).kind, "flat");
  const found = over([0.93, 0.94, 0.935, 0.931]);
  assert.ok(found.kind === "moving" && Math.abs(found.change + 0.066) < 0.002);
  assert.equal(over([1.03, 0.96, 1.04, 0.97]).kind, "unknown", "noise around zero");
  assert.equal(over([0.985, 0.984, 0.986, 0.985]).kind, "flat", "a proven change inside the limit");
  assert.equal(over([0.93, 0.94]).kind, "unknown", "too few rounds");
  assert.equal(flatnessOf([0.001, Number.NaN, -0.001, 0.002]).kind, "flat", "a round that says nothing is left out");
});
