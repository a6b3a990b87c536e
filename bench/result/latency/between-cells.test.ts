import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLatencyCell } from "../../../tests/fixtures/made-up-latency.ts";
import { createRandom } from "../../basics/random.ts";
import { latencyBetween } from "../../record/latency-between.ts";
import { betweenCells } from "./between-cells.ts";

/** A cell whose windows at the common rate have these p99, in milliseconds. */
function cellOf(name: string, ...ms: readonly number[]) {
  const [row] = madeUpLatencyCell().tails;
  const sorted = ms.map((one) => 1_000 * one).sort((a, b) => a - b);
  const common = {
    ...row!,
    name: "common",
    offered_per_second: 2_000,
    sound: ms.length,
    p99_us: sorted[sorted.length >> 1] ?? null,
    p99_least_us: sorted[0] ?? null,
    p99_most_us: sorted.at(-1) ?? null,
  };
  return madeUpLatencyCell({ name, tails: [common] });
}

const saidOf = (cells: Parameters<typeof betweenCells>[0]) => betweenCells(cells)?.sentences ?? [];

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
  const own = madeUpLatencyCell();
  assert.match(saidOf([own, own])[0]!, /^cells are not compared: each was given rates of its own; --rate N/);
  const six = cellOf("bun", 1, 1, 1, 1, 1, 1);
  const against = { ...cellOf("node", 9, 9, 9, 9, 9, 9), contradictions: ["its rate moved"] };
  assert.match(saidOf([six, against])[0]!, /^cells are not compared: fewer than two/);
  assert.deepEqual(saidOf([six]), []);
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
    const { per_second, none, pairs, sentences } = latencyBetween.parse(betweenCells(cells));
    const sound = cells.filter(({ tails }) => tails[0]!.sound > 0).length;
    assert.equal(2 * pairs.length, Math.max(0, sound * (sound - 1)));
    assert.deepEqual([per_second, none === null], pairs.length === 0 ? [null, false] : [2_000, true]);
    for (const { says, less, more, chance } of pairs) {
      for (const side of [less, more]) {
        const [row] = cells.find(({ name }) => name === side.cell)!.tails;
        assert.deepEqual([side.windows, side.p99_least_us, side.p99_most_us], [
          row!.sound,
          row!.p99_least_us,
          row!.p99_most_us,
        ]);
      }
      const own = sentences.filter((text) => text.startsWith(`at 2k/s ${less.cell} waits less than ${more.cell}: `));
      assert.equal(own.length, says === "waits-less" ? 1 : 0);
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
