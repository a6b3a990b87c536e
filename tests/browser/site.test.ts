/** The site, built from this checkout and served as files: its links, its weight, and how it is read. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, posix } from "node:path";
import { test } from "node:test";
import { keptFiles } from "../../site/project.ts";
import { buildSite, type Built } from "../../site/build.ts";
import { AXE, axeFaults } from "./axe.ts";
import { browserTest, lookAt, watchedPage, withBrowser } from "./opened-page.ts";

const folder = mkdtempSync(join(tmpdir(), "levelfield-site-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

let site: (Built & { readonly files: readonly string[] }) | undefined;

/** The site, built when a test first asks for it, with the files of its pages. */
function builtSite() {
  if (site !== undefined) return site;
  const built = buildSite(folder, {});
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
  return site = { ...built, files: files.sort() };
}

const textOf = (page: string) => readFileSync(join(folder, page), "utf8");

/** Pages below a root of their own, as a project's Pages are. */
const ROOT = "/levelfield/";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
};

async function withSite(work: (site: string) => Promise<void>): Promise<void> {
  builtSite();
  const server = createServer(({ url }, response) => {
    const path = join(folder, decodeURIComponent(new URL(url!, "http://site").pathname).slice(ROOT.length));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}${ROOT}`);
  } finally {
    server.close();
  }
}

test("no link of the site is dead, and what it links to in the repository is kept there", () => {
  const { files: pages, pages: count, inRepository } = builtSite();
  const idsOf = Map.groupBy(
    pages.flatMap((page) => [...textOf(page).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => ({ page, id: id! }))),
    ({ page }) => page,
  );
  const dead = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link!.replaceAll("&amp;", "&"))
      .filter((link) => !/^(?:https?|mailto|data):/.test(link)).filter((link) => {
        const [path, hash] = link.split("#") as [string, string?];
        const to = path === "" ? page : posix.join(dirname(page), path);
        const file = to.endsWith("/") || to === "." ? posix.join(to, "index.html") : to;
        return !existsSync(join(folder, file)) || !statSync(join(folder, file)).isFile() ||
          hash !== undefined && !idsOf.get(file)?.some(({ id }) => id === decodeURIComponent(hash));
      }).map((link) => `${page}: ${link}`)
  );
  assert.deepEqual(dead, []);
  const kept = [...keptFiles()];
  const gone = [...inRepository].filter((path) =>
    !kept.some((file) => file === path || file.startsWith(path.replace(/\/?$/, "/")))
  );
  assert.deepEqual(gone, []);
  assert.ok(count === pages.length && count > 150 && inRepository.size > 10);
});

test("an audit has an address that stays, with its claims as JSON", () => {
  builtSite();
  assert.equal(
    textOf("audits/express/1/index.html").match(/<h1[^]*?<\/h1>/)?.[0],
    textOf("audits/express/index.html").match(/<h1[^]*?<\/h1>/)?.[0],
  );
  const { edition, claims } = JSON.parse(textOf("audits/express/1/claims.json"));
  assert.equal(edition, 1);
  const [first] = claims;
  assert.ok(textOf("audits/express/index.html").includes(`${first.ratio.toFixed(2)} × [`), JSON.stringify(first));
  assert.ok(existsSync(join(folder, "runs", first.run, "summary.json")));
});

browserTest(
  "the front page answers three questions above the fold, shows the table, and weighs at most 300 kB",
  () =>
    withSite((site) =>
      withBrowser(async (context) => {
        const { page, errors } = await watchedPage(context, site);
        const bodies: Promise<Buffer>[] = [];
        page.on("response", (response) => bodies.push(response.body()));
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(site);
        await page.waitForSelector("html[data-ready]");
        assert.deepEqual(await page.locator(".card h2").allInnerTexts(), [
          "Which runtime?",
          "Which store?",
          "What do audits say?",
        ]);
        for (const part of [".card:nth-child(1)", ".card:nth-child(2)", ".card:nth-child(3)", "main .scroll thead"]) {
          const box = (await page.locator(part).first().boundingBox())!;
          assert.ok(box.y >= 0 && box.y + box.height <= 800, `${part}: ${JSON.stringify(box)}`);
        }
        assert.match(await page.locator(".card .pick").first().innerText(), /×/);
        assert.match(await page.locator("main .scroll").first().innerText(), /deno\/bun/);
        const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
        assert.ok(bytes > 10_000 && bytes <= 300_000, `${bytes} bytes`);
        assert.deepEqual(errors, []);
      })
    ),
);

/** A page of each kind, by turns narrow and light, wide and dark. */
const KINDS = ["", "docs/start/", "audits/", "audits/express/1/", "runs/", "machines/", "runs/reference-kv-amd-26-2/"];

browserTest(
  "every page is readable at 360 px, and axe finds nothing in a page of each kind",
  () =>
    withSite((site) =>
      withBrowser(async (context) => {
        const { page, errors } = await watchedPage(context, site);
        // Pages of runs have tests of their own.
        const own = builtSite().files.filter((name) => !/^runs\/./.test(name)).map((name) =>
          name.replace(/index\.html$/, "")
        );
        await lookAt(page, { width: 360, dark: false });
        for (const name of new Set([...own, ...KINDS])) {
          await page.goto(site + name);
          assert.ok(await page.evaluate("document.documentElement.scrollWidth") as number <= 360, `${name} is wider`);
          if (!KINDS.includes(name)) continue;
          await page.evaluate(AXE);
          assert.deepEqual(await axeFaults(page, "html"), [], `${name}, 360 light`);
          await lookAt(page, { width: 1280, dark: true });
          assert.deepEqual(await axeFaults(page, "html"), [], `${name}, 1280 dark`);
          await lookAt(page, { width: 360, dark: false });
        }
        assert.deepEqual(errors, []);
      })
    ),
);

browserTest(
  "the search finds a section from any page, and a chosen theme stays",
  () =>
    withSite((site) =>
      withBrowser(async (context) => {
        const { page, errors } = await watchedPage(context, site);
        await page.goto(`${site}audits/express/1/`);
        await page.getByRole("searchbox").fill("bisecting vers");
        await page.locator("#found a", { hasText: "Since when: Bisecting versions of a runtime" }).click();
        await page.waitForURL(`${site}docs/since-when/#bisecting-versions-of-a-runtime`);
        const theme = page.getByRole("button", { name: "Theme" });
        for (const next of ["light", "dark"]) {
          await theme.click();
          assert.equal(await theme.innerText(), `Theme: ${next}`);
        }
        await page.goto(site);
        assert.equal(
          await page.evaluate(
            "getComputedStyle(document.body).colorScheme || getComputedStyle(document.documentElement).colorScheme",
          ),
          "dark",
        );
        assert.deepEqual(errors, []);
      })
    ),
);
