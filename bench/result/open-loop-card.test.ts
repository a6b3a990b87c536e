import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { quantileOver } from "./open-loop-card.ts";

test("six windows give the median an interval with its exact confidence, five only their least and most", () => {
  const six = [5, 1, 4, 2, 6, 3].map((ms) => 1_000 * ms);
  assert.deepEqual(quantileOver(six), { us: 3_500, low_us: 1_000, high_us: 6_000, coverage: 0.96875 });
  assert.deepEqual(quantileOver(six.slice(0, 5)), { us: 4_000, low_us: 1_000, high_us: 6_000, coverage: null });
  assert.equal(quantileOver([]), null);
});

test("intervals of waits hold the true median as often as they say, also where one window in eight is ten times the others", () => {
  const random = createRandom(20_261_122);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = () => 1_000 * Math.exp(0.4 * normal()) * (random() < 1 / 8 ? 10 : 1);
  const truth = Array.from({ length: 40_001 }, draw).sort((a, b) => a - b)[20_000]!;
  for (const n of [6, 9, 12, 20]) {
    const REPEATED = 3_000;
    let held = 0, coverage = 0;
    for (let k = 0; k < REPEATED; k++) {
      const values = Array.from({ length: n }, draw);
      const interval = quantileOver(values)!;
      coverage = interval.coverage!;
      if (interval.low_us <= truth && truth <= interval.high_us) held++;
    }
    const error = 3 * Math.sqrt(coverage * (1 - coverage) / REPEATED);
    assert.ok(coverage >= 0.95 && Math.abs(held / REPEATED - coverage) < error + 0.004, `${n}: ${held / REPEATED}`);
  }
});
