import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOfCosts } from "../../tests/fixtures/explained-cell.ts";
import { mark } from "../record/mark.ts";
import { explainedBetween } from "../why/explained-between.ts";
import { widthOf } from "./align.ts";
import { explanationText } from "./explanation-text.ts";
import { styleFor } from "./style.ts";

const style = styleFor(false, {});
const steam = cellOfCosts(
  "steam",
  { app: [40, 41], framework: [9, 9.1], kernel: [12, 12.2], driver: [0.3, 0.3] },
  "mill/a.js",
);
const water = cellOfCosts("water", { app: [4, 4.2], framework: [8.9, 9.1], kernel: [14, 14.2] }, "mill/a.js");
const text = (columns: number, cells = [steam, water]) =>
  explanationText({
    generator: "wrk",
    cells,
    difference: cells.length < 2 ? null : explainedBetween(cells[0]!, cells[1]!),
  }, {
    style,
    columns,
  });

test("the sentence comes first, then the layers that differ with their functions, the largest first, then each cell", () => {
  const lines = text(80).split("\n").filter((line) => line !== "");
  assert.equal(lines[0], "steam needs 34.8 µs more a request than water: 36.4 in the app, 0.30 in mill;");
  const rows = lines.slice(2).map((line) => line.replaceAll(/( {2,}|█)+/g, "|"));
  assert.deepEqual(rows.slice(0, 8), [
    "steam beside water, µs a request:",
    "|the app|+36.4|",
    "|grind mill/a.js|+36.4",
    "|the kernel|−2.0|",
    "|the driver|+0.30",
    "|grind mill/a.js|+0.30",
    "|no more apart than passes of the same cell: the framework",
    "steam: 62.0 µs of CPU time a request",
  ]);
});

test("a bar is as long as its figure is large", () => {
  const bars = text(80, [steam]).split("\n").filter((line) => line.includes("%  █")).map((line) =>
    line.match(/█+/)![0].length
  );
  assert.deepEqual(bars, bars.toSorted((a, b) => b - a));
  assert.ok(Math.abs(bars[0]! / bars[1]! - 40.5 / 12.1) < 0.2, bars.join());
});

test("no line is wider than the terminal, and names that are hostile move no cursor", () => {
  const name = `${"very-".repeat(40)}\u001b[2Jlong\nname`;
  const hostile = { ...steam, name, marks: [mark("few-samples", `a pass has ${name} samples`)] };
  const named = hostile.layers.map((layer) => ({ ...layer, functions: [{ name, file: name, us: layer.us[0]! }] }));
  for (const columns of [40, 80, 200, Infinity]) {
    const lines = text(columns, [{ ...hostile, layers: named }, water]).split("\n");
    const bars = lines.filter((line) => line.includes("█"));
    assert.ok(bars.length > 4);
    assert.deepEqual(bars.filter((line) => widthOf(line) > Math.min(columns, 100)), []);
    assert.ok(!lines.some((line) => line.includes("\u001b")));
  }
  for (const line of text(60).split("\n")) assert.ok(widthOf(line) <= 60, line);
});

test("where functions are called no call is told as a request, and names stay as they are", () => {
  const request = cellOfCosts("request", { app: [40, 41] });
  const text = (generator: string) =>
    explanationText(
      { cells: [request, water], difference: explainedBetween(request, water, { generator }), generator },
      { style, columns: 80 },
    );
  assert.match(
    text("in-process"),
    /^request needs 13\.3 µs more a call than water.*^request: 40\.5 µs of CPU time a call$/ms,
  );
  assert.doesNotMatch(text("in-process"), /a request/);
  assert.match(text("wrk"), /^request: 40\.5 µs of CPU time a request$/m);
});
