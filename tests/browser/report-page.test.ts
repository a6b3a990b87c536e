/** The report in a real browser: figures, filters, evidence, links. Longer than 300 lines because all of it is asked of the same runs. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { formatRate } from "../../bench/basics/units.ts";
import { makeFixture, makeOddFixture, ODD } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { browserTest, drawn, withPage } from "./opened-page.ts";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { fileURLToPath } from "node:url";

const files = filesOf(makeFixture());
const odd = filesOf(makeOddFixture());

browserTest("the page renders without errors, asks for nothing, and its figures are those of the cards", async () => {
  await withPage([files], async ({ page, errors, requests }) => {
    const shown = await page.$$eval(
      "#cells button[data-cell]",
      (buttons) =>
        buttons.map((button) => [
          button.getAttribute("data-cell"),
          button.closest("tr")!.lastElementChild!.textContent!.replaceAll("\u00a0", " ").replace(/ \[.*/, ""),
        ]),
    );
    // A faulty cell has no figure.
    const expected = files.cells.filter((card) => card.cell.label === "main").map((card) => [
      card.name,
      card.status === "ok" ? `${card.bound === "generator" ? "≥ " : ""}${formatRate(card.requests_per_second!)}` : "–",
    ]);
    assert.deepEqual(shown.map(String).sort(), expected.map(String).sort());
    assert.equal(await page.locator("#charts > figure").count(), 7);
    assert.ok(await page.locator("#chart-scaling .drawing path").count() >= expected.length);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });
});

browserTest("filters change table and charts, and a link restores them", async () => {
  let hash = "";
  const rowNames = (page: Page) =>
    page.$$eval("#cells tbody th", (heads) => heads.map((head) => head.textContent!.replace(/\s+/g, " ").trim()));
  await withPage([files], async ({ page, errors }) => {
    await page.getByLabel("node", { exact: true }).uncheck();
    await page.getByLabel("linear", { exact: true }).uncheck();
    await page.getByLabel("1m", { exact: true }).uncheck();
    hash = await page.evaluate("location.hash") as string;
    const rows = await rowNames(page);
    assert.ok(rows.length === 16 && rows.every((row) => !/node|linear/.test(row)), rows.join());
    const answer = await page.innerText("#answers");
    assert.match(answer, /of 8 comparisons decided/);
    assert.doesNotMatch(answer, /node|linear|1m/);
    assert.deepEqual(errors, []);
  });
  assert.equal(hash, "#axis1=2,3&axis2=2,3,4,5&axis3=1,2");
  await withPage([files], async ({ page }) => {
    assert.equal((await rowNames(page)).length, 16);
    assert.equal(await page.getByLabel("node", { exact: true }).isChecked(), false);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal((await rowNames(page)).length, 45);
  }, { hash });
});

browserTest("the words of a mark are shown where the pointer is near it, once, and go with it", async () => {
  await withPage([files], async ({ page, errors }) => {
    const mark = page.locator("#chart-cpu .drawing path", { has: page.locator("title") }).first();
    const words = (await mark.locator("title").textContent())!;
    await mark.scrollIntoViewIfNeeded();
    // A page that is still being scrolled shows none.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const box = (await mark.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height + 3);
    const tip = page.locator(".tip:popover-open");
    assert.deepEqual(await tip.allTextContents(), [words]);
    assert.equal(await page.locator("#chart-cpu .drawing title").count(), 0, "a browser would show it again");
    await page.mouse.move(2, 2);
    assert.equal(await tip.count(), 0);
    assert.deepEqual(errors, []);
  });
});

for (const [width, height] of [[1280, 900], [390, 844]] as const) {
  browserTest(`the first screen has scope, answer and picture: ${width} × ${height}`, async () => {
    const published = readPublishedRun(fileURLToPath(new URL("../../results/reference-amd-25-17", import.meta.url)));
    await withPage([published], async ({ page }) => {
      await page.setViewportSize({ width, height });
      await drawn(page);
      const inside = async (selector: string) => {
        const box = (await page.locator(selector).first().boundingBox())!;
        return box.y >= 0 && box.y + box.height <= height;
      };
      for (const part of ["#answers .headline", "#answers .pick", "#chart-verdicts1 .drawing"]) {
        assert.ok(await inside(part), part);
      }
      assert.match(
        await page.innerText(".unseen"),
        /^Differences above about [\d.]+\s% would as a rule have been seen\.$/,
      );
      for (const folded of ["#filters", "#charts", "#noise"]) {
        assert.equal(await page.locator(folded).isVisible(), false, folded);
      }
    }, { width, folded: true });
  });
}

browserTest("a cell opens its evidence by keyboard, closes by Escape and gives the focus back", async () => {
  const card = files.cells.find(({ status }) => status !== "ok")!;
  await withPage([files], async ({ page, errors }) => {
    const button = page.locator(`[data-cell="${card.name}"]`);
    await button.focus();
    await page.keyboard.press("Enter");
    const detail = page.locator("dialog[open]");
    const text = await detail.innerText();
    assert.match(text, /3 socket errors/);
    assert.match(text, /bench run users --workload read --runtime node --store drizzle --size 1m/);
    assert.equal((await detail.locator('[data-metric="p99_us"]').innerText()).trim(), "–", "a faulty cell has none");
    assert.equal(await detail.locator("table.rounds tbody tr").count(), card.observations);
    assert.ok(await detail.locator("#detail-histogram svg rect").count() > 3);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    assert.equal(await page.evaluate("document.activeElement.dataset.cell"), card.name);
    assert.deepEqual(errors, []);
  });
});

browserTest("two runs stand in one page with their differences", async () => {
  const later = filesOf(makeFixture({ run: "later", speed: 1.2, stores: ["map", "sqlite"] }));
  await withPage([files, later], async ({ page, errors }) => {
    assert.equal(await page.locator("#differences tbody tr").count(), 18);
    // Rounds of one run are not runs: single ones are shown side by side and get no verdict.
    assert.equal(await page.locator("#differences td.good").count(), 0);
    assert.match(await page.innerText("#differences"), /rounds of one run are not runs/);
    assert.match(
      await page.innerText("#differences"),
      /B against A: no verdict on 18 cells, as rounds of one run are not runs[^;]*; typically/,
    );
    assert.equal(await page.locator("#differences svg title").count(), 18);
    assert.equal(await page.getByLabel("binary", { exact: true }).isVisible(), true);
    await page.selectOption("select[name=run]", { label: "later" });
    assert.equal(await page.innerText("#run-name"), "later");
    assert.equal(await page.getByLabel("binary", { exact: true }).isVisible(), false, "it has no such cell");
    assert.equal(await page.getByLabel("map", { exact: true }).isVisible(), true);
    assert.equal(await page.locator("#cells tbody tr").count(), 18);
    assert.deepEqual(errors, []);
  });
});

browserTest("what holds on several machines follows the filters", async () => {
  const machine = { ...files.run.machine, cpu_model: "<img src=x>", cpu_kind: "intel-6-207" };
  await withPage([files, { ...files, run: { ...files.run, run: "elsewhere", machine } }], async ({ page, errors }) => {
    assert.match(
      await page.innerText("#across"),
      /verdicts hold on both machines; [\s\S]*intel-6-207 is <img src=x>, run/,
    );
    await page.getByLabel("node", { exact: true }).uncheck();
    await page.getByLabel("deno", { exact: true }).uncheck();
    const names = await page.$$eval("#across tbody th", (heads) => heads.map((head) => head.textContent!));
    assert.ok(names.length > 0 && names.every((name) => /\(Store\)(?:$|, bun)/.test(name)), names.join());
    assert.deepEqual(errors, []);
  });
});

browserTest(
  "a suite with markup, slashes and quotes in its names is shown as it is, and no script of it runs",
  async () => {
    let alerts = 0;
    await withPage([odd], async ({ page, errors, requests }) => {
      page.on("dialog", (dialog) => {
        alerts++;
        void dialog.dismiss();
      });
      const named = await page.$$eval(
        "#cells button[data-cell]",
        (buttons) => buttons.map((each) => each.getAttribute("data-cell")),
      );
      assert.deepEqual(
        named.toSorted(),
        odd.cells.filter(({ cell }) => cell.label === "main").map(({ name }) => name).toSorted(),
      );
      const text = await page.innerText("main");
      for (
        const { value } of odd.run.plan.axes.filter(({ name }) => name !== ODD.page).flatMap(({ values }) => values)
      ) {
        assert.ok(text.replace(/\s+/g, " ").includes(String(value).replace(/\s+/g, " ")), String(value));
      }
      assert.equal(await page.locator("#steps table").count(), 2);
      assert.equal(await page.locator("#charts > figure").count(), 6);
      for (let n = 0; n < named.length; n++) {
        await page.locator("#cells button[data-cell]").nth(n).click();
        assert.equal(await page.innerText("#detail-title"), named[n]!.replace(/\s+/g, " "));
        await page.keyboard.press("Escape");
      }
      assert.deepEqual([errors, requests, alerts], [[], [], 0]);
    });
  },
);

browserTest("filters and links work with odd names", async () => {
  const [engine, way] = odd.run.plan.axes;
  const [kept, left] = engine!.values.map(({ value }) => String(value)) as [string, string];
  let hash = "";
  await withPage([odd], async ({ page }) => {
    await page.getByRole("checkbox", { name: left, exact: true }).uncheck();
    await page.getByRole("checkbox", { name: "10", exact: true }).uncheck();
    await page.locator("#cells button[data-cell]").first().click();
    hash = await page.evaluate("location.hash") as string;
  });
  await withPage([odd], async ({ page, errors }) => {
    assert.ok((await page.innerText("dialog[open] #detail-title")).startsWith(kept.replaceAll("/", "%2F")));
    await page.keyboard.press("Escape");
    assert.ok(way!.values.length > 1 && await page.locator("#cells tbody tr").count() > way!.values.length);
    assert.ok(!(await page.innerText("#cells")).includes(left));
    assert.match(await page.innerText("#cells thead"), /rows\/s/);
    assert.deepEqual(errors, []);
  }, { hash });
});

browserTest("what cannot be measured is a note with its reason, not a fault", async () => {
  await withPage([odd], async ({ page, errors }) => {
    assert.doesNotMatch(await page.innerText("#trust"), /not ok/);
    const marks = page.locator("#cells .mark");
    assert.equal(await marks.count(), 2);
    assert.equal(await page.locator("#cells .mark.note").count(), 2);
    const told: string[] = [];
    for (const mark of await marks.all()) {
      await mark.locator("xpath=../button").click();
      told.push(await page.innerText("dialog[open]"));
      await page.keyboard.press("Escape");
    }
    assert.ok(told.some((text) => /unsupported: this engine has no "way" < that/.test(text)), told.join());
    assert.deepEqual(errors, []);
  });
});

browserTest("a run without a scale has its rates as bars, with what was published", async () => {
  await withPage([filesOf(makeFixture({ sizes: [10_000] }))], async ({ page, errors }) => {
    assert.equal(await page.locator("#chart-rates rect").count(), 15);
    assert.equal(await page.locator("#chart-rates [stroke-dasharray] line").count(), 0);
    await page.getByLabel("published rates in charts").check();
    assert.equal(await page.locator("#chart-rates [stroke-dasharray] line").count(), 6);
    assert.deepEqual(errors, []);
  });
});

browserTest("heads sort, a baseline is told against, needs answer anew, and the link keeps all of it", async () => {
  let hash = "";
  const first = (page: Page) => page.locator("#cells tbody tr").first().locator("th").innerText();
  await withPage([files], async ({ page, errors }) => {
    // Parts of a figure are held together by spaces that do not break.
    const row = async (cell: string) =>
      (await page.locator("#cells tr", { has: page.locator(`[data-cell="${cell}"]`) }).innerText())
        .replaceAll("\u00a0", " ");
    const before = await first(page);
    await page.getByRole("button", { name: /^memory/ }).click();
    assert.notEqual(await first(page), before);
    assert.match(await page.innerText("#told"), /Sorted/);
    await page.getByRole("button", { name: /^cell/ }).click();
    assert.equal(await first(page), before);
    await page.getByRole("button", { name: /^listens/ }).click();
    assert.match(await row("node/sqlite/10k"), /\t1\.00\t/);
    await page.selectOption("select[name=baseline]", "deno/sqlite/10k");
    assert.match(await row("node/sqlite/10k"), /1\.\d\d × slower \[1\.\d+, 1\.\d+\]/);
    assert.match(await row("deno/sqlite/10k"), /\t1\.00\t/);
    assert.match(await page.innerText("#cells thead"), /Runtime: speed, deno = 1/);
    const answered = await page.innerText("#answers");
    await page.getByLabel("Memory at most").fill("65");
    await page.locator("#told", { hasText: "meet filters and needs" }).waitFor({ state: "attached" });
    assert.notEqual(await page.innerText("#answers"), answered);
    assert.equal(await page.locator('[data-cell="deno/map/1m"]').count(), 0);
    hash = await page.evaluate("location.hash") as string;
    assert.deepEqual(errors, []);
  });
  await withPage([files], async ({ page }) => {
    assert.equal(await page.inputValue("input[name=memory_mib]"), "65");
    assert.equal(await page.inputValue("select[name=baseline]"), "deno/sqlite/10k");
    assert.equal(await page.locator('[data-cell="deno/map/1m"]').count(), 0);
  }, { hash });
});

browserTest(
  "each chart has its figures as a table, and goes away as Markdown and as an SVG that stands alone",
  async () => {
    await withPage([files], async ({ page, errors }) => {
      const figures = await page.locator("figure").count();
      assert.equal(await page.locator("figure details table").count(), figures);
      assert.equal(await page.locator("figure .drawing svg").count(), figures);
      const taken = async (chart: string, how: string) => {
        await page.evaluate(
          "navigator.clipboard.writeText = (text) => { window.taken = text; return Promise.resolve(); }",
        );
        const button = page.locator(`[data-chart=${chart}][data-copy=${how}]`);
        if (!await button.isVisible()) await page.locator(`#chart-${chart} summary`).click();
        await button.click();
        return await page.evaluate("window.taken") as string;
      };
      assert.match(
        await taken("verdicts1", "markdown"),
        /^\*\*Runtime: speed, node = 1\*\*\n\n\| at \| Runtime \| over/,
      );
      for (const chart of ["verdicts1", "scaling"]) {
        const svg = await taken(chart, "svg");
        assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        assert.doesNotMatch(svg, /var\(|<style|class=/);
      }
      assert.deepEqual(errors, []);
    });
  },
);
