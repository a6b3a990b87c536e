/** The report in a real browser: figures, filters, evidence, links. Longer than 300 lines because all of it is asked of the same runs. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { formatRate } from "../../bench/basics/units.ts";
import { makeFixture, makeOddFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { browserTest, pageTest, withPage } from "./opened-page.ts";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { fileURLToPath } from "node:url";

const files = filesOf(makeFixture());
const odd = filesOf(makeOddFixture());

pageTest("the figures of the page are those of the cards", [files], async ({ page }) => {
  const shown = await page.$$eval(
    "#cells button[data-cell]",
    (buttons) =>
      buttons.map((button) => {
        const heads = [...button.closest("table")!.querySelectorAll("thead th")];
        const place = heads.findIndex((head) => head.textContent!.startsWith("req/s"));
        const figure = button.closest("tr")!.cells[place]!.textContent!;
        return [button.getAttribute("data-cell"), figure.replaceAll("\u00a0", " ").replace(/ \[.*/, "")];
      }),
  );
  // A faulty cell has no figure.
  const expected = files.cells.filter((card) => card.cell.label === "main").map((card) => [
    card.name,
    card.status === "ok" ? `${card.bound === "generator" ? "≥ " : ""}${formatRate(card.requests_per_second!)}` : "–",
  ]);
  assert.deepEqual(shown.map(String).sort(), expected.map(String).sort());
  assert.equal(await page.locator("#charts > figure").count(), 2);
  assert.ok(await page.locator("#chart-scaling .on-wide path").count() >= expected.length);
});

/** The names of the rows that are shown. */
const rowNames = (page: Page) =>
  page.$$eval(
    "#cells tbody:not([hidden]) th",
    (heads) => heads.map((head) => head.textContent!.replace(/\s+/g, " ").trim()),
  );

browserTest("filters hide rows and nothing else, that is said, and a link restores them", async () => {
  let hash = "";
  await withPage([files], async ({ page }) => {
    const [answer, charts] = [await page.innerText("#answers"), await page.innerHTML("#charts")];
    await page.getByLabel("node", { exact: true }).uncheck();
    await page.getByLabel("linear", { exact: true }).uncheck();
    await page.getByLabel("1m", { exact: true }).uncheck();
    hash = await page.evaluate("location.hash") as string;
    const rows = await rowNames(page);
    assert.ok(rows.length === 16 && rows.every((row) => !/node|linear|1m/.test(row)), rows.join());
    assert.equal(
      await page.innerText("#notice"),
      "Shown in the table: 16 of 45. The answer and the charts are of all cells.",
    );
    assert.deepEqual([await page.innerText("#answers"), await page.innerHTML("#charts")], [answer, charts]);
  });
  assert.equal(hash, "#axis1=2,3&axis2=2,3,4,5&axis3=1,2");
  await withPage([files], async ({ page }) => {
    assert.equal((await rowNames(page)).length, 16);
    assert.equal(await page.getByLabel("node", { exact: true }).isChecked(), false);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal((await rowNames(page)).length, 45);
    assert.equal(await page.locator("#notice").isVisible(), false, "nothing is hidden any more");
  }, { hash });
});

pageTest("the words of a mark are shown where the pointer is near it, once", [files], async ({ page }) => {
  const mark = page.locator("#chart-scaling .on-wide path", { has: page.locator("title") }).first();
  const words = (await mark.locator("title").textContent())!;
  await mark.scrollIntoViewIfNeeded();
  // A page that is still being scrolled shows none.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const box = (await mark.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height + 3);
  const tip = page.locator(".tip:popover-open");
  assert.deepEqual(await tip.allTextContents(), [words]);
  assert.equal(await page.locator("#chart-scaling .on-wide title").count(), 0, "a browser would show it again");
  await page.mouse.move(2, 2);
  assert.equal(await tip.count(), 0);
});

for (const [width, height] of [[1280, 900], [390, 844]] as const) {
  browserTest(`the first screen has scope, answer and picture: ${width} × ${height}`, async () => {
    const published = readPublishedRun(fileURLToPath(new URL("../../results/reference-amd-25-17", import.meta.url)));
    await withPage([published], async ({ page }) => {
      await page.setViewportSize({ width, height });
      const inside = async (selector: string) => {
        const box = (await page.locator(selector).first().boundingBox())!;
        return box.y >= 0 && box.y + box.height <= height;
      };
      for (const part of ["#answers .headline", "#answers .pick", "#chart-verdicts1 .drawing"]) {
        assert.ok(await inside(part), part);
      }
      assert.match(
        await page.innerText("#answers .headline"),
        /^Answer: \d+ rounds, shared machine: can miss differences below about [\d.]+\s%/,
      );
      for (const folded of ["#filters", "#charts", "#noise"]) {
        assert.equal(await page.locator(folded).isVisible(), false, folded);
      }
    }, { width, folded: true });
  });
}

browserTest("a cell opens its evidence by keyboard, closes by Escape and gives the focus back", async () => {
  const card = files.cells.find(({ status }) => status !== "ok")!;
  await withPage([files], async ({ page }) => {
    const button = page.locator(`[data-cell="${card.name}"]`);
    await button.focus();
    await page.keyboard.press("Enter");
    const detail = page.locator(".evidence:popover-open");
    const text = await detail.innerText();
    assert.match(text, /3 socket errors/);
    assert.match(text, /bench run users --workload read --runtime node --store drizzle --size 1m/);
    assert.match(text, /Service time, 99th percentile\s+–/, "a faulty cell has none");
    assert.equal(await detail.locator("table.rounds tbody tr").count(), card.observations);
    const outline = await detail.locator(".histogram path").first().getAttribute("d");
    assert.ok(outline!.split("V").length > 8, outline!);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".evidence:popover-open").count(), 0);
    assert.equal(await page.evaluate("document.activeElement.dataset.cell"), card.name);
  });
});

browserTest("two runs stand in one page with their differences", async () => {
  const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));
  await withPage([files, later], async ({ page }) => {
    assert.equal(await page.locator("#differences tbody tr").count(), 18);
    // Rounds of one run are not runs: single ones are shown side by side and get no verdict.
    assert.equal(await page.locator("#differences td.good").count(), 0);
    assert.match(await page.innerText("#differences"), /rounds of one run are not runs/);
    assert.match(
      await page.innerText("#differences"),
      /B against A: no verdict on 18 cells, as rounds of one run are not runs[^;]*; typically/,
    );
    assert.equal(await page.getByLabel("binary", { exact: true }).isVisible(), true);
    await page.selectOption("select[name=run]", { label: "later" });
    assert.equal(await page.innerText(".run:not([hidden]) > h2"), "later");
    assert.equal(await page.getByLabel("binary", { exact: true }).isVisible(), false, "it has no such cell");
    assert.equal(await page.getByLabel("map", { exact: true }).isVisible(), true);
    assert.equal(await page.locator("#cells-2 tbody").count(), 18);
    assert.equal(await page.locator("#cells").isVisible(), false);
    await page.locator("#cells-2 button[data-cell]").first().click();
    assert.equal(await page.locator(".evidence:popover-open").count(), 1);
  });
});

browserTest("what holds on several machines is said, and machines have their names", async () => {
  const machine = { ...files.run.machine, cpu_model: "<img src=x>", cpu_kind: "intel-6-207" };
  await withPage([files, { ...files, run: { ...files.run, run: "elsewhere", machine } }], async ({ page }) => {
    assert.match(
      await page.innerText("#across"),
      /verdicts hold on both machines; [\s\S]*intel-6-207 is <img src=x>, run/,
    );
  });
});

browserTest("filters and links work with odd names", async () => {
  const [engine, way] = odd.run.plan.axes;
  const [kept, left] = engine!.values.map(({ value }) => String(value)) as [string, string];
  let hash = "";
  await withPage([odd], async ({ page }) => {
    await page.getByRole("checkbox", { name: left, exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "10", exact: true }).uncheck();
    await page.locator("#cells button[data-cell]").first().click();
    hash = await page.evaluate("location.hash") as string;
    assert.match(hash, /&cell=/, "the link names the open cell as soon as it is open");
  });
  await withPage([odd], async ({ page }) => {
    assert.ok((await page.innerText(".evidence:popover-open h2")).startsWith(kept.replaceAll("/", "%2F")));
    await page.keyboard.press("Escape");
    const rows = await rowNames(page);
    assert.ok(way!.values.length > 1 && rows.length > way!.values.length);
    assert.ok(rows.every((row) => !row.includes(left)), rows.join());
  }, { hash });
});

pageTest("what cannot be measured is a note with its reason, not a fault", [odd], async ({ page }) => {
  assert.doesNotMatch(await page.innerText("#trust"), /not ok/);
  const marks = page.locator("#cells td.mark:not(:empty)");
  assert.equal(await marks.count(), 2);
  assert.equal(await page.locator("#cells td.mark.note").count(), 2);
  const told: string[] = [];
  for (const mark of await marks.all()) {
    await mark.locator("xpath=../th/button").click();
    told.push(await page.innerText(".evidence:popover-open"));
    await page.keyboard.press("Escape");
  }
  assert.ok(told.some((text) => /unsupported: this engine has no "way" < that/.test(text)), told.join());
});

browserTest("heads sort, needs hide rows, boxes show columns, and the link keeps all of it", async () => {
  let hash = "", sorted: string[] = [];
  const columns = (page: Page) =>
    page.$$eval("#cells thead th:not([hidden])", (heads) => heads.map((head) => head.textContent!.replace(/,.*/s, "")));
  await withPage([files], async ({ page }) => {
    const before = await rowNames(page);
    await page.getByRole("button", { name: /^memory/ }).click();
    assert.match(await page.innerText("#notice"), /^Sorted: memory/);
    // What is not ranked has no worth, and comes last.
    const used = await page.$$eval(
      "#cells tbody",
      (bodies) =>
        bodies.map((body) => {
          const heads = [...body.closest("table")!.querySelectorAll("thead th")];
          const place = heads.findIndex((head) => head.textContent!.startsWith("memory"));
          const worth = body.querySelector("tr")!.cells[place]!.dataset["worth"];
          return [Number(body.dataset["group"]), worth === undefined ? 1e18 : -Number(worth)] as const;
        }),
    );
    assert.ok(new Set(used.map(([, bytes]) => bytes)).size > 2);
    assert.notDeepEqual(await rowNames(page), before);
    assert.deepEqual(
      used,
      used.toSorted(([a, x], [b, y]) => a - b || x - y),
      "within what is compared, the best first",
    );
    assert.equal(await page.getAttribute("#cells th:has([aria-pressed=true])", "aria-sort"), "other");
    await page.getByRole("button", { name: /^cell/ }).click();
    assert.deepEqual(await rowNames(page), before);
    await page.getByRole("button", { name: /^memory/ }).click();
    await page.getByLabel("Memory at most").fill("65");
    sorted = await rowNames(page);
    const shown = await page.$$eval(
      "#cells tbody:not([hidden])",
      (bodies) => bodies.map(({ dataset }) => Number(dataset["memory_mib"])),
    );
    assert.ok(shown.length > 0 && shown.length < 45 && shown.every((mib) => mib <= 65), shown.join());
    assert.ok(!(await columns(page)).includes("listens"));
    await page.getByLabel("listens", { exact: true }).check();
    await page.getByLabel("p99", { exact: true }).uncheck();
    const now = await columns(page);
    assert.ok(now.includes("listens") && !now.includes("p99"), now.join());
    hash = await page.evaluate("location.hash") as string;
  });
  await withPage([files], async ({ page }) => {
    assert.equal(await page.inputValue("input[name=memory_mib]"), "65");
    assert.deepEqual(await rowNames(page), sorted);
    const now = await columns(page);
    assert.ok(now.includes("listens") && !now.includes("p99"), now.join());
  }, { hash });
});

pageTest("without scripts all is there, and no dead control", { of: [files], scripts: false }, async ({ page }) => {
  assert.match(await page.innerText("#answers"), /of 45 comparisons decided/);
  assert.equal((await rowNames(page)).length, 45);
  assert.equal(await page.locator("#chart-verdicts1 .on-wide svg").isVisible(), true);
  for (const control of ["#filters", "#theme", ".columns", "[data-copy]"]) {
    assert.equal(await page.locator(control).first().isVisible(), false, control);
  }
  const button = page.locator("#cells button[data-cell]").nth(3);
  await button.click();
  assert.equal(await page.innerText(".evidence:popover-open h2"), await button.getAttribute("data-cell"));
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator(".evidence:popover-open").count(), 0);
});

pageTest("heads break between words, figures keep their units, names a line", [files], async ({ page }) => {
  const broken = await page.$$eval(
    "#cells :is(thead th, td, tbody th):not([hidden])",
    (cells) =>
      cells.flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          if (node.parentElement!.closest(".quiet") !== null) {
            continue;
          }
          const parts = cell.closest("thead") !== null ? /\S+/g : /\S.*\S|\S/g;
          for (const { 0: words, index } of node.textContent!.matchAll(parts)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + words.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(words);
          }
        }
        return found;
      }),
  );
  assert.deepEqual(broken, []);
});

pageTest("each chart has its figures as a table, and is copied as an SVG", [files], async ({ page }) => {
  const figures = await page.locator("figure").count();
  assert.equal(await page.locator("figure details table").count(), figures);
  assert.equal(await page.locator("figure .on-wide svg").count(), figures);
  const taken = async (chart: string, how: string) => {
    await page.evaluate(
      "navigator.clipboard.writeText = (text) => { window.taken = text; return Promise.resolve(); }",
    );
    const button = page.locator(`#chart-${chart} [data-copy=${how}]`);
    if (!await button.isVisible()) await page.locator(`#chart-${chart} summary`).click();
    await button.click();
    return await page.evaluate("window.taken") as string;
  };
  for (const chart of ["verdicts1", "scaling"]) {
    const svg = await taken(chart, "svg");
    assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.doesNotMatch(svg, /var\(|<style|class=/);
  }
});
