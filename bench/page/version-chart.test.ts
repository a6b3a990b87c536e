import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { htmlOf } from "./drawn.ts";
import { markupText } from "./html.ts";
import { pageData } from "./shown-run.ts";
import { versionCharts } from "./version-chart.ts";

/** A made-up run as if its three runtimes were versions of one. */
function ofVersions() {
  const made = makeFixture({ sizes: [10_000], stores: ["map"], together: "all" });
  const runtimes = made.run.runtimes.map((one, n) => ({ ...one, name: "bun", version: `1.${10 - n}.0` }));
  return pageData([filesOf({ ...made, run: { ...made.run, runtimes } })]).runs[0]!;
}

test("versions are drawn in their order with an interval for each but the oldest", () => {
  const shown = ofVersions();
  const [chart, ...others] = versionCharts(shown);
  assert.deepEqual(others, []);
  assert.equal(chart!.title, "Versions of bun at map, 10k users: speed, bun = 1");
  const { rows } = chart!.table();
  assert.deepEqual(rows.map(([label]) => label), ["bun", "deno", "node"]);
  const drawing = markupText(htmlOf(chart!.draw(800)!));
  assert.equal(drawing.match(/<circle/g)?.length, 3);
  const [, intervals] = /<g stroke="var\(--ink\)" stroke-width="2"[^>]*>(.*?)<\/g>/s.exec(drawing)!;
  assert.equal(intervals!.match(/<line/g)?.length, 2);
});
