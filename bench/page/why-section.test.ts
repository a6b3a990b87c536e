import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOfCosts, explanationOf } from "../../tests/fixtures/explained-cell.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { pageData } from "./shown-run.ts";
import { markupText } from "./html.ts";
import { makePage } from "./make-page.ts";
import { whySection } from "./why-section.ts";

const steam = cellOfCosts("steam", { app: [40, 41], kernel: [12, 12.2] }, "mill/a.js");
const water = cellOfCosts("water", { app: [4, 4.2], kernel: [14, 14.1] }, "mill/a.js");
const html = (...cells: (typeof steam)[]) => markupText(whySection([explanationOf(cells)])!);
const widths = (svg: string) => [...svg.matchAll(/<rect [^>]*?width="([\d.]+)"/g)].map(([, width]) => Number(width));

test("a page without explanations has no word of them; with one it says why right below the answer", () => {
  const data = pageData([filesOf(makeFixture({ sizes: [10_000], stores: ["map"] }))]);
  assert.doesNotMatch(makePage(data), /id="why"/);
  const page = makePage(data, [explanationOf([steam, water])]);
  assert.ok(
    page.indexOf('id="answer"') < page.indexOf('id="why"') &&
      page.indexOf('id="why"') < page.indexOf('id="table-title"'),
  );
  assert.match(page, /steam needs 34\.4 µs more a request than water: 36\.4 in the app; less: 2\.0 in the kernel\./);
});

test("bars are as wide as what they show costs, to one scale for both cells", () => {
  const [bars] = html(steam, water).split("<svg").slice(1);
  const [dear, kernel, , otherKernel] = [widths(bars!)[0]!, widths(bars!)[1]!, 0, widths(bars!).at(-2)!];
  assert.ok(Math.abs((dear + 1) / (kernel + 1) - 40.5 / 12.1) < 0.02);
  assert.ok(Math.abs((dear + 1) / (otherKernel + 1) - 40.5 / 14.05) < 0.02);
});

test("the user's functions stand with their lines, in the sentence and in the table; native calls with their callers", () => {
  const costs = [{ "app": [40, 41], "native-call": [12, 12.2] }, { "app": [4, 4.2], "native-call": [1, 1.2] }] as const;
  const text = html(cellOfCosts("steam", costs[0], "app.js", 12), cellOfCosts("water", costs[1], "app.js", 7));
  assert.match(
    text,
    /36\.4 in the app \(36\.4 in grind, app\.js:12\), 11\.0 in native calls \(11\.0 in JSON\.stringify from list, /,
  );
  assert.match(text, /<td>grind \(app\.js:12\) 36\.4<\/td>/);
  assert.match(text, /<td>JSON\.stringify from list \(app\.js:12\) 11\.0<\/td>/);
});

test("one cell has its layers and functions; what it says of itself stays text", () => {
  const hostile = `</svg><script>alert("x")</script>`;
  const text = html({
    ...steam,
    name: hostile,
    layers: steam.layers.map((layer) => ({ ...layer, functions: [{ name: hostile, file: hostile, us: 1 }] })),
  });
  assert.doesNotMatch(text, /<script/);
  assert.match(text, /the app<\/th><td>40\.5</);
});
