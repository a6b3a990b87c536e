/** A run whose every text is an attack, opened in a real browser from disk. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ACTING } from "../../lab/hostile/acting-texts.ts";
import { hostileRun } from "../fixtures/hostile-run.ts";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { acrossHosts } from "../fixtures/two-hosts.ts";
import { browserTest, pageTest, withPage } from "./opened-page.ts";

const made = makeFixture({ sizes: [10_000, 1_000_000], stores: ["map", "drizzle"], rounds: 6 });
const acting = Object.values(ACTING);
const attacks = [
  hostileRun(filesOf(made)),
  hostileRun(filesOf(acrossHosts(makeOddFixture()))),
  hostileRun(filesOf(made), (n) => acting[n % acting.length]!(n)),
];

/** What of a page came from a text: elements that only attacks have, scripts beside the page's own. Runs in the page. */
function harm(): string[] {
  const foreign = document.querySelectorAll("img, iframe, object, embed, [onerror], [onload], [href^=javascript]");
  const scripts = document.querySelectorAll("script").length;
  return [
    ...("hacked" in window ? ["a script ran"] : []),
    ...[...foreign].map((element) => element.outerHTML),
    ...(scripts === 1 ? [] : [`${scripts} scripts`]),
  ];
}

/** Presses all that a selector finds, closes what opens, and gives the harm after each. Runs in the page. */
function pressAll(selector: string, look: () => string[]): { pressed: number; faults: string[] } {
  const faults: string[] = [];
  let pressed = 0;
  for (; pressed < document.querySelectorAll(selector).length; pressed++) {
    document.querySelectorAll<HTMLElement>(selector)[pressed]!.click();
    faults.push(...look());
    document.querySelector<HTMLElement>(".evidence:popover-open")?.hidePopover();
  }
  return { pressed, faults };
}

/** Nothing of a page came from a text. */
async function assertUnharmed(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(harm), []);
}

/** Nothing comes from a text whatever of some kind is pressed; there is something of it. */
async function assertUnharmedBy(page: Page, selector: string): Promise<void> {
  const { pressed, faults } = await page.evaluate<ReturnType<typeof pressAll>>(
    `(${pressAll})(${JSON.stringify(selector)}, ${harm})`,
  );
  assert.deepEqual(faults, [], selector);
  assert.ok(pressed > 0, selector);
}

browserTest("a run whose every text is an attack renders as text, whatever is pressed", async () => {
  for (const { files, replaced, kept } of attacks) {
    assert.ok(replaced > 60, `only ${replaced} texts were replaced; left were ${kept.join(", ")}`);
    // Fields with a form of their own, and names that must be unlike each other.
    const shown = kept.filter((path) => /(title|message|reasons?|note|text|sentence|model|why)(\.\*)?$/.test(path));
    assert.deepEqual(shown, []);
    await withPage([files, files], async ({ page, errors }) => {
      page.on("dialog", (dialog) => {
        (errors as string[]).push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await assertUnharmed(page);
      const text = await page.innerText("main");
      assert.ok(text.includes('<img src=x onerror="window.hacked='), text.slice(0, 500));
      await assertUnharmedBy(page, "#cells button[data-cell]");
      await assertUnharmedBy(page, "#filters input[type=checkbox]");
      await page.getByRole("button", { name: "Show all" }).click();
      await assertUnharmedBy(page, "button.sort, .figtools summary, [data-copy]");
    });
  }
});

const byHand = { of: [filesOf(made)], faulty: true };
pageTest("a script put into a page by hand does not run, nor does text become markup", byHand, async ({ page }) => {
  await page.evaluate(() => {
    const script = document.createElement("script");
    try {
      script.textContent = "window.hacked = 1";
      document.body.append(script);
    } catch { /* Trusted types refuse already the text. */ }
  });
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = "<b>x</b>";
      return false;
    } catch {
      return true;
    }
  });
  assert.equal(refused, true);
  assert.equal(await page.evaluate("window.hacked"), undefined);
});
