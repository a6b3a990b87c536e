/** Opens pages in a real browser. Skipped where there is no Chromium (try: apt-get install -y chromium-headless-shell); CHROMIUM names another one. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { makePage } from "../../bench/page/make-page.ts";
import { pageData, type RunFiles } from "../../bench/page/shown-run.ts";
import { PATIENCE_MS } from "../patience.ts";

// The same engine without windows opens a page in half the time.
const chromium = [process.env["CHROMIUM"], "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
  .find((file) => file !== undefined && existsSync(file));
if (chromium === undefined) process.stderr.write("no Chromium: the report is not tried in a browser\n");

/** `test` where there is a browser, a visible skip elsewhere. */
export const browserTest = chromium === undefined ? test.skip : test;

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-smooth-scrolling",
];

/** A page at hand. */
interface Opened {
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
  /** False for a reader whose browser runs none. */
  readonly scripts?: boolean;
  /** As a reader finds it; else what is folded is open. */
  readonly folded?: boolean;
  /** Errors are expected; else there is none, and nothing is asked for. */
  readonly faulty?: boolean;
}

/** The one browser of this process, started when it is first needed. */
let browser: Promise<Browser> | undefined;
let closing: ReturnType<typeof setTimeout> | undefined;
let used = 0;
/** So long after its last use it is closed, and with it the process can end. */
const IDLE_MS = 500;

/** Files of pages, by the runs they show: each is rendered once. */
const rendered: { readonly runs: readonly RunFiles[]; readonly file: string }[] = [];
let folder: string | undefined;
let pages = 0;

async function close(): Promise<void> {
  const open = browser;
  browser = undefined;
  rendered.length = 0;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
  await (await open)?.close();
}

/** What nobody used before: pages without cookies, storage or cache of others. Closed afterwards. */
export async function withBrowser(
  work: (context: BrowserContext) => Promise<void>,
  { width = 1280, dark = false, scripts = true }: Look = {},
): Promise<void> {
  const { chromium: driver } = await import("playwright-core");
  clearTimeout(closing);
  used++;
  browser ??= driver.launch({ executablePath: chromium!, args: ARGS, timeout: 0 });
  const context = await (await browser).newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
    javaScriptEnabled: scripts,
  });
  // What is not there fails by its name, once patience has ended.
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    await work(context);
  } finally {
    await context.close();
    if (--used === 0) closing = setTimeout(() => void close(), IDLE_MS);
  }
}

/** A file with a page. */
function fileOf(text: string): string {
  folder ??= mkdtempSync(join(tmpdir(), "levelfield-pages-"));
  const file = join(folder, `report-${pages++}.html`);
  writeFileSync(file, text);
  return file;
}

/** The file of a page of some runs. */
function pageOf(runs: readonly RunFiles[]): string {
  const known = rendered.find((one) => one.runs.length === runs.length && one.runs.every((run, n) => run === runs[n]));
  if (known !== undefined) return known.file;
  const file = fileOf(makePage(pageData(runs)));
  rendered.push({ runs, file });
  return file;
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
export const withPage = (runs: readonly RunFiles[], work: (opened: Opened) => Promise<void>, look: Look = {}) =>
  withFile(() => pageOf(runs), work, look);

/** A test of a page, of runs or one that was made, and how it is looked at. */
export const pageTest = (
  name: string,
  page: readonly RunFiles[] | string | (Look & { readonly of: readonly RunFiles[] | string }),
  work: (opened: Opened) => Promise<void>,
): void => {
  const { of, ...look } = typeof page === "object" && "of" in page ? page : { of: page };
  browserTest(name, () => typeof of === "string" ? withOwnPage(of, work, look) : withPage(of, work, look));
};

/** Opens a page that was made, from disk. */
export const withOwnPage = (text: string, work: (opened: Opened) => Promise<void>, look: Look = {}) =>
  withFile(() => fileOf(text), work, look);

async function withFile(make: () => string, work: (opened: Opened) => Promise<void>, look: Look): Promise<void> {
  await withBrowser(async (context) => {
    const address = pathToFileURL(make()).href;
    const opened = await watchedPage(context, address);
    await ready(opened.page, `${address}${look.hash ?? ""}`, look);
    await work(opened);
    if (!look.faulty) assert.deepEqual([opened.errors, opened.requests], [[], []]);
  }, look);
}

/** Goes to an address and waits until its script listens. */
async function ready(page: Page, address: string, { folded = false, scripts = true }: Look = {}): Promise<void> {
  await page.goto(address);
  if (!scripts) return;
  await page.waitForSelector("html[data-ready]");
  if (folded) return;
  await page.$$eval<void, HTMLDetailsElement>("details.fold", (folds) => folds.forEach((fold) => fold.open = true));
}

/** Opens pages of runs from disk, one after the other in one place, which is several times as fast as a new one for each. */
export async function withPages(
  pages: readonly (readonly RunFiles[])[],
  work: (opened: Opened, n: number) => Promise<void>,
): Promise<void> {
  await withBrowser(async (context) => {
    const opened = await watchedPage(context, "file:");
    for (const [n, runs] of pages.entries()) {
      await ready(opened.page, pathToFileURL(pageOf(runs)).href);
      await work(opened, n);
    }
  });
}

/** Looks at a page that is open in another width or theme. */
export async function lookAt(page: Page, { width, dark }: Required<Pick<Look, "width" | "dark">>): Promise<void> {
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  await page.setViewportSize({ width, height: 900 });
}
