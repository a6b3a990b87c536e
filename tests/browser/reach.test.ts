/** Whether the page reaches everybody: at all widths, in both themes, by keyboard alone, to those who listen, on paper. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { readPublishedRun } from "../../bench/host/published-run.ts";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults, textFaults } from "./looked-at.ts";
import { browserTest, lookAt, withPage, withPages } from "./opened-page.ts";

const RESULTS = fileURLToPath(new URL("../../results/", import.meta.url));
const files = filesOf(makeFixture());
const small = filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "sqlite"] }));
const odd = filesOf(makeOddFixture());
const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));

const VIEWS = [390, 768, 1280, 1600].flatMap((width) => [false, true].map((dark) => ({ width, dark })));

/** Pages, and in which views axe looks at them and their evidence too; at those of references it looks in all of them. */
const PAGES = [
  { what: "of a run", runs: [files], axe: ["390 light", "1280 dark"] },
  { what: "of odd names", runs: [odd], axe: ["768 light", "1600 dark"] },
  { what: "of two runs", runs: [files, later], axe: ["390 light"] },
];

for (const { what, runs, axe } of PAGES) {
  browserTest(
    `a page ${what}: nothing overlaps, is cut or faint at all widths, light and dark, and axe finds no serious fault`,
    async () => {
      await withPage(runs, async ({ page }) => {
        await page.evaluate(AXE);
        for (const view of VIEWS) {
          await lookAt(page, view);
          const at = `${view.width} ${view.dark ? "dark" : "light"}`;
          assert.deepEqual(await page.evaluate(drawingFaults), [], at);
          assert.deepEqual(await page.evaluate(textFaults, "body"), [], at);
          if (axe.includes(at)) assert.deepEqual(await axeFaults(page, "html"), [], at);
          await page.locator("#cells button[data-cell]").nth(4).click();
          assert.deepEqual(await page.evaluate(drawingFaults), [], `${at}, evidence`);
          assert.deepEqual(await page.evaluate(textFaults, "dialog[open]"), [], `${at}, evidence`);
          if (axe.includes(at)) assert.deepEqual(await axeFaults(page, "dialog[open]"), [], `${at}, evidence`);
          await page.keyboard.press("Escape");
        }
      });
    },
  );
}

/** Reference runs of all suites, and two of them beside each other: together they are looked at in every view, by axe too. */
const REFERENCES = readdirSync(RESULTS).filter((name) => name.startsWith("reference-")).sort();
const OF_SQLITE = REFERENCES.filter((name) => name.startsWith("reference-sqlite-")).slice(-2);
const SHOWN = [...REFERENCES.map((name) => [name]), OF_SQLITE, [REFERENCES.at(-1)!, REFERENCES[0]!]];

browserTest(
  "pages of every suite's reference run and of two of them: nothing overlaps, is cut or faint, and axe finds no serious fault",
  async () => {
    const pages = SHOWN.map((names) => names.map((name) => readPublishedRun(join(RESULTS, name))));
    await withPages(pages, async ({ page, errors }, n) => {
      await page.evaluate(AXE);
      const view = VIEWS[n % VIEWS.length]!;
      await lookAt(page, view);
      const at = `${SHOWN[n]!.join(" and ")}, ${view.width} px, ${view.dark ? "dark" : "light"}`;
      assert.deepEqual(await page.evaluate(drawingFaults), [], at);
      assert.deepEqual(await page.evaluate(textFaults, "body"), [], at);
      assert.deepEqual(await axeFaults(page, "html"), [], at);
      assert.deepEqual(errors, []);
    });
  },
);

browserTest("a fault of looks is seen", async () => {
  await withPage([small], async ({ page }) => {
    await page.evaluate(() => {
      const rule = (text: string) => document.styleSheets[0]!.insertRule(text);
      rule(".answers .unseen { position: relative; top: -64px }");
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
          reached.some((name) => name.includes("pick your needs")) && reached.some((name) => name.includes("Copy SVG")),
        );
        assert.deepEqual(errors, []);
      }, { width });
    },
  );
}

browserTest("each cell has a name of its own", async () => {
  await withPage([small], async ({ page }) => {
    const names = await page.$$eval(
      "#cells button[data-cell]",
      (buttons) => buttons.map(({ textContent }) => textContent!),
    );
    assert.ok(names.some((name) => /^node, sqlite, 1m users$/.test(name)), names.join());
    assert.equal(new Set(names).size, names.length);
  });
});

browserTest("a choice is announced, evidence opens and closes by keyboard, and terms explain themselves", async () => {
  await withPage([small], async ({ page }) => {
    assert.equal(await page.locator("#told[role=status]").count(), 1);
    await page.getByLabel("node", { exact: true }).focus();
    await page.keyboard.press("Space");
    assert.match(await page.innerText("#told"), /^8 of 12 cells shown\. /);
    const help = page.locator("#table-title ~ .hint .term").first();
    await help.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".termnote:popover-open").count(), 1);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".termnote:popover-open").count(), 0);
  });
});

/** On which sheet of the printed page, from 1, elements stand: a PDF has a place for each that a link leads to. */
async function sheetsOf(page: Page, ids: readonly string[]): Promise<number[]> {
  await page.evaluate((ids) => {
    for (const id of ids) {
      const link = document.createElement("a");
      link.href = `#${id}`;
      link.textContent = id;
      document.querySelector("footer")!.append(link);
    }
  }, ids);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  const sheets = [...pdf.matchAll(/\/Kids\s*\[([^\]]*)\]/g)].flatMap(([, kids]) =>
    [...kids!.matchAll(/(\d+) 0 R/g)].map(([, page]) => page!)
  ).filter((own) => new RegExp(`(?:^|\\s)${own} 0 obj\\s*<<\\s*/Type\\s*/Page\\b`).test(pdf));
  return ids.map((id) => {
    const place = new RegExp(`/${id}\\s*\\[\\s*(\\d+) 0 R`).exec(pdf);
    assert.ok(place, `the PDF has no place for ${id}`);
    return sheets.indexOf(place[1]!) + 1;
  });
}

browserTest(
  "on paper verdicts fill the first sheet below a long answer, and a table stays with its title",
  async () => {
    const oneSize = filesOf(makeFixture({ sizes: [10_000], together: "plan", rounds: 4 }));
    await withPage([oneSize], async ({ page }) => {
      await page.evaluate(() => {
        // As much as some more lines of an answer take.
        document.getElementById("answers")!.style.paddingBottom = "140px";
        document.querySelector("#cells tbody tr")!.id = "first-row";
        document.querySelector("#cells")!.closest("section")!.querySelector("h2")!.id = "table-title";
      });
      const places = ["chart-verdicts1", "chart-verdicts2", "table-title", "first-row"];
      const [runtimes, stores, title, row] = await sheetsOf(page, places);
      assert.deepEqual([runtimes, stores, title], [1, 1, row]);
    });
  },
);

for (const name of REFERENCES.filter((name) => /^reference-(intel|amd|arm|apple)-/.test(name))) {
  browserTest(`on paper answer, verdicts and table of ${name} stand on the first two sheets`, async () => {
    await withPage([readPublishedRun(join(RESULTS, name))], async ({ page }) => {
      await page.evaluate(() => document.querySelector("#cells tbody tr:last-child")!.id = "last-row");
      const [answer, verdicts, table, next] = await sheetsOf(page, [
        "answers",
        "chart-verdicts1",
        "last-row",
        "noise-title",
      ]);
      assert.equal(answer, 1);
      assert.ok(verdicts! > 0 && verdicts! <= 2, `verdicts begin on sheet ${verdicts}`);
      assert.ok(table! > 0 && table! <= 2, `the table ends on sheet ${table}`);
      assert.ok(next! > 2, "more follows");
      await page.emulateMedia({ media: "print" });
      assert.equal(await page.locator("#filters").isVisible(), false);
    });
  });
}
