import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Script } from "node:vm";
import { test } from "node:test";
import { type FixtureAxes, makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { SINGLE_RUNS } from "../result/open-comparisons.ts";
import { pageData } from "./shown-run.ts";
import { escapeHtml } from "./html.ts";
import { makePage } from "./make-page.ts";
import { BROWSER_FILES, browserScript } from "./page-frame.ts";

const SMALL: Partial<FixtureAxes> = { sizes: [10_000], stores: ["map", "sqlite"] };
const withoutScripts = (page: string) => page.replace(/<script[\s\S]*?<\/script>/g, "");

test("a page is one file: nothing in it loads anything", () => {
  const page = makePage(pageData([filesOf(makeFixture(SMALL))]));
  const markup = page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<style>[\s\S]*?<\/style>/g, "");
  assert.doesNotMatch(markup, /\b(src|srcset|href)="(?!#|data:,")/);
  assert.match(markup, /default-src &#39;none&#39;/);
  assert.doesNotMatch(page, /unsafe-inline|unsafe-eval/);
  assert.ok(page.length < 300_000, `${page.length} characters`);
});

test("answer, table and every chart with its figures stand in the page itself, for readers without scripts", () => {
  const page = makePage(pageData([filesOf(makeFixture(SMALL))]));
  const shown = withoutScripts(page);
  for (const id of ["verdicts1", "latency"]) {
    const [, figure] = new RegExp(`<figure id="chart-${id}"(.*?)</figure>`, "s").exec(shown) ?? [];
    assert.match(figure ?? "", /<svg .*<table/s, id);
  }
  assert.match(shown, /data-cell="node\/map\/10k"/);
  assert.doesNotMatch(shown, /<noscript/);
});

test("the evidence of each cell stands in the page, opened by a button that needs no script", () => {
  const files = filesOf(makeFixture(SMALL));
  const shown = withoutScripts(makePage(pageData([files])));
  const ranked = files.cells.filter(({ cell }) => cell.label === "main");
  assert.equal(ranked.length, 6);
  for (const { name, observations } of ranked) {
    const [, id] = new RegExp(`data-cell="${name}" popovertarget="([^"]+)"`).exec(shown) ?? [];
    const [, evidence] = new RegExp(`<div popover id="${id}"([^]*?)(?:<div popover|</article>)`).exec(shown) ?? [];
    assert.ok(evidence!.includes(`<h2>${name}</h2>`), name);
    assert.equal(evidence!.match(/<tr><th scope="row">\d+<\/th><td>ok/g)!.length, observations);
  }
});

test("a page of two runs says what changed between them", () => {
  const page = makePage(
    pageData([filesOf(makeFixture(SMALL)), filesOf(makeFixture({ ...SMALL, run: "later", speed: 1.2 }))]),
  );
  assert.match(page, /Differences between runs/);
  // Single runs give no verdict: that is said once, and by how much each cell differs stands there all the same.
  assert.ok(page.includes(escapeHtml(SINGLE_RUNS)));
  const rows = [...page.matchAll(/<td[^>]*>\+(\d+\.\d) %<\/td><\/tr>/g)];
  assert.equal(rows.length, 6);
  for (const [, percent] of rows) assert.ok(Math.abs(Number(percent) - 20) < 1, String(percent));
});

test("what runs in a browser is a few small files that import each other alone, in their order", () => {
  const folder = new URL("browser/", import.meta.url);
  assert.deepEqual(readdirSync(folder).toSorted(), BROWSER_FILES.map((name) => `${name}.ts`).toSorted());
  const lines = BROWSER_FILES.map((name, n) => {
    const text = readFileSync(new URL(`${name}.ts`, folder), "utf8");
    const imported = [...text.matchAll(/\bfrom "([^"]+)"|\bimport\(/g)].map(([, file]) => file);
    const before = BROWSER_FILES.slice(0, n).map((name) => `./${name}.ts`);
    assert.deepEqual(imported.filter((file) => !before.includes(file!)), [], name);
    return text.split("\n").length - 1;
  });
  const sum = lines.reduce((a, b) => a + b, 0);
  assert.ok(lines.length <= 10 && sum <= 1_000, `${lines.length} modules, ${sum} lines`);
});

test("the page's script is one that a browser can read, and no name stands in it twice", () => {
  const code = browserScript();
  new Script(code);
  assert.doesNotMatch(code, /^\s*(import|export)\s/m);
  const names = [...code.matchAll(/^(?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, name]) => name);
  assert.ok(names.length > 10);
  assert.deepEqual(names.filter((name, n) => names.indexOf(name) !== n), []);
});

test("a page of no run is refused", () => {
  assert.throws(() => makePage({ runs: [], comparisons: [] }), RangeError);
});
