import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { type EqualValues, expectedDistinct, repeatedShare } from "./repeated-draws.ts";

/** The sum of values over a list. */
const total = (values: readonly EqualValues[]) => values.reduce((sum, { count }) => sum + count, 0);

/** Draws values one by one, and counts. */
function drawn(values: readonly EqualValues[], before: number, during: number, seed: number) {
  const random = createRandom(seed);
  const one = () => {
    let left = random(), first = 0;
    for (const { count, chance } of values) {
      if (left < count * chance) return first + Math.floor(left / chance);
      left -= count * chance;
      first += count;
    }
    return total(values) - 1;
  };
  const seen = new Set<number>();
  for (let n = 0; n < before; n++) seen.add(one());
  let repeated = 0;
  for (let n = 0; n < during; n++) {
    const value = one();
    if (seen.has(value)) repeated++;
    seen.add(value);
  }
  return { distinct: seen.size, repeated: repeated / during };
}

test("expected numbers of distinct and repeated draws are those of drawing one by one", () => {
  const cases: [values: readonly EqualValues[], before: number, during: number][] = [
    [[{ count: 20_000, chance: 1 / 20_000 }], 1_000, 1_000],
    [[{ count: 5_000, chance: 1 / 5_000 }], 10_000, 2_000],
    [[{ count: 10, chance: 0.05 }, { count: 9_990, chance: 0.5 / 9_990 }], 3_000, 3_000],
    [[{ count: 1, chance: 1 }], 3, 5],
  ];
  for (const [n, [values, before, during]] of cases.entries()) {
    const found = drawn(values, before, during, 1 + n);
    const expected = expectedDistinct(values, before + during);
    assert.ok(Math.abs(found.distinct - expected) <= 0.03 * expected, `${n}: ${found.distinct} of ${expected}`);
    const share = repeatedShare(values, before, during);
    assert.ok(Math.abs(found.repeated - share) < 0.04, `${n}: ${found.repeated} of ${share}`);
  }
});

test("a billion values that are drawn a few times have no digits lost", () => {
  const values = [{ count: 2 ** 32, chance: 2 ** -32 }];
  assert.ok(Math.abs(expectedDistinct(values, 1_000) - 1_000) < 1e-3);
  const share = repeatedShare(values, 1_000, 1_000);
  assert.ok(share > 0 && share < 1e-6, String(share));
});
