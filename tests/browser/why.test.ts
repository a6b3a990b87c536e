/** The page's section Why in a real browser: its sentence, bars and functions, who it reaches, and texts that attack. */
import assert from "node:assert/strict";
import { makePage } from "../../bench/page/make-page.ts";
import { pageData } from "../../bench/page/shown-run.ts";
import { cellOfCosts, explanationOf } from "../fixtures/explained-cell.ts";
import { makeFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults } from "./looked-at.ts";
import { pageTest } from "./opened-page.ts";

const data = pageData([filesOf(makeFixture({ sizes: [10_000], stores: ["map"] }))]);
const steam = cellOfCosts("steam", { app: [40, 41], kernel: [12, 12.2] }, "mill/a.js");
const water = cellOfCosts("water", { app: [4, 4.2], kernel: [14, 14.1] }, "mill/a.js");
const page = (...cells: (typeof steam)[]) => makePage(data, [explanationOf(cells)]);
const SUMMARY = "#why details > summary";

pageTest("bars are as wide as layers cost; functions open by keyboard", page(steam, water), async ({ page }) => {
  assert.match(
    await page.innerText("#why .headline"),
    /^steam needs 34\.4 µs more a request than water: 36\.4 in the app/,
  );
  const widths = await page.$$eval(
    "#why svg:first-child rect",
    (rects) => rects.map((own) => own.getBoundingClientRect().width),
  );
  assert.equal(widths.length, 4, "two layers of each cell");
  assert.ok(Math.abs(widths[0]! / widths[1]! - 40.5 / 12.1) < 0.1, widths.join());
  assert.ok(await page.locator("#why svg").first().isVisible());
  const table = page.locator("#why details table");
  assert.equal(await table.isVisible(), false);
  await page.focus(SUMMARY);
  await page.keyboard.press("Enter");
  await table.waitFor({ state: "visible" });
  assert.match(await page.innerText("#why tbody tr:first-child"), /^the app\s+40\.5\s+4\.1\s+\+36\.4\s/);
});

for (const [width, dark] of [[390, false], [768, true], [1280, false]] as const) {
  const look = { of: page(steam, water), width, dark };
  pageTest(`axe finds no serious fault in it, nothing overflows: ${width} px`, look, async ({ page }) => {
    await page.click(SUMMARY);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "it overflows");
    assert.deepEqual(await page.evaluate(drawingFaults), []);
    await page.evaluate(AXE);
    assert.deepEqual(await axeFaults(page, "#why"), []);
  });
}
