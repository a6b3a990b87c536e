import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOfCosts } from "../../tests/fixtures/explained-cell.ts";
import { normal, shareOf } from "../../tests/fixtures/simulation.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { clearRange } from "./clear-range.ts";

/** A machine that slows down by up to a half from pass to pass, and windows that vary by themselves. */
interface Machine {
  readonly random: Random;
  readonly passes: number;
  /** Standard deviation of a window, as a share. */
  readonly noise: number;
}

const RUNS = 500;

/** The share of simulated explanations in which a cell of 20 µs and one that costs so many times that differ clearly. */
function clearShare({ random, passes, noise }: Machine, times: number): number {
  return shareOf(RUNS, () => {
    const slower = Array.from({ length: passes }, () => 1 + random() / 2);
    const cellAt = (us: number) => {
      const window = (slow: number, share: number) => us * slow * share * (1 + noise * normal(random));
      const plain = slower.map((slow) => window(slow, 1));
      const cell = cellOfCosts("steam", { app: plain });
      const made = cell.passes.map((pass, n) => ({
        ...pass,
        samples: 1_500,
        profiled: { ...pass.profiled!, user_us: window(slower[n]!, 1.1) },
      }));
      return { cell: { passes: made }, us: plain, byTicks: false };
    };
    return clearRange(cellAt(20 * times), cellAt(20)) !== null;
  });
}

test("equal cells hardly ever differ clearly, however much windows vary", () => {
  const random = createRandom(7);
  for (const noise of [0.01, 0.05, 0.2]) {
    const share = clearShare({ random, passes: 3, noise }, 1);
    assert.ok(share <= 0.01, `of three passes, ${noise}: ${share}`);
  }
});

test("a cell that costs a third more differs clearly on a machine that slows down by a half", () => {
  const random = createRandom(8);
  for (const passes of [3, 5]) {
    const share = clearShare({ random, passes, noise: 0.01 }, 1.33);
    assert.ok(share >= 0.95, `of ${passes} passes: ${share}`);
  }
});

test("a single pass shows nothing", () => {
  assert.equal(clearShare({ random: createRandom(9), passes: 1, noise: 0 }, 10), 0);
});
