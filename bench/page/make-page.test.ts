import assert from "node:assert/strict";
import { Script } from "node:vm";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { type FixtureAxes, makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { SINGLE_RUNS } from "../result/open-comparisons.ts";
import { pageData } from "./shown-run.ts";
import { escapeHtml, markupText } from "./html.ts";
import { linkScript } from "./link-script.ts";
import { makePage } from "./make-page.ts";
import { embed } from "./page-frame.ts";
import { mark } from "../record/mark.ts";

const SMALL: Partial<FixtureAxes> = { sizes: [10_000], stores: ["map", "sqlite"] };
const dataIn = (page: string) => /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)![1]!;

test("a page is one file: nothing in it loads anything", () => {
  const page = makePage(pageData([filesOf(makeFixture(SMALL))]));
  const markup = page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<style>[\s\S]*?<\/style>/g, "");
  assert.doesNotMatch(markup, /\b(src|srcset|href)="(?!#|data:,")/);
  assert.match(markup, /default-src &#39;none&#39;/);
  assert.doesNotMatch(page, /unsafe-inline|unsafe-eval/);
  assert.ok(page.length < 1_500_000, `${page.length} characters`);
});

test("answer, table and every chart with its figures stand in the page itself, for readers without scripts", () => {
  const page = makePage(pageData([filesOf(makeFixture(SMALL))]));
  const shown = page.replace(/<script[\s\S]*?<\/script>/g, "");
  for (const id of ["verdicts1", "rates", "latency", "cpu", "memory", "startup", "rounds"]) {
    const [, figure] = new RegExp(`<figure id="chart-${id}"(.*?)</figure>`, "s").exec(shown) ?? [];
    assert.match(figure ?? "", /<svg .*<table/s, id);
  }
  assert.match(shown, /data-cell="node\/map\/10k"/);
  assert.doesNotMatch(shown, /<noscript/);
});

test("the page holds run.json, summary.json and the cards as they are", () => {
  const files = filesOf(makeFixture(SMALL));
  const data = JSON.parse(dataIn(makePage(pageData([files]))));
  assert.deepEqual(data.runs[0].cells, JSON.parse(JSON.stringify(files.cells)));
  assert.deepEqual(data.runs[0].summary, JSON.parse(JSON.stringify(files.summary)));
  assert.deepEqual(data.runs[0].run, JSON.parse(JSON.stringify(files.run)));
});

test("text of results cannot leave the place it is put in", () => {
  const hostile = `</script><img src=x onerror="alert('1')">`;
  const files = filesOf(makeFixture(SMALL));
  const [first, ...rest] = files.cells;
  const spoilt = {
    ...first!,
    status: "invalid" as const,
    name: hostile,
    marks: [mark("socket-errors", hostile)],
    cell: { point: { ...first!.cell.point, at: { ...first!.cell.point.at, store: hostile } }, label: hostile },
  };
  const marks = [mark("interrupted", hostile)];
  const page = makePage(pageData([{
    ...files,
    run: { ...files.run, run: hostile },
    cells: [spoilt, ...rest],
    summary: { ...files.summary, marks },
  }]));
  assert.ok(!page.includes("<img"));
  assert.equal(JSON.parse(dataIn(page)).runs[0].run.run, hostile);
});

test("the page of odd names and values has them all, none as markup", () => {
  const files = filesOf(makeOddFixture());
  const page = makePage(pageData([files]));
  const markup = page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<style>[\s\S]*?<\/style>/g, "");
  assert.doesNotMatch(markup, /alert\('d'\)<|<b>/);
  const names = [...markup.matchAll(/data-cell="([^"]*)"/g)].map((match) => match[1]!);
  assert.equal(new Set(names).size, files.cells.filter(({ cell }) => cell.label === "main").length);
  for (const { title } of files.run.plan.axes.filter(({ shown }) => shown)) {
    assert.ok(markup.includes(`<legend>${escapeHtml(title)}</legend>`), title);
  }
  for (const { why } of files.summary.steps) assert.ok(markup.includes(escapeHtml(why)), why);
});

test("large data are packed, and are the same once unpacked", () => {
  const value = { text: "x</script>".repeat(60_000) };
  const packed = /data-packed="gzip base64">(.*)<\/script>$/.exec(markupText(embed("data", value)))![1]!;
  assert.deepEqual(JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()), value);
});

test("a page of two runs says what changed between them", () => {
  const page = makePage(
    pageData([filesOf(makeFixture(SMALL)), filesOf(makeFixture({ ...SMALL, run: "later", speed: 1.2 }))]),
  );
  assert.match(page, /Differences between runs/);
  // Single runs give no verdict: that is said once, and by how much each cell differs stands there all the same.
  assert.ok(page.includes(escapeHtml(SINGLE_RUNS)));
  const rows = [
    ...page.matchAll(/<td[^>]*>\+(\d+\.\d) %<\/td><\/tr>/g),
  ];
  assert.equal(rows.length, 6);
  for (const [, percent] of rows) assert.ok(Math.abs(Number(percent) - 20) < 1, String(percent));
});

test("the page's script is one that a browser can read", () => {
  const code = linkScript(fileURLToPath(new URL("app.ts", import.meta.url)));
  new Script(code);
  assert.doesNotMatch(code, /^\s*(import|export)\s/m);
});

test("a page of no run is refused", () => {
  assert.throws(() => makePage({ runs: [], comparisons: [] }), RangeError);
});
