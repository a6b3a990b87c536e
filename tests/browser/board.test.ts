/** A board in a real browser: its pages lead to each other, reach everybody, and texts that attack stay texts. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { makeBoard } from "../../bench/board/make-board.ts";
import { entryOf } from "../../bench/board/read-entry.ts";
import { startTally } from "../../bench/result/board/tally.ts";
import { linkSeen } from "../../bench/result/link-seen.ts";
import { type BoardFile, boardPages } from "../../bench/report/board/board-pages.ts";
import { boardRunPage } from "../../bench/report/board/run-page.ts";
import { writeSealedRun } from "../../lab/write-run.ts";
import { boardRun, writeOddities } from "../fixtures/board-runs.ts";
import { attackText, hostileRun } from "../fixtures/hostile-run.ts";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { acrossHosts } from "../fixtures/two-hosts.ts";
import { inTemporaryFolder } from "../testing.ts";
import { AXE, axeFaults } from "./axe.ts";
import { textFaults } from "./looked-at.ts";
import { browserTest, watchedPage, withBrowser } from "./opened-page.ts";

const RESULTS = fileURLToPath(new URL("../../results/", import.meta.url));

/** Looks at a page in every width, light and dark in turn. */
async function assertReaches(page: Page, what: string): Promise<void> {
  await page.evaluate(AXE);
  for (const [n, width] of [390, 768, 1280].entries()) {
    const colorScheme = n % 2 === 0 ? "light" : "dark";
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const at = `${what}, ${width} px, ${colorScheme}`;
    assert.deepEqual(await page.evaluate(textFaults, "body"), [], at);
    if (width !== 768) assert.deepEqual(await axeFaults(page, "html"), [], at);
  }
}

browserTest(
  "a board of the reference runs and of made-up machines: every kind of page leads on and reaches everybody",
  async () => {
    await inTemporaryFolder(async (folder) => {
      const made = join(folder, "made");
      writeSealedRun(join(made, "a"), boardRun("2026-11-20-120000"));
      writeSealedRun(join(made, "b"), boardRun("2026-11-20-130000", { kind: "intel-6-85", later: 1 }));
      writeSealedRun(join(made, "c"), boardRun("2026-11-20-140000", { kind: "arm-41-d0c", later: 2, turned: true }));
      writeOddities(made);
      const out = join(folder, "board");
      await makeBoard({ paths: [RESULTS, made], out, onRead: () => {} });
      await withBrowser(async (context) => {
        const address = pathToFileURL(`${out}/`).href;
        const { page, errors, requests } = await watchedPage(context, address);
        await page.goto(`${address}index.html`);
        await assertReaches(page, "index");
        assert.ok(await page.locator("tbody tr").count() >= 10);
        await page.locator("#main").getByRole("link", { name: "users" }).first().click();
        await assertReaches(page, "suite");
        assert.match(await page.innerText(".headline"), /another value wins/);
        assert.match(await page.innerText("tbody tr td.bad"), /wins on/);
        await page.getByRole("link", { name: "Board", exact: true }).click();
        await page.getByRole("link", { name: "arm-41-d0c" }).click();
        await assertReaches(page, "machine");
        assert.match(await page.innerText("main"), /Rates of users on this machine/);
        await page.getByRole("link", { name: "2026-11-20-140000" }).click();
        await assertReaches(page, "run");
        assert.match(await page.innerText("main"), /To recompute it on your machine/);
        await page.getByRole("link", { name: "Not shown" }).click();
        await assertReaches(page, "not shown");
        assert.equal(await page.locator("tbody tr").count(), 6);
        await page.getByRole("link", { name: "All runs" }).click();
        await assertReaches(page, "all runs");
        for (const link of await page.locator("tbody th a").all()) {
          assert.match((await link.getAttribute("href"))!, /^run\/[0-9a-f]{32}\.html$/);
        }
        assert.equal(await page.locator("script").count(), 0);
        assert.deepEqual([errors, requests], [[], []]);
      });
    });
  },
);

/** Every page of a board of one run whose every text is an attack, and of what is refused with one. */
function hostilePages(): BoardFile[] {
  const runs = [makeFixture({ sizes: [10_000], stores: ["map", "drizzle"] }), acrossHosts(makeOddFixture())];
  const tally = startTally();
  const pages = runs.map((made, n): BoardFile => {
    const { files } = hostileRun(filesOf(made));
    const link = linkSeen(made.lines);
    const entry = entryOf({ ...files, seal: { id: String(n).repeat(32), journal: "" }, name: attackText(n) });
    // A second kind of CPU, so that there is something to hold against each other.
    const machine = { ...entry.run.machine, cpu_kind: "other" };
    tally.add(entry);
    tally.add({ ...entry, run: { ...entry.run, machine } });
    return { file: `run-${n}.html`, text: boardRunPage({ ...files, link, id: entry.run.id, file: "x.levelfield.gz" }) };
  });
  const refused = [{ found: attackText(1), fault: attackText(2) }];
  return [...boardPages({ tallied: tally.result(), runs: 4, refused, copies: 0 }), ...pages];
}

browserTest("on a board whose every text is an attack there is nothing but text", async () => {
  await inTemporaryFolder(async (folder) => {
    const pages = hostilePages();
    assert.ok(pages.length > 8);
    await withBrowser(async (context) => {
      const address = pathToFileURL(`${folder}/`).href;
      const { page, errors, requests } = await watchedPage(context, address);
      page.on("dialog", (dialog) => {
        (errors as string[]).push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      for (const { file, text } of pages) {
        writeFileSync(join(folder, file), text);
        await page.goto(`${address}${file}`);
        assert.equal(await page.evaluate("window.hacked"), undefined, file);
        const foreign =
          "script, img, iframe, object, embed, [onerror], [onload], svg, a:not([href$='.html'], [href^='#'], [href$='.gz'])";
        assert.equal(await page.locator(foreign).count(), 0, file);
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await page.evaluate(textFaults, "body"), [], `${file}, ${width} px`);
        }
        for (const button of await page.locator("summary, button.term").all()) await button.click({ force: true });
        assert.equal(await page.evaluate("window.hacked"), undefined, file);
      }
      assert.deepEqual([errors, requests], [[], []]);
    });
  });
});
