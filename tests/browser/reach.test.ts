/** The page reaches everybody: at all widths, in both themes, by keyboard alone, to those who listen, on paper. */
import assert from "node:assert/strict";
import type { RunFiles } from "../../bench/page/shown-run.ts";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { drawingFaults, textFaults } from "./looked-at.ts";
import { browserTest, pageTest, withPage } from "./opened-page.ts";
import { assertOnTwoSheets, OF_USERS, sheetsOf } from "./on-paper.ts";
import { assertReaches, assertReferencesReach, SHOWN, type View } from "./reaches.ts";

const small = filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "sqlite"] }));
const odd = filesOf(makeOddFixture());
const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));

/** Pages, and in which views they and their evidence are looked at here; axe looks where it is named. */
const PAGES: readonly { what: string; runs: readonly RunFiles[]; views: readonly View[]; axe: readonly View[] }[] = [
  { what: "of a run", runs: [small], views: ["360 light", "1280 dark"], axe: ["360 light"] },
  { what: "of odd names", runs: [odd], views: ["360 dark", "1600 light"], axe: [] },
  { what: "of two runs", runs: [small, later], views: ["768 dark"], axe: ["768 dark"] },
];

for (const { what, runs, views, axe } of PAGES) {
  browserTest(
    `a page ${what}: nothing overlaps, is cut or faint in any view, and axe finds no serious fault`,
    () => assertReaches(runs, views, axe),
  );
}

browserTest(
  "pages of some reference runs: nothing overlaps, is cut or faint, and axe finds no serious fault",
  // Of every suite in tests/long.
  () => assertReferencesReach(SHOWN.filter((_, n) => n % 18 === 0)),
);

pageTest("a fault of looks is seen", [small], async ({ page }) => {
  await page.evaluate(() => {
    const rule = (text: string) => document.styleSheets[0]!.insertRule(text);
    rule(".answers .pick + p { position: relative; top: -24px }");
    rule("h1 { overflow: hidden; width: 40px; white-space: nowrap }");
    const text = document.querySelector<SVGTextElement>("#chart-scaling .on-wide text")!;
    const copy = text.cloneNode(true) as SVGTextElement;
    copy.style.fill = "#eeeeee";
    text.after(copy);
    document.querySelector("#chart-scaling .on-wide svg g:last-of-type text")!.setAttribute("dx", "4000");
  });
  const drawing = (await page.evaluate(drawingFaults)).join("\n");
  for (const fault of [/has a contrast of 1\.\d/, /stand on each other/, /is cut at \d{3}/]) {
    assert.match(drawing, fault);
  }
  const text = (await page.evaluate(textFaults, "body")).join("\n");
  for (const fault of [/stand on each other/, /" is cut$/m]) assert.match(text, fault);
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

for (const width of [360, 1280]) {
  pageTest(
    `the keyboard reaches all, nothing covers the focus: ${width} px`,
    { of: [small], width },
    async ({ page }) => {
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
        reached.some((name) => name.includes("pick your needs")) && reached.some((name) => name.includes("Copy SVG")),
      );
    },
  );
}

pageTest("each cell has a name of its own", [small], async ({ page }) => {
  const names = await page.$$eval(
    "#cells button[data-cell]",
    (buttons) => buttons.map(({ textContent }) => textContent!),
  );
  assert.ok(names.some((name) => /^node, sqlite, 1m users$/.test(name)), names.join());
  assert.equal(new Set(names).size, names.length);
});

pageTest("a choice is announced, and terms explain themselves by keyboard", [small], async ({ page }) => {
  assert.equal(await page.locator("#notice[role=status]").count(), 1);
  await page.getByLabel("node", { exact: true }).focus();
  await page.keyboard.press("Space");
  assert.match(await page.innerText("#notice"), /^Shown in the table: 8 of 12\. /);
  const help = page.locator("#table-title ~ .hint .term").first();
  await help.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".termnote:popover-open").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".termnote:popover-open").count(), 0);
});

browserTest("on paper verdicts fill the first sheet below the answer, and a table stays with its title", async () => {
  const oneSize = filesOf(makeFixture({ sizes: [10_000], together: "plan", rounds: 4 }));
  await withPage([oneSize], async ({ page }) => {
    await page.evaluate(() => {
      // As much as some more lines of an answer take.
      document.getElementById("answers")!.style.paddingBottom = "140px";
      document.querySelector("#cells tbody")!.id = "first-row";
      document.querySelector("#cells")!.closest("section")!.querySelector("h2")!.id = "table-title";
    });
    const places = ["chart-verdicts1", "chart-verdicts2", "table-title", "first-row"];
    const [runtimes, stores, title, row] = await sheetsOf(page, places);
    assert.deepEqual([runtimes, stores, title], [1, 1, row]);
  });
});

// Of the others in tests/long.
browserTest(
  "on paper answer, verdicts and table of a reference run stand on the first two sheets",
  () => assertOnTwoSheets(OF_USERS[0]!),
);
