import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { cellKey } from "../record/cell.ts";
import { loadedSchema } from "../record/load-record.ts";
import { sortLines } from "./lines.ts";

test("the server that was still moving is the one with that place in the record, in every round", () => {
  const { lines } = makePlausible({
    runtimes: ["node", "bun"],
    stores: ["map"],
    sizes: [10_000],
    rounds: 3,
    together: "plan",
  });
  const several = lines.filter(({ kind }) => kind === "ensemble");
  assert.ok(several.some(({ order }) => order[0] !== 0), "none of the rounds turns its members");
  for (const line of several) {
    for (const [place, { cell }] of line.members.entries()) {
      const warmup = { ...line.warmup!, steadiness: line.members.map((_, n) => n === place ? "moving" : "flat") };
      const [together] = sortLines([{ ...line, warmup: warmup as typeof line.warmup }]).together;
      assert.deepEqual([...together!.moving], [cellKey(cell)], `place ${place} of round ${line.round}`);
    }
  }
});

test("all that was recorded of a load alone is there where a cell is judged", () => {
  const { lines } = makePlausible({ runtimes: ["node"], stores: ["map"], sizes: [10_000], rounds: 1 });
  const line = lines.find(({ kind }) => kind === "solo")!;
  const more = { workers: { by: "cluster", requests: 0, cpu_ns: 0, each: [] }, services: [[]], beside: [null] };
  const [[solo]] = [...sortLines([{ ...line, ...more } as unknown as typeof line]).solo.values()] as [[object]];
  const recorded = Object.keys(loadedSchema.shape).filter((key) => key in line || key in more);
  assert.deepEqual(recorded.filter((key) => !(key in solo)), []);
  assert.ok(recorded.includes("load") && recorded.includes("workers"), recorded.join());
});
