import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { blockTableOf, normal } from "../../tests/fixtures/simulation.ts";
import { compareBlocks } from "./blocks.ts";
import { detectableAfter, estimateBehind } from "./power.ts";
import { judgeFamily } from "./verdict.ts";

test("the estimate behind a stored comparison follows from its figures, for tables of any size", () => {
  const seed = 2201;
  const random = createRandom(seed);
  for (const members of [2, 3, 4, 12]) {
    for (const rounds of [3, 4, 6, 14, 40]) {
      const names = [...Array(members).keys()].map(String);
      const costs = Array.from({ length: rounds }, () => names.map((_, n) => 10 + 0.05 * n + 0.03 * normal(random)));
      const table = blockTableOf(costs, names);
      const { comparisons: [one] } = judgeFamily(
        [{ over: "0", under: "1", basis: "together", marks: [], evidence: { kind: "blocks", table } }],
        { together: { kind: "agree", delta: 0.013 } },
        7,
      );
      const known = compareBlocks(table, "0", "1");
      assert.ok(known.kind === "measured" && one!.verdict !== "no-verdict");
      // Figures are published with twelve digits.
      const stored = JSON.parse(
        JSON.stringify(one),
        (_, value) => typeof value === "number" ? Number(value.toPrecision(12)) : value,
      );
      const found = estimateBehind(stored)!;
      const what = `seed ${seed}, ${members} members, ${rounds} rounds`;
      assert.deepEqual([found.n, found.degrees], [rounds, known.logRatio.degrees], what);
      assert.ok(Math.abs(found.mean - known.logRatio.mean) < 1e-9, what);
      assert.ok(Math.abs(found.error / known.logRatio.error - 1) < 1e-9, what);
    }
  }
  const medians = { rounds: 9, ratio: 1, interval: { low: 0.9, high: 1.1, level: 0.95 }, delta: 0.01 };
  assert.equal(estimateBehind({ ...medians, smallest_detectable: null }), null, "medians have none");
});

test("more rounds see less, and none see less than delta", () => {
  const seen = { n: 4, mean: 0, error: 0.02, degrees: 6 };
  const shares = [4, 8, 16, 64, 1_000].map((rounds) => detectableAfter(seen, rounds, { delta: 0.04, alpha: 0.01 }));
  assert.deepEqual(shares, shares.toSorted((a, b) => b - a));
  assert.ok(shares[0]! > 0.1 && shares.at(-1)! > 0.01 && shares.at(-1)! < 0.02, shares.join());
});
