import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draw, RequestPlan, SentLoad } from "../../suites/suite.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { repeatedShare } from "../statistics/repeated-draws.ts";
import { drawnValues, equalValuesOf } from "./drawn-values.ts";

const noFile = () => 0;
const requests = (draws: Record<string, Draw>, ...mix: string[]): RequestPlan => ({
  pace: { closed: 10 },
  mix: mix.map((path) => ({ path, expect: [200] })),
  draws,
});
const load = (...sent: number[]): SentLoad => ({ load: 0, sent: [sent], connections: 10 });

test("chances of all kinds of draw sum to one", () => {
  const draws: Draw[] = [
    { kind: "uniform", below: 200_000 },
    { kind: "zipf", below: 1_000_000, exponent: 0.99 },
    { kind: "zipf", below: 50, exponent: 2 },
    { kind: "hot", below: 1_000, keys: 10, share: 0.9 },
    { kind: "hot", below: 10, keys: 10, share: 0.5 },
    { kind: "rows", file: "ids.txt" },
  ];
  for (const draw of draws) {
    const values = equalValuesOf(draw, () => 300)!;
    const sum = (of: (one: typeof values[number]) => number) => values.reduce((all, one) => all + of(one), 0);
    assert.ok(Math.abs(sum(({ count, chance }) => count * chance) - 1) < 1e-9, JSON.stringify(draw));
    assert.equal(sum(({ count }) => count), "below" in draw ? draw.below : 300);
  }
  assert.equal(equalValuesOf({ kind: "serial", from: 0 }, noFile), null);
});

test("joined ranks of a skewed draw repeat as often as the same ranks one by one", () => {
  const below = 50_000, exponent = 0.99;
  const weights = Array.from({ length: below }, (_, rank) => (rank + 1) ** -exponent);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = repeatedShare(weights.map((weight) => ({ count: 1, chance: weight / all })), 20_000, 5_000);
  const joined = repeatedShare(equalValuesOf({ kind: "zipf", below, exponent }, noFile)!, 20_000, 5_000);
  assert.ok(Math.abs(exact - joined) < 1e-3, `${exact} and ${joined}`);
});

test("draws are counted over all loads and templates of a server, the window's are its last", () => {
  const plan = requests(
    { id: { kind: "uniform", below: 10_000 }, again: { kind: "same", of: "id" } },
    "/a/{id}",
    "/b/{again}",
    "/c",
  );
  const [found, ...others] = drawnValues(plan, [load(3_000, 1_000, 500), load(1_500, 500, 2_000)], {
    windowRequests: 2_000,
    repeats: false,
    linesOf: noFile,
  });
  assert.deepEqual(others, []);
  assert.deepEqual({ ...found, repeated: 0 }, { name: "id", values: 10_000, draws: 6_000, repeated: 0 });
  // Of the last load's 4 000 requests 2 000 were in the window, half of them with a draw.
  const share = repeatedShare([{ count: 10_000, chance: 1e-4 }], 5_000, 1_000);
  assert.ok(Math.abs(found!.repeated - share) < 1e-9, `${found!.repeated} is not ${share}`);
});

test("a generator that sends its list again and again repeats values by that", () => {
  const plan = requests({ id: { kind: "uniform", below: 1e9 } }, "/{id}");
  const of = (repeats: boolean) =>
    drawnValues(plan, [load(100_000)], { windowRequests: 100_000, repeats, linesOf: noFile })[0]!.repeated;
  assert.ok(of(false) < 0.001 && Math.abs(of(true) - 0.8) < 0.001, `${of(false)} and ${of(true)}`);
});

test("nothing is drawn without draws, by serial numbers, or in a load that counts nothing", () => {
  const input = { windowRequests: 10, repeats: false, linesOf: noFile };
  assert.deepEqual(drawnValues(requests({}, "/"), [load(10)], input), []);
  assert.deepEqual(drawnValues(requests({ id: { kind: "serial", from: 0 } }, "/{id}"), [load(10)], input), []);
  const counted = requests({ id: { kind: "uniform", below: 10 } }, "/{id}");
  assert.deepEqual(drawnValues(counted, [], input), []);
  assert.deepEqual(drawnValues(counted, [{ load: 0, sent: [], connections: 1 }], input), []);
});

test("where a cache is called cold, most values were requested at most once", () => {
  const draws: Draw[] = [
    { kind: "uniform", below: 200_000 },
    { kind: "zipf", below: 100_000, exponent: 0.8 },
    { kind: "zipf", below: 1_000_000, exponent: 1.2 },
    { kind: "hot", below: 50_000, keys: 50, share: 0.5 },
  ];
  let cold = 0;
  for (const draw of draws) {
    const values = equalValuesOf(draw, noFile)!;
    for (let number = 1_000; number < 10_000_000; number *= 1.5) {
      if (repeatedShare(values, number, number / 10) >= THRESHOLDS.warmCacheShare) continue;
      cold++;
      const seldom = values.reduce(
        (sum, { count, chance }) =>
          sum + count * (1 - chance) ** (1.1 * number) * (1 + 1.1 * number * chance / (1 - chance)),
        0,
      );
      const all = values.reduce((sum, { count }) => sum + count, 0);
      assert.ok(seldom > all / 2, `${JSON.stringify(draw)}: ${seldom / all} of its values after ${number} draws`);
    }
  }
  assert.ok(cold > 20, `only ${cold} were cold`);
});
