/** Whether the page reaches everybody: at all widths, in both themes, by keyboard alone, to those who listen, on paper. */
import assert from "node:assert/strict";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { browserTest, withPage } from "./opened-page.ts";
import { AXE, drawingFaults, RUN_AXE } from "./page-faults.ts";

const files = filesOf(makeFixture());
const small = filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "sqlite"] }));
const odd = filesOf(makeOddFixture());

for (const width of [390, 768, 1280, 1600]) {
  for (const dark of [false, true]) {
    browserTest(
      `axe finds no serious fault, nothing overlaps or is cut: ${width} px, ${dark ? "dark" : "light"}`,
      async () => {
        for (const of of dark ? [files] : [files, odd]) {
          await withPage([of], async ({ page }) => {
            assert.equal(
              await page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
              true,
              "it overflows",
            );
            assert.deepEqual(await page.evaluate(drawingFaults), []);
            await page.evaluate(AXE);
            assert.deepEqual(await page.evaluate(RUN_AXE), []);
            await page.locator("#heat button[data-cell]").nth(4).click();
            assert.deepEqual(await page.evaluate(RUN_AXE), []);
          }, { width, dark });
        }
      },
    );
  }
}

browserTest("the page of two runs has no serious fault either", async () => {
  const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));
  await withPage([files, later], async ({ page }) => {
    assert.deepEqual(await page.evaluate(drawingFaults), []);
    await page.evaluate(AXE);
    assert.deepEqual(await page.evaluate(RUN_AXE), []);
  }, { width: 390 });
});

browserTest(
  "the keyboard alone reaches everything, nothing covers what has the focus, and each cell has a name of its own",
  async () => {
    await withPage([small], async ({ page, errors }) => {
      const reached: string[] = [];
      const look = () =>
        page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          if (element === document.body) return null;
          const box = element.getBoundingClientRect();
          const [x, y] = [box.left + Math.min(box.width / 2, 40), box.top + Math.min(box.height / 2, 40)];
          const there = document.elementFromPoint(x, y);
          const free = there !== null && (element.contains(there) || there.contains(element));
          return {
            name: `${element.tagName} ${element.textContent?.trim().slice(0, 60)}`,
            free,
            cell: element.dataset["cell"] ?? null,
          };
        });
      for (let stop = 0; stop < 400; stop++) {
        await page.keyboard.press("Tab");
        let seen = await look();
        // What is scrolled to is on its way for some frames.
        for (let again = 0; again < 20 && seen !== null && !seen.free; again++) {
          await page.waitForTimeout(50);
          seen = await look();
        }
        if (seen === null) break;
        assert.ok(seen.free, `covered: ${seen.name}`);
        reached.push(seen.cell ?? seen.name);
      }
      const cells = small.cells.filter(({ cell }) => cell.label === "main").map(({ name }) => name);
      assert.deepEqual(cells.filter((name) => !reached.includes(name)), []);
      assert.ok(
        reached.some((name) => name.includes("Pick your needs")) && reached.some((name) => name.includes("Copy SVG")),
      );
      const names = await page.$$eval(
        "#heat button[data-cell]",
        (buttons) => buttons.map(({ textContent }) => textContent!),
      );
      assert.ok(names.some((name) => /^node, sqlite, 1m users: /.test(name)), names.join());
      assert.equal(new Set(names.map((name) => name.split(":")[0])).size, cells.length);
      assert.deepEqual(errors, []);
    });
  },
);

browserTest("a choice is announced, evidence opens and closes by keyboard, and terms explain themselves", async () => {
  await withPage([small], async ({ page }) => {
    assert.equal(await page.locator("#told[role=status]").count(), 1);
    await page.getByLabel("node", { exact: true }).focus();
    await page.keyboard.press("Space");
    assert.match(await page.innerText("#told"), /^8 of 12 cells shown\. /);
    const help = page.locator("#verdicts-title ~ .hint .term").first();
    await help.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".termnote:popover-open").count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".termnote:popover-open").count(), 0);
  });
});

browserTest("on paper verdicts and table stand on the first two pages", async () => {
  const reference = filesOf(makeFixture({ sizes: [10_000], together: "plan" }));
  await withPage([reference], async ({ page }) => {
    await page.setViewportSize({ width: 700, height: 1_030 });
    await page.emulateMedia({ media: "print" });
    // Drawings follow a new width a moment later.
    await page.waitForTimeout(400);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const bottom = (id: string) =>
      page.evaluate((id) => document.getElementById(id)!.getBoundingClientRect().bottom + scrollY, id);
    assert.equal(await page.locator("#filters").isVisible(), false);
    assert.ok(await bottom("heat") <= 2 * 1_030, `the table ends at ${await bottom("heat")}`);
  });
});
