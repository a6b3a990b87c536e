import assert from "node:assert/strict";
import { test } from "node:test";
import { inspectRuntime } from "../../bench/host/runtimes.ts";
import type { Summary } from "../../bench/record/summary.ts";
import { runtime } from "../../tests/testing.ts";
import { calls, inputs } from "./examples.ts";
import { toldBy, winnersOf } from "./order.ts";
import { clearlyApart, heldAgainst } from "./orders.ts";

const told = (low: number, middle: number, high: number) => ({ low, middle, high });

test("functions are apart where their ranges do not meet, by half as much again and ten nanoseconds", () => {
  assert.deepEqual(clearlyApart({ a: told(90, 100, 110), b: told(160, 170, 180), c: told(165, 400, 900) }), [
    ["a", "b"],
    ["a", "c"],
  ]);
  assert.deepEqual(clearlyApart({ a: told(99, 100, 101), b: told(130, 140, 150) }), [], "less than half as much again");
  assert.deepEqual(clearlyApart({ a: told(2, 2, 2), b: told(8, 8, 8) }), [], "less than ten nanoseconds");
});

test("a pair counts where every tool is clear about it, and is told where one has another winner", () => {
  const ours = [["a", "b"], ["b", "c"], ["a", "c"]] as const;
  assert.deepEqual(heldAgainst([ours, [["a", "b"], ["c", "a"]], [["a", "b"], ["a", "c"], ["b", "c"]]]), {
    clear: 2,
    otherwise: [["a", "c"]],
  });
  assert.deepEqual(heldAgainst([ours, []]), { clear: 0, otherwise: [] });
});

test("winners are those of verdicts between calls, for each runtime", () => {
  const cell = (name: string) => ({
    name,
    cell: { point: { at: { call: name.slice(2), runtime: name.slice(0, 1) } } },
  });
  const comparisons = [{ verdict: "faster", over: "n/x", under: "n/y" }, {
    verdict: "not-separable",
    over: "n/y",
    under: "n/z",
  }];
  const summary = {
    cells: ["n/x", "n/y", "n/z"].map(cell),
    families: [{ kind: "axis", axis: "call", comparisons }, { kind: "axis", axis: "runtime", comparisons }],
  } as unknown as Summary;
  assert.deepEqual([...winnersOf(summary)], [["n", [["x", "y"]]]]);
});

test("mitata and tinybench tell times of every example, and examples give results of their own", async () => {
  const names = Object.keys(calls);
  for (const call of Object.values(calls)) assert.notEqual(call(inputs[0]!), undefined);
  const binary = await inspectRuntime(runtime.name);
  for (const peer of ["mitata", "tinybench"] as const) {
    const all = await toldBy(peer, binary, () => {});
    assert.deepEqual(Object.keys(all), names, peer);
    for (const { low, middle, high } of Object.values(all)) assert.ok(low > 0 && low <= middle && middle <= high, peer);
  }
});
