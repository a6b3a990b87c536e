/** The page of a latency record in a real browser: its curve, its evidence, who it reaches, and texts that attack. */
import assert from "node:assert/strict";
import { latencyPage } from "../../bench/page/latency-page.ts";
import { hostileLatency, madeUpLatency, madeUpLatencyCell } from "../fixtures/made-up-latency.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults } from "./looked-at.ts";
import { browserTest, withOwnPage } from "./opened-page.ts";

const record = madeUpLatency(madeUpLatencyCell(), madeUpLatencyCell({ name: "wind", knee: null, tails: [] }));

browserTest("the curve has every point, the limit, the knee and the closed loop, and asks for nothing", async () => {
  await withOwnPage(latencyPage(record), async ({ page, errors, requests }) => {
    const points = page.locator(
      ["path", "circle"].map((kind) => `#chart-waits-0 .drawing g[fill^="var(--s"] > ${kind}`).join(),
    );
    // Three tails by two clocks, five steps that have a latency.
    assert.equal(await points.count(), 11);
    const text = await page.locator("#chart-waits-0 .drawing").innerText();
    for (const word of ["knee", "closed loop", "p99<10ms"]) assert.ok(text.includes(word), `${word}: ${text}`);
    assert.equal(await page.locator("#chart-waits-0 .legend li").count(), 5);
    assert.match(await page.locator("#chart-waits-1 .drawing").innerText(), /No point has a figure that counts/);
    assert.ok(await page.locator("#chart-rates-1 .drawing circle").count() >= 8);
    assert.deepEqual([errors, requests], [[], []]);
  });
});

browserTest("its figures open by keyboard, and a chart is copied as a drawing and as a table", async () => {
  await withOwnPage(latencyPage(record), async ({ page, errors }) => {
    const summary = page.locator("#chart-waits-0 summary");
    await summary.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#chart-waits-0 tbody tr").count(), 8);
    assert.match(
      await page.locator("#chart-waits-0 tbody tr").nth(4).innerText(),
      /step 2 \(up\)\s+9\.70k\s+99\.9 %\s+7/,
    );
    for (const [kind, told] of [["svg", /<svg[^>]*>.*knee/s], ["markdown", /\| step 2 \(up\) /]] as const) {
      await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: " +
          "{ writeText: (text) => { window.copied = text; return Promise.resolve(); } } })",
      );
      await page.locator(`#chart-waits-0 [data-copy=${kind}]`).click();
      assert.match(String(await page.evaluate("window.copied")), told);
    }
    assert.deepEqual(errors, []);
  });
});

for (const [width, dark] of [[390, false], [768, true], [1280, false]] as const) {
  browserTest(`axe finds no serious fault in it, nothing overlaps or is cut: ${width} px`, async () => {
    await withOwnPage(latencyPage(record), async ({ page }) => {
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "it overflows");
      assert.deepEqual(await page.evaluate(drawingFaults), []);
      await page.evaluate(AXE);
      assert.deepEqual(await axeFaults(page, "html"), []);
    }, { width, dark });
  });
}

browserTest("a record whose texts are attacks renders as text", async () => {
  const attack = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script>';
  const cell = madeUpLatencyCell({ name: attack, sentence: attack, contradictions: [attack] });
  const steps = cell.knee!.steps.map((step) => ({ ...step, reasons: [attack] }));
  const tails = cell.tails.map((row) => ({ ...row, name: attack, reasons: [attack] }));
  const spoilt = { ...cell, tails, knee: { ...cell.knee!, steps } };
  await withOwnPage(latencyPage(hostileLatency(attack, spoilt)), async ({ page, errors, requests }) => {
    for (const button of await page.locator(".figtools summary, [data-copy]").all()) await button.click();
    assert.equal(await page.evaluate("window.hacked"), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("script").count(), 4);
    assert.ok((await page.innerText("main")).includes("<img src=x"));
    assert.deepEqual([errors, requests], [[], []]);
  });
});
