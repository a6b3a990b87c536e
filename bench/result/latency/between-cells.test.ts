import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../basics/random.ts";
import { latencyBetween } from "../../record/latency-schema.ts";
import { mark } from "../../record/mark.ts";
import type { PlanAxis } from "../../record/cell-schema.ts";
import { betweenCells, type RatedCell } from "./between-cells.ts";

const axisOf = (name: string, role: PlanAxis["role"]): PlanAxis => ({
  ...{ name, title: name, role, unit: null, option: name, shown: true, values: [] },
});
const PLAN = { axes: [axisOf("runtime", "contrast"), axisOf("size", "scale"), axisOf("rate", "scale")] };

/** A server whose windows at the rate of all have these p99, in milliseconds. */
const cellOf = (name: string, ...ms: readonly number[]): RatedCell => ({
  ...{ name, at: { runtime: name, size: 10, rate: "closed" }, marks: [] },
  waits: new Map([[2_000, ms.map((one) => 1_000 * one)]]),
});

const saidOf = (cells: readonly RatedCell[]) => betweenCells(PLAN, cells).flatMap(({ sentences }) => sentences);

test("a cell waits less where each of its windows does, and not where they overlap", () => {
  const [less, more] = [cellOf("bun", 1, 2, 1, 2, 1, 2), cellOf("node", 3, 4, 3, 4, 3, 5)];
  assert.deepEqual(saidOf([more, less]), [
    "at 2k/s bun waits less than node: p99 of 1 ms to 2 ms against 3 ms to 5 ms",
  ]);
  const [open] = saidOf([less, cellOf("node", 2, 4, 3, 4, 3, 5)]);
  assert.equal(open, "no difference found at 2k/s between bun and node: their windows overlap");
});

test("one window, or two, carry no verdict however far apart", () => {
  assert.match(
    saidOf([cellOf("bun", 1), cellOf("node", 90)])[0]!,
    /no difference .*: 1 window of one is too few/,
  );
  assert.match(saidOf([cellOf("bun", 1, 1), cellOf("node", 90, 91)])[0]!, /2 windows of one are too few/);
});

test("cells at rates of their own, or that contradict themselves, are not compared", () => {
  const withoutWaits = { ...cellOf("bun"), waits: new Map() };
  assert.match(
    saidOf([withoutWaits, withoutWaits])[0]!,
    /^cells are not compared: each was given rates of its own; --rate N/,
  );
  const six = cellOf("bun", 1, 1, 1, 1, 1, 1);
  const moved = { ...cellOf("node", 9, 9, 9, 9, 9, 9), marks: [mark("rates-contradict", "its rate moved")] };
  assert.match(saidOf([six, moved])[0]!, /^cells are not compared: fewer than two/);
  assert.deepEqual(saidOf([six]), []);
});

test("cells are compared under the conditions they share, and at each rate, by one error rate of all", () => {
  const small = [cellOf("bun", 1, 1, 1, 1), cellOf("node", 2, 2, 2, 2)];
  const large = small.map((cell) => ({ ...cell, name: `${cell.name}-1m`, at: { ...cell.at, size: 1e6 } }));
  assert.match(saidOf(small)[0]!, /bun waits less than node/);
  const [first, second, ...others] = betweenCells(PLAN, [...small, ...large]);
  assert.deepEqual(others, []);
  assert.deepEqual([first, second].map((one) => one!.pairs.map(({ less, more }) => `${less.cell} ${more.cell}`)), [
    ["bun node"],
    ["bun-1m node-1m"],
  ]);
  // Two pairs at an error rate of 2 in 70 each are too many for one of twenty.
  assert.deepEqual([first, second].map((one) => one!.pairs[0]!.says), ["no-difference", "no-difference"]);
  const unlike = [small[0]!, large[1]!];
  assert.match(saidOf(unlike)[0]!, /bun waits less than node-1m/);
  const twice = small.map((cell) => ({
    ...cell,
    waits: new Map([[1_000, [...cell.waits.get(2_000)!]], ...cell.waits]),
  }));
  assert.deepEqual(betweenCells(PLAN, twice).map(({ per_second }) => per_second), [1_000, 2_000]);
});

test("cells that do not differ are told apart in fewer than one of twenty runs, also of many", () => {
  const random = createRandom(20_261_126);
  const RUNS = 2_000;
  for (const count of [2, 4]) {
    let wrong = 0;
    for (let run = 0; run < RUNS; run++) {
      const cells = Array.from(
        { length: count },
        (_, n) => cellOf(`c${n}`, ...Array.from({ length: 4 }, () => 1 + random())),
      );
      if (saidOf(cells).some((text) => text.includes("waits less"))) wrong++;
    }
    assert.ok(wrong / RUNS < 0.05, `${count} cells: ${wrong}`);
    if (count === 2) assert.ok(wrong > 0, "four windows against four are enough");
  }
});

test("each sentence has the windows that carry it beside it, of each pair", () => {
  const random = createRandom(7);
  const seen = new Set<string>();
  for (let run = 0; run < 500; run++) {
    const cells = Array.from({ length: 2 + run % 4 }, (_, n) => {
      const low = 1 + Math.floor(4 * random());
      return cellOf(`c${n}`, ...Array.from({ length: Math.floor(8 * random()) }, () => low + random()));
    });
    const [between] = betweenCells(PLAN, cells);
    const { per_second, none, pairs, sentences } = latencyBetween.parse(between);
    const windowsOf = ({ waits }: RatedCell) => waits.get(2_000)!;
    const sound = cells.filter((cell) => windowsOf(cell).length > 0).length;
    assert.equal(2 * pairs.length, Math.max(0, sound * (sound - 1)));
    assert.deepEqual([per_second, none === null], pairs.length === 0 ? [null, false] : [2_000, true]);
    for (const { says, less, more, chance } of pairs) {
      for (const side of [less, more]) {
        const windows = windowsOf(cells.find(({ name }) => name === side.cell)!);
        assert.deepEqual([side.windows, side.p99_least_us, side.p99_most_us], [
          windows.length,
          Math.min(...windows),
          Math.max(...windows),
        ]);
      }
      const said = sentences.filter((text) => text.startsWith(`at 2k/s ${less.cell} waits less than ${more.cell}: `));
      assert.equal(said.length, says === "waits-less" ? 1 : 0);
      assert.equal(chance === null, less.p99_most_us >= more.p99_least_us);
      assert.equal(says === "waits-less", chance !== null && chance <= 0.05);
      seen.add(says);
    }
    const proven = pairs.filter(({ says }) => says === "waits-less").length;
    assert.equal(sentences.length, proven + (none !== null || proven < pairs.length ? 1 : 0));
    if (none !== null) seen.add("none");
  }
  assert.equal(seen.size, 3);
});
