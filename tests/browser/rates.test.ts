/** The page of a run along rates in a real browser: its curve, its evidence, who it reaches, and texts that attack. */
import assert from "node:assert/strict";
import { makePage } from "../../bench/page/make-page.ts";
import { pageData } from "../../bench/page/shown-run.ts";
import { makeRateRun, type RateRunOptions } from "../fixtures/rate-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults } from "./looked-at.ts";
import { pageTest } from "./opened-page.ts";

const pageOf = (change: Partial<RateRunOptions> = {}) => makePage(pageData([filesOf(makeRateRun(change))]));
const page2 = pageOf({ runtimes: ["bun", "node"] });

pageTest("the curve has every point, the limit, the knee and the closed loop", page2, async ({ page }) => {
  const points = page.locator(
    ["path", "circle"].map((kind) => `#chart-waits-0 .on-wide g[fill^="var(--s"] > ${kind}`).join(),
  );
  // Three rates by two clocks, and the steps of the search.
  assert.equal(await points.count(), 6 + await page.locator("#chart-waits-0 tbody tr").count() - 3);
  const text = await page.locator("#chart-waits-0 .on-wide").innerText();
  for (const word of ["knee", "closed loop", "p99<10ms"]) assert.ok(text.includes(word), `${word}: ${text}`);
  assert.equal(await page.locator("#chart-waits-0 .legend li").count(), 4);
  assert.ok(await page.locator("#chart-waits-1 .on-wide circle").count() >= 2);
});

pageTest("its figures open by keyboard, and a chart is copied as a drawing and as a table", page2, async ({ page }) => {
  const summary = page.locator("#chart-waits-0 summary");
  await summary.focus();
  await page.keyboard.press("Enter");
  assert.match(
    await page.locator("#chart-waits-0 tbody tr").nth(6).innerText(),
    /step 4 \(up\)\s+9\.\d+k\s+100\.0 %\s+0/,
  );
  for (const [kind, told] of [["svg", /<svg[^>]*>.*knee/s]] as const) {
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: " +
        "{ writeText: (text) => { window.copied = text; return Promise.resolve(); } } })",
    );
    await page.locator(`#chart-waits-0 [data-copy=${kind}]`).click();
    assert.match(String(await page.evaluate("window.copied")), told);
  }
});

for (const [width, dark] of [[390, false], [768, true], [1280, false]] as const) {
  const look = { of: page2, width, dark };
  pageTest(`axe finds no serious fault in it, nothing overlaps or is cut: ${width} px`, look, async ({ page }) => {
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "it overflows");
    assert.deepEqual(await page.evaluate(drawingFaults), []);
    await page.evaluate(AXE);
    assert.deepEqual(await axeFaults(page, "html"), []);
  });
}
