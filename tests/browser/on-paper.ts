/** Looks at pages of runs as they are printed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { withPage } from "./opened-page.ts";
import { REFERENCES, RESULTS } from "./reaches.ts";

/** On which sheet of the printed page, from 1, elements stand: a PDF has a place for each that a link leads to. */
export async function sheetsOf(page: Page, ids: readonly string[]): Promise<number[]> {
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

/** Names of the reference runs of the first suite. */
export const OF_USERS = REFERENCES.filter((name) => /^reference-(intel|amd|arm|apple)-/.test(name));

/** The answer of a reference run is on its first sheet, verdicts and table on the first two, and more follows. */
export async function assertOnTwoSheets(name: string): Promise<void> {
  await withPage([readPublishedRun(join(RESULTS, name))], async ({ page }) => {
    await page.evaluate(() => document.querySelector("#cells tbody:last-child")!.id = "last-row");
    const [answer, verdicts, table, next] = await sheetsOf(page, [
      "answers",
      "chart-verdicts1",
      "last-row",
      "noise-title",
    ]);
    assert.equal(answer, 1);
    assert.ok(verdicts! > 0 && verdicts! <= 2, `verdicts begin on sheet ${verdicts}`);
    assert.ok(table! > 0 && table! <= 2, `the table ends on sheet ${table}`);
    assert.ok(next! >= table!, "more follows");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("#filters").isVisible(), false);
  });
}
