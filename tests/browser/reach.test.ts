/** Whether the page reaches everybody: at all widths, in both themes, by keyboard alone, to those who listen, on paper. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults, textFaults } from "./looked-at.ts";
import { browserTest, lookAt, withPage } from "./opened-page.ts";

const files = filesOf(makeFixture());
const small = filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "sqlite"] }));
const odd = filesOf(makeOddFixture());
const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));

const VIEWS = [390, 768, 1280, 1600].flatMap((width) => [false, true].map((dark) => ({ width, dark })));

/** Pages, and in which views axe looks at them too: colours of all are those of the first. */
const PAGES = [
  { what: "of a run", runs: [files], axe: () => true },
  { what: "of odd names", runs: [odd], axe: ({ dark }: typeof VIEWS[number]) => !dark },
  { what: "of two runs", runs: [files, later], axe: ({ width, dark }: typeof VIEWS[number]) => width === 390 && !dark },
] as const;

for (const { what, runs, axe } of PAGES) {
  browserTest(
    `a page ${what}: nothing overlaps, is cut or faint, and axe finds no serious fault, at all widths, light and dark`,
    async () => {
      await withPage(runs, async ({ page }) => {
        await page.evaluate(AXE);
        for (const view of VIEWS) {
          await lookAt(page, view);
          const at = `${view.width} px, ${view.dark ? "dark" : "light"}`;
          assert.deepEqual(await page.evaluate(drawingFaults), [], at);
          assert.deepEqual(await page.evaluate(textFaults, "body"), [], at);
          if (axe(view)) assert.deepEqual(await axeFaults(page, "html"), [], at);
          await page.locator("#heat button[data-cell]").nth(4).click();
          assert.deepEqual(await page.evaluate(drawingFaults), [], `${at}, evidence`);
          assert.deepEqual(await page.evaluate(textFaults, "dialog[open]"), [], `${at}, evidence`);
          if (axe(view)) assert.deepEqual(await axeFaults(page, "dialog[open]"), [], `${at}, evidence`);
          await page.keyboard.press("Escape");
        }
      });
    },
  );
}

browserTest("a fault of looks is seen", async () => {
  await withPage([small], async ({ page }) => {
    await page.evaluate(() => {
      const rule = (text: string) => document.styleSheets[0]!.insertRule(text);
      rule(".answers .headline { position: relative; top: -40px }");
      rule("h1 { overflow: hidden; width: 40px; white-space: nowrap }");
      const text = document.querySelector<SVGTextElement>("#chart-scaling .drawing text")!;
      const copy = text.cloneNode(true) as SVGTextElement;
      copy.style.fill = "#eeeeee";
      text.after(copy);
      document.querySelector("#chart-scaling svg g:last-of-type text")!.setAttribute("dx", "4000");
    });
    const drawing = (await page.evaluate(drawingFaults)).join("\n");
    for (const fault of [/has a contrast of 1\.\d/, /stand on each other/, /is cut at \d{3}/]) {
      assert.match(drawing, fault);
    }
    const text = (await page.evaluate(textFaults, "body")).join("\n");
    for (const fault of [/stand on each other/, /" is cut$/m]) assert.match(text, fault);
  });
});

/** What has the focus, and whether any of it can be seen; waits for what is scrolled to and still on its way. */
async function focused(): Promise<{ name: string; free: boolean; cell: string | null } | null> {
  for (let frame = 0;; frame++) {
    const element = document.activeElement as HTMLElement;
    if (element === document.body) return null;
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(box.width / 2, 40), box.top + Math.min(box.height / 2, 40)];
    const there = document.elementFromPoint(x, y);
    const free = there !== null && (element.contains(there) || there.contains(element));
    if (free || frame > 60) {
      return {
        name: `${element.tagName} ${element.textContent?.trim().slice(0, 60)}`,
        free,
        cell: element.dataset["cell"] ?? null,
      };
    }
    await new Promise(requestAnimationFrame);
  }
}

for (const width of [390, 1280]) {
  browserTest(
    `the keyboard alone reaches everything, and nothing covers what has the focus: ${width} px`,
    async () => {
      await withPage([small], async ({ page, errors }) => {
        const reached: string[] = [];
        for (let stop = 0; stop < 400; stop++) {
          await page.keyboard.press("Tab");
          const seen = await page.evaluate(focused);
          if (seen === null) break;
          assert.ok(seen.free, `covered: ${seen.name}`);
          reached.push(seen.cell ?? seen.name);
        }
        const cells = small.cells.filter(({ cell }) => cell.label === "main").map(({ name }) => name);
        assert.deepEqual(cells.filter((name) => !reached.includes(name)), []);
        assert.ok(
          reached.some((name) => name.includes("Pick your needs")) && reached.some((name) => name.includes("Copy SVG")),
        );
        assert.deepEqual(errors, []);
      }, { width });
    },
  );
}

browserTest("each cell has a name of its own", async () => {
  await withPage([small], async ({ page }) => {
    const names = await page.$$eval(
      "#heat button[data-cell]",
      (buttons) => buttons.map(({ textContent }) => textContent!),
    );
    assert.ok(names.some((name) => /^node, sqlite, 1m users: /.test(name)), names.join());
    assert.equal(new Set(names.map((name) => name.split(":")[0])).size, names.length);
  });
});

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

/** Sheets of a page in print: the PDF says "/Type /Page" for each. */
async function sheets(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4" });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

browserTest("on paper answer, verdicts and table stand on the first two sheets", async () => {
  const reference = filesOf(makeFixture({ sizes: [10_000], together: "plan" }));
  await withPage([reference], async ({ page }) => {
    assert.ok(await sheets(page) > 2);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("#filters").isVisible(), false);
    for (const id of ["answers", "verdicts", "heat"]) assert.equal(await page.locator(`#${id}`).isVisible(), true);
    // Without all that comes after the table.
    await page.evaluate(() => {
      const table = document.getElementById("heat")!.closest("section")!;
      for (let next = table.nextElementSibling; next !== null; next = table.nextElementSibling) next.remove();
      document.querySelector("footer")!.remove();
    });
    const before = await sheets(page);
    assert.ok(before > 0 && before <= 2, `the table ends on sheet ${before}`);
  });
});
