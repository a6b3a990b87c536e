/** Opens pages in a real browser. Skipped where there is no Chromium (try: apt-get install -y chromium); CHROMIUM names another one. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { makePage } from "../../bench/report/page/make-page.ts";
import { pageData, type RunFiles } from "../../bench/report/shown-run.ts";
import { inTemporaryFolder } from "../testing.ts";

const chromium = [process.env["CHROMIUM"], "/usr/bin/chromium", "/usr/bin/chromium-headless-shell"]
  .find((file) => file !== undefined && existsSync(file));
if (chromium === undefined) process.stderr.write("no Chromium: the report is not tried in a browser\n");

/** `test` where there is a browser, a visible skip elsewhere. */
export const browserTest = chromium === undefined ? test.skip : test;

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

/** A page at hand. */
export interface Opened {
  readonly page: Page;
  /** Errors of the console and of scripts. */
  readonly errors: readonly string[];
  /** Everything asked for besides the page itself. */
  readonly requests: readonly string[];
}

/** How a page is looked at. */
export interface Look {
  readonly width?: number;
  readonly hash?: string;
  readonly dark?: boolean;
}

/** A browser of its own profile, closed afterwards. */
export async function withBrowser(
  work: (context: BrowserContext, folder: string) => Promise<void>,
  { width = 1280, dark = false }: Look = {},
): Promise<void> {
  const { chromium: driver } = await import("playwright-core");
  await inTemporaryFolder(async (folder) => {
    const context = await driver.launchPersistentContext(join(folder, "profile"), {
      executablePath: chromium!,
      args: ARGS,
      viewport: { width, height: 900 },
      colorScheme: dark ? "dark" : "light",
    });
    try {
      await work(context, folder);
    } finally {
      await context.close();
    }
  });
}

/** A page of a browser, with what goes wrong in it and what it asks for besides one address. */
export async function watchedPage(context: BrowserContext, address: string): Promise<Opened> {
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:")) requests.push(request.url());
  });
  return { page, errors, requests };
}

/** Opens a page of runs from disk. */
export async function withPage(
  runs: readonly RunFiles[],
  work: (opened: Opened) => Promise<void>,
  look: Look = {},
): Promise<void> {
  await withOwnPage(makePage(pageData(runs)), work, look);
}

/** Opens a page that was made, from disk. */
export async function withOwnPage(
  text: string,
  work: (opened: Opened) => Promise<void>,
  look: Look = {},
): Promise<void> {
  await withBrowser(async (context, folder) => {
    const file = join(folder, "report.html");
    writeFileSync(file, text);
    const address = pathToFileURL(file).href;
    const opened = await watchedPage(context, address);
    await opened.page.goto(`${address}${look.hash ?? ""}`);
    await opened.page.waitForSelector("html[data-ready]", { timeout: 10_000 });
    await work(opened);
  }, look);
}
