/** The page's section Why in a real browser: its sentence, bars and functions, who it reaches, and texts that attack. */
import assert from "node:assert/strict";
import { makePage } from "../../bench/page/make-page.ts";
import { pageData } from "../../bench/page/shown-run.ts";
import { cellOfCosts, explanationOf } from "../fixtures/explained-cell.ts";
import { makeFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults } from "./looked-at.ts";
import { browserTest, withOwnPage } from "./opened-page.ts";

const data = pageData([filesOf(makeFixture({ sizes: [10_000], stores: ["map"] }))]);
const steam = cellOfCosts("steam", { app: [40, 41], kernel: [12, 12.2] }, "mill/a.js");
const water = cellOfCosts("water", { app: [4, 4.2], kernel: [14, 14.1] }, "mill/a.js");
const page = (...cells: (typeof steam)[]) => makePage(data, [explanationOf(cells)]);
const SUMMARY = "#why details > summary";

browserTest("the sentence stands above bars that are as wide as layers cost; functions open by keyboard", async () => {
  await withOwnPage(page(steam, water), async ({ page, errors, requests }) => {
    assert.match(
      await page.innerText("#why .headline"),
      /^steam needs 34\.4 µs more a request than water: 36\.4 in the app/,
    );
    const widths = await page.$$eval(
      "#why svg:first-child rect",
      (rects) => rects.map((own) => own.getBoundingClientRect().width),
    );
    // Two layers of each cell; then each cell's function that serves and the two it calls.
    assert.equal(widths.length, 10);
    assert.ok(Math.abs(widths[0]! / widths[1]! - 40.5 / 12.1) < 0.1, widths.join());
    assert.ok(await page.locator("#why svg").first().isVisible());
    const icicle = page.locator("#why details svg").first();
    assert.equal(await icicle.isVisible(), false);
    await page.focus(SUMMARY);
    await page.keyboard.press("Enter");
    await icicle.waitFor({ state: "visible" });
    assert.equal(await icicle.locator("rect").count(), 3);
    assert.match(
      await icicle.locator("title").nth(1).innerHTML(),
      /^grind \(mill\/a\.js\): 40\.5 µs a request, the app$/,
    );
    assert.match(await page.innerText("#why tbody tr:first-child"), /^the app\s+40\.5\s+4\.1\s+\+36\.4\s/);
    assert.deepEqual([errors, requests], [[], []]);
  });
});

for (const [width, dark] of [[390, false], [768, true], [1280, false]] as const) {
  browserTest(`axe finds no serious fault in why, and nothing of it overflows: ${width} px`, async () => {
    await withOwnPage(page(steam, water), async ({ page }) => {
      await page.click(SUMMARY);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "it overflows");
      assert.deepEqual(await page.evaluate(drawingFaults), []);
      await page.evaluate(AXE);
      assert.deepEqual(await axeFaults(page, "#why"), []);
    }, { width, dark });
  });
}

browserTest("names of functions that attack stay text", async () => {
  const name = `</svg><img src=x onerror="alert(1)"><script>alert(2)</script>`;
  const hostile = { ...steam, name, tree: steam.tree.map((own) => ({ ...own, name, file: name })) };
  await withOwnPage(page(hostile), async ({ page, errors, requests }) => {
    await page.click(SUMMARY);
    assert.equal(await page.locator("#why img, #why script").count(), 0);
    assert.ok((await page.innerText("#why h4")).includes("<img src=x"));
    assert.deepEqual([errors, requests], [[], []]);
  });
});
