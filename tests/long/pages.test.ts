/** Pages in a real browser: every suite's reference run, every width and theme, and a page of many cells. */
import assert from "node:assert/strict";
import { assertOnTwoSheets, OF_USERS } from "../browser/on-paper.ts";
import { assertReaches, assertReferencesReach, SHOWN, type View, VIEWS } from "../browser/reaches.ts";
import { browserTest, withPage } from "../browser/opened-page.ts";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";

const files = filesOf(makeFixture());
const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));

/** Pages, and in which views axe looks at them and their evidence too; at those of references it looks in all of them. */
const PAGES = [
  { what: "of a run", runs: [files], axe: ["360 light", "1280 dark"] },
  { what: "of odd names", runs: [filesOf(makeOddFixture())], axe: ["768 light", "1600 dark"] },
  { what: "of two runs", runs: [files, later], axe: ["360 light"] },
] as const;

for (const { what, runs, axe } of PAGES) {
  browserTest(
    `a page ${what}: nothing overlaps, is cut or faint at all widths, axe finds no serious fault`,
    () => assertReaches(runs, VIEWS, axe satisfies readonly View[]),
  );
}

browserTest(
  "pages of all reference runs and of two: nothing overlaps, is cut or faint, axe finds nothing",
  () => assertReferencesReach(SHOWN),
);

for (const name of OF_USERS) {
  browserTest(
    `on paper answer, verdicts and table of ${name} stand on the first two sheets`,
    () => assertOnTwoSheets(name),
  );
}

browserTest("a page of 1 000 cells opens, and its packed data unpack", async () => {
  const { run, lines } = makeFixture({ rounds: 1, sizes: Array.from({ length: 67 }, (_, n) => 1_000 * (n + 1)) });
  const large = filesOf({
    run: { ...run, plan: { ...run.plan, ensembles: [], ceilings: [] } },
    lines: lines.filter(({ kind }) => kind === "solo"),
  });
  await withPage([large], async ({ page }) => {
    assert.equal(await page.locator("#cells button[data-cell]").count(), 1_005);
  });
});
