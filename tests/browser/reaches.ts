/** Looks at pages of runs as everybody may find them: in each width and theme, by structure and by axe. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import type { RunFiles } from "../../bench/page/shown-run.ts";
import { AXE, axeFaults } from "./axe.ts";
import { drawingFaults, textFaults } from "./looked-at.ts";
import { lookAt, withPage, withPages } from "./opened-page.ts";

export const RESULTS = fileURLToPath(new URL("../../results/", import.meta.url));

const WIDTHS = [360, 768, 1280, 1600] as const;

/** A width in pixels and a theme. */
export type View = `${(typeof WIDTHS)[number]} ${"light" | "dark"}`;

export const VIEWS: readonly View[] = WIDTHS.flatMap((width): View[] => [`${width} light`, `${width} dark`]);

/** A view as a page is asked for it. */
const looked = (view: View) => ({ width: Number.parseInt(view), dark: view.endsWith("dark") });

const OPEN = ".evidence:popover-open";

/** Looks at a page of runs and at the evidence of a cell in some views; axe looks at both in fewer. */
export async function assertReaches(
  runs: readonly RunFiles[],
  views: readonly View[],
  axe: readonly View[],
): Promise<void> {
  await withPage(runs, async ({ page }) => {
    await page.evaluate(AXE);
    for (const at of views) {
      await lookAt(page, looked(at));
      assert.deepEqual(await page.evaluate(drawingFaults), [], at);
      assert.deepEqual(await page.evaluate(textFaults, "body"), [], at);
      if (axe.includes(at)) assert.deepEqual(await axeFaults(page, "html"), [], at);
      await page.locator("#cells button[data-cell]").nth(4).click();
      assert.deepEqual(await page.evaluate(drawingFaults), [], `${at}, evidence`);
      assert.deepEqual(await page.evaluate(textFaults, OPEN), [], `${at}, evidence`);
      if (axe.includes(at)) assert.deepEqual(await axeFaults(page, OPEN), [], `${at}, evidence`);
      await page.keyboard.press("Escape");
    }
  });
}

/** Names of the reference runs of all suites. */
export const REFERENCES = readdirSync(RESULTS).filter((name) => name.startsWith("reference-")).sort();
const OF_SQLITE = REFERENCES.filter((name) => name.startsWith("reference-sqlite-")).slice(-2);

/** Each reference run, and two of them beside each other: together they are looked at in every view, by axe too. */
export const SHOWN: readonly (readonly string[])[] = [
  ...REFERENCES.map((name) => [name]),
  OF_SQLITE,
  [REFERENCES.at(-1)!, REFERENCES[0]!],
];

/** Looks at a page of each of some of {@link SHOWN}, each in the view of its place. */
export async function assertReferencesReach(shown: typeof SHOWN): Promise<void> {
  const pages = shown.map((names) => names.map((name) => readPublishedRun(join(RESULTS, name))));
  await withPages(pages, async ({ page, errors }, n) => {
    await page.evaluate(AXE);
    const view = VIEWS[SHOWN.indexOf(shown[n]!) % VIEWS.length]!;
    await lookAt(page, looked(view));
    const at = `${shown[n]!.join(" and ")}, ${view}`;
    assert.deepEqual(await page.evaluate(drawingFaults), [], at);
    assert.deepEqual(await page.evaluate(textFaults, "body"), [], at);
    assert.deepEqual(await axeFaults(page, "html"), [], at);
    assert.deepEqual(errors, []);
  });
}
