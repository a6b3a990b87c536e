import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOfCosts as cellOf, type Costs } from "../../tests/fixtures/explained-cell.ts";
import { type ExplainedCell, explainedDifference } from "../record/explanation-schema.ts";
import { mark } from "../record/mark.ts";
import { explainedBetween } from "./explained-between.ts";

const between = (a: ExplainedCell, b: ExplainedCell) => explainedDifference.parse(explainedBetween(a, b));

test("the dearer cell is told first, and only layers that differ by more than passes of one cell do", () => {
  const steam = cellOf("steam", { "app": [10, 10.4], "adapter": [5, 5.1], "kernel": [3, 4], "driver": [1, 1.02] });
  const water = cellOf("water", { "app": [4, 4.2], "adapter": [5.05, 5], "kernel": [3, 3.2], "driver": [2, 2.1] });
  for (const told of [between(steam, water), between(water, steam)]) {
    assert.deepEqual([told.over, told.under], ["steam", "water"]);
    assert.deepEqual(told.layers.filter(({ differs }) => differs).map(({ layer }) => layer), ["app", "driver"]);
    assert.equal(
      told.sentence,
      "steam needs 5.5 µs more a request than water: 6.1 in the app; less: 1.1 in the driver.",
    );
  }
});

test("cells that differ by no more than their passes are not called different", () => {
  const told = between(cellOf("steam", { app: [4, 6] }), cellOf("water", { app: [4.5, 5] }));
  assert.equal(told.sentence, "No difference of a request was found between steam and water.");
  assert.deepEqual(told.layers.map(({ differs }) => differs), [false]);
  const inLayers = between(
    cellOf("steam", { app: [4, 4], kernel: [6, 9] }),
    cellOf("water", { app: [2, 2], kernel: [8, 6] }),
  );
  assert.match(
    inLayers.sentence,
    /^No difference .* and water, but layers of steam need more: 2\.0 in the app \(µs\)\.$/,
  );
});

test("sum, layers and difference are those that are shown, though samples stand for more than the CPU time used", () => {
  const steam = cellOf("steam", { app: [10.26, 10.26], adapter: [5.13, 5.13], kernel: [3.04, 3.04] });
  const water = cellOf("water", { app: [4.04, 4.04], adapter: [2.05, 2.05], kernel: [3.01, 3.01] });
  const layers = steam.layers.map((layer) => ({ ...layer, us: layer.us.map((us) => 1.099 * us) }));
  const told = between({ ...steam, layers }, water);
  assert.equal(told.us, 9.3, "18.4 less 9.1");
  const all = told.layers.reduce((sum, { us }) => sum + us, 0);
  assert.ok(Math.abs(all - told.us) < 1e-9, `${all}`);
  assert.match(told.sentence, /^steam needs 9\.3 µs more a request than water: 6\.\d in the app, 3\.\d in the adapter/);
});

test("of passes that others voided nothing is told, and what weakens passes stands in the sentence", () => {
  const [steam, water] = [cellOf("steam", { app: [9, 9.1] }), cellOf("water", { app: [1, 1.1] })];
  const others = mark("contended", "others used 55 % of the servers' cores");
  const voided = between({ ...steam, marks: [others] }, { ...water, marks: [others] });
  assert.equal(
    voided.sentence,
    "Not explained: steam and water: others used 55 % of the servers' cores. Repeat it when the machine is quiet.",
  );
  assert.ok(voided.layers.every(({ differs }) => !differs));
  const weak = between({ ...steam, marks: [mark("few-samples", "a pass has 9 samples")] }, water);
  assert.match(weak.sentence, / than water: 8\.0 in the app\. Told roughly: steam: a pass has 9 samples\.$/);
});

test("a single pass tells no difference", () => {
  const told = between(cellOf("steam", { app: [9] }), cellOf("water", { app: [1] }));
  assert.deepEqual(told.layers.map(({ differs }) => differs), [false]);
  assert.match(told.sentence, /in a single pass, which says nothing of noise\.$/);
});

test("a layer is told by the package that most of it is in; an app's folder is none", () => {
  const costs: Costs = { framework: [9, 9.04], app: [8, 8.04] };
  const cheap: Costs = { framework: [1, 1.04], app: [2, 2.04] };
  const told = between(
    cellOf("steam", costs, "@mill/wheel/dist/a.js"),
    cellOf("water", cheap, "@mill/wheel/dist/a.js"),
  );
  assert.match(told.sentence, /: 8\.0 in @mill\/wheel, 6\.0 in the app\.$/);
});

test("without a profile nothing is told", () => {
  const cell = cellOf("steam", { app: [1, 2] });
  assert.equal(explainedBetween({ ...cell, layers: [] }, cell), null);
});

test("a difference that each pass shows is reported with its range, though passes of a cell vary by more", () => {
  const between3 = (a: readonly number[], b: readonly number[]) =>
    between(cellOf("steam", { app: a }), cellOf("water", { app: b }));
  // The machine slows down from pass to pass, and slows both.
  const slowing = between3([40, 60, 90], [20, 30, 45]);
  assert.equal(
    slowing.sentence,
    "steam needs 31.6 µs more a request than water (20.0 to 45.0 by pass): 31.6 (20.0 to 45.0 by pass) in the app.",
  );
  assert.deepEqual([slowing.range_us, slowing.layers[0]!.range_us], [[20, 45], [20, 45]]);
  assert.ok(slowing.noise_us > slowing.us, "passes vary by more");
  // The range is not said where passes hardly vary.
  assert.equal(between3([40, 41], [20, 20.5]).range_us, undefined);
  // The same mean difference, once of another sign, and once within the error of a pass.
  for (const apart of [between3([40, 60, 40], [20, 30, 45]), between3([21, 60, 90], [20, 30, 45])]) {
    assert.equal(apart.range_us, undefined);
    assert.match(apart.sentence, /^No difference /);
  }
});

test("a pass whose two windows disagree shows nothing, nor do too few samples", () => {
  const [steam, water] = [cellOf("steam", { app: [40, 60, 90] }), cellOf("water", { app: [20, 30, 45] })];
  const passes = steam.passes.map((pass, n) =>
    n === 0 ? { ...pass, profiled: { ...pass.plain, user_us: 3 * pass.plain.user_us } } : pass
  );
  assert.equal(between({ ...steam, passes }, water).range_us, undefined);
  const few = steam.passes.map((pass) => ({ ...pass, samples: 4 }));
  assert.equal(between({ ...steam, passes: few }, water).range_us, undefined);
});

test("what the kernel's ticks separate has their error: a clear part of the app may be none of the kernel", () => {
  const rows = { dear: [8, 12, 18], cheap: [2, 3, 4.5] } as const;
  const layersOf = (layer: "kernel" | "driver") =>
    between(
      cellOf("steam", { app: [50, 75, 112], [layer]: rows.dear }),
      cellOf("water", { app: [50, 75, 112], [layer]: rows.cheap }),
    ).layers.find((each) => each.layer === layer)!;
  assert.equal(layersOf("kernel").differs, false);
  assert.equal(layersOf("driver").differs, true);
});

test("the user's function that differs most is named with its line, that of a native call with the call", () => {
  const steam = cellOf("steam", { "app": [8, 8.2], "native-call": [9, 9.2], "kernel": [5, 5.2] }, "app.js", 12);
  const water = cellOf("water", { "app": [2, 2.2], "native-call": [1, 1.2], "kernel": [4, 4.2] }, "app.js", 7);
  assert.equal(
    between(steam, water).sentence,
    "steam needs 15.0 µs more a request than water: 8.0 in native calls (8.0 in JSON.stringify from list, app.js:12), " +
      "6.0 in the app (6.0 in grind, app.js:12), 1.0 in the kernel.",
  );
  // It is named though other layers differ by more.
  const costs = { kernel: [9, 9.2], runtime: [8, 8.2], driver: [7, 7.2], adapter: [6, 6.2], app: [5, 5.2] };
  const none = { kernel: [1, 1.2], runtime: [1, 1.2], driver: [1, 1.2], adapter: [1, 1.2], app: [1, 1.2] };
  assert.match(
    between(cellOf("steam", costs, "app.js", 12), cellOf("water", none, "app.js", 7)).sentence,
    /: 8\.0 in the kernel, 7\.0 in the runtime's other code, 4\.0 in the app \(4\.0 in grind, app\.js:12\), 11\.0 in others\.$/,
  );
  // A function that is dearer in the other cell has its line there.
  const idle = cellOf("idle", { kernel: [20, 20.2] });
  assert.match(between(idle, water).sentence, /; less: 2\.1 in the app \(2\.1 in grind, app\.js:7\)/);
});

test("a native call whose caller each runtime names differently is one; a new caller of a revision stands alone", () => {
  const calls = (name: string, ...callers: (readonly [caller: string, us: number])[]) => {
    const us = callers.reduce((sum, [, each]) => sum + each, 0);
    const cell = cellOf(name, { "native-call": [us, us + 0.2] }, "app.js", 12);
    const functions = callers.map(([caller, us]) => ({ ...cell.layers[0]!.functions[0]!, caller, us }));
    return { ...cell, layers: [{ ...cell.layers[0]!, functions }] };
  };
  const grownOf = (...cells: readonly [ExplainedCell, ExplainedCell]) =>
    between(...cells).layers[0]!.functions.map(({ caller, us }) => [caller, Math.round(us)]);
  assert.deepEqual(grownOf(calls("steam", ["list", 7]), calls("water", ["(anonymous)", 4])), [["list", 3]]);
  assert.deepEqual(grownOf(calls("steam", ["list", 7], ["detail", 5]), calls("water", ["list", 7])), [["detail", 5]]);
});
