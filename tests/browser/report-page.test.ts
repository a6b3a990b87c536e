/**
 * The report in a real browser. Skipped where there is no Chromium (try: apt-get install -y chromium); CHROMIUM names
 * another one. Longer than 300 lines because all its tests open pages in one way.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { formatRate, formatUs } from "../../bench/core/units.ts";
import { makePage } from "../../bench/report/page/make-page.ts";
import { pageData, type RunFiles } from "../../bench/report/shown-run.ts";
import { makeFixture, makeOddFixture, ODD } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { inTemporaryFolder } from "../testing.ts";

const chromium = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-headless-shell"]
  .find((file) => file !== undefined && existsSync(file));
if (chromium === undefined) process.stderr.write("no Chromium: the report is not tried in a browser\n");
const browserTest = chromium === undefined ? test.skip : test;

const ARGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

interface Opened {
  readonly page: Page;
  /** Errors of the console and of scripts. */
  readonly errors: readonly string[];
  /** Everything asked for besides the page itself. */
  readonly requests: readonly string[];
}

/** Opens a page of runs from disk in a browser of its own profile, and closes both afterwards. */
async function withPage(
  runs: readonly RunFiles[],
  work: (opened: Opened) => Promise<void>,
  options: { readonly width?: number; readonly hash?: string; readonly dark?: boolean } = {},
): Promise<void> {
  const { chromium: driver } = await import("playwright-core");
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "report.html");
    writeFileSync(file, makePage(pageData(runs)));
    const context = await driver.launchPersistentContext(join(folder, "profile"), {
      executablePath: chromium!,
      args: ARGS,
      viewport: { width: options.width ?? 1280, height: 900 },
      colorScheme: options.dark === true ? "dark" : "light",
    });
    try {
      const page = await context.newPage();
      const errors: string[] = [];
      const requests: string[] = [];
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      page.on("pageerror", (error) => errors.push(error.message));
      const address = pathToFileURL(file).href;
      page.on("request", (request) => {
        if (!request.url().startsWith(address) && !request.url().startsWith("data:")) requests.push(request.url());
      });
      await page.goto(`${address}${options.hash ?? ""}`);
      await page.waitForSelector("html[data-ready]", { timeout: 10_000 });
      await work({ page, errors, requests });
    } finally {
      await context.close();
    }
  });
}

const files = filesOf(makeFixture());
const odd = filesOf(makeOddFixture());

browserTest("the page renders without errors, asks for nothing, and its figures are those of the cards", async () => {
  await withPage([files], async ({ page, errors, requests }) => {
    const shown = await page.$$eval(
      "#heat button[data-cell]",
      (buttons) =>
        buttons.map((button) => [button.getAttribute("data-cell"), button.querySelector(".value")!.textContent]),
    );
    const expected = files.cells.filter((card) => card.cell.label === "main").map((card) => [
      card.name,
      `${card.bound === "generator" ? "≥ " : ""}${formatRate(card.requests_per_second!)}`,
    ]);
    assert.deepEqual(shown.map(String).sort(), expected.map(String).sort());
    assert.equal(await page.locator("#charts > figure").count(), 7);
    assert.ok(await page.locator("#chart-scaling circle").count() >= expected.length);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests, []);
  });
});

browserTest("filters and the metric change table and charts, and a link restores them", async () => {
  let hash = "";
  const rowNames = (page: Page) =>
    page.$$eval("#heat tbody th", (heads) => heads.map((head) => head.textContent!.replace(/\s+/g, " ").trim()));
  await withPage([files], async ({ page, errors }) => {
    await page.getByLabel("node", { exact: true }).uncheck();
    await page.getByLabel("linear", { exact: true }).uncheck();
    await page.getByLabel("1m", { exact: true }).uncheck();
    await page.selectOption("select[name=metric]", "p99_us");
    hash = await page.evaluate("location.hash") as string;
    const rows = await rowNames(page);
    assert.ok(rows.length === 8 && rows.every((row) => !/node|linear/.test(row)), rows.join());
    const answer = await page.innerText("#answers");
    assert.match(answer, /of 8 comparisons decided/);
    assert.doesNotMatch(answer, /node|linear|1m/);
    assert.deepEqual(errors, []);
  });
  assert.equal(hash, "#metric=p99_us&axis1=2,3&axis2=2,3,4,5&axis3=1,2");
  await withPage([files], async ({ page }) => {
    assert.equal((await rowNames(page)).length, 8);
    assert.equal(await page.locator("#heat thead th").count(), 3);
    assert.equal(await page.inputValue("select[name=metric]"), "p99_us");
    assert.equal(await page.getByLabel("node", { exact: true }).isChecked(), false);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.equal((await rowNames(page)).length, 15);
    assert.equal(await page.inputValue("select[name=metric]"), "p99_us", "what is shown of them stays");
  }, { hash });
});

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
    assert.equal(
      (await detail.locator('[data-metric="p99_us"]').innerText()).trim(),
      formatUs(card.p99_us!),
    );
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
    await page.selectOption("select[name=run]", "1");
    assert.equal(await page.innerText("#run-name"), "later");
    assert.equal(await page.locator("#heat tbody tr").count(), 6);
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
    assert.ok(names.length > 0 && names.every((name) => name.includes("(Store), bun")), names.join());
    assert.deepEqual(errors, []);
  });
});

browserTest("hostile text in results runs nothing", async () => {
  const hostile = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">`;
  const [first, ...rest] = files.cells;
  const spoilt = {
    ...first!,
    name: hostile,
    status: "invalid" as const,
    reasons: [{ code: "socket-errors" as const, message: hostile }],
    cell: {
      point: { ...first!.cell.point, at: { ...first!.cell.point.at, [hostile]: 1, store: hostile } },
      label: "main",
    },
  };
  await withPage([{ ...files, cells: [spoilt, ...rest] }], async ({ page, errors, requests }) => {
    await page.locator("#heat button[data-cell]").filter({ hasText: "invalid" }).last().click();
    assert.ok((await page.innerText("dialog[open]")).includes(hostile));
    assert.equal(await page.evaluate("window.hacked"), undefined);
    assert.deepEqual([errors, requests], [[], []]);
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
        "#heat button[data-cell]",
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
        await page.locator("#heat button[data-cell]").nth(n).click();
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
    await page.selectOption("select[name=metric]", "rows_per_second");
    await page.locator("#heat button[data-cell]").first().click();
    hash = await page.evaluate("location.hash") as string;
  });
  await withPage([odd], async ({ page, errors }) => {
    assert.ok((await page.innerText("dialog[open] #detail-title")).startsWith(kept.replaceAll("/", "%2F")));
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#heat tbody tr").count(), way!.values.length);
    assert.equal(await page.locator("#heat thead th").count(), 3);
    assert.ok(!(await page.innerText("#heat")).includes(left));
    assert.match(await page.innerText("#heat caption"), /^Rows per second/);
    assert.deepEqual(errors, []);
  }, { hash });
});

browserTest("what cannot be measured is a note with its reason, not a fault", async () => {
  await withPage([odd], async ({ page, errors }) => {
    assert.doesNotMatch(await page.innerText("#trust"), /not ok/);
    const marks = page.locator("#heat .mark");
    assert.equal(await marks.count(), 2);
    assert.equal(await page.locator("#heat .mark.note").count(), 2);
    await marks.last().click();
    assert.match(await page.innerText("dialog[open]"), /unsupported: this engine has no "way" < that/);
    assert.deepEqual(errors, []);
  });
});

browserTest("a run without a scale has its rates as bars, with what was published", async () => {
  await withPage([filesOf(makeFixture({ sizes: [10_000] }))], async ({ page, errors }) => {
    assert.equal(await page.locator("#chart-rates rect").count(), 15);
    assert.equal(await page.locator("#chart-rates [stroke-dasharray] line").count(), 6);
    assert.equal(await page.locator("#heat thead th").count(), 4);
    assert.deepEqual(errors, []);
  });
});

for (
  const { name, of = files, ...options } of [
    { name: "laptop" },
    { name: "phone", width: 390 },
    { name: "dark", dark: true },
    { name: "odd names", of: odd },
    { name: "odd names on a phone", of: odd, width: 390 },
  ]
) {
  browserTest(`axe finds no serious fault (${name}), also with evidence open; nothing overflows`, async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const RUN =
      "axe.run().then(({ violations }) => violations.filter((fault) => /serious|critical/.test(fault.impact))" +
      ".map((fault) => fault.id + ': ' + fault.nodes[0].html + ' ' + fault.nodes[0].failureSummary))";
    await withPage([of], async ({ page }) => {
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true, "it overflows");
      await page.evaluate(axe);
      assert.deepEqual(await page.evaluate(RUN), []);
      await page.locator("#heat button[data-cell]").nth(4).click();
      assert.deepEqual(await page.evaluate(RUN), []);
    }, options);
  });
}

browserTest("a page of 1 000 cells opens, and its packed data unpack", async () => {
  const { run, lines } = makeFixture({ rounds: 1, sizes: Array.from({ length: 67 }, (_, n) => 1_000 * (n + 1)) });
  const large = filesOf({
    run: { ...run, plan: { ...run.plan, ensembles: [], ceilings: [] } },
    lines: lines.filter(({ kind }) => kind === "solo"),
  });
  await withPage([large], async ({ page, errors }) => {
    assert.equal(await page.locator("#heat button[data-cell]").count(), 1_005);
    assert.deepEqual(errors, []);
  });
});
