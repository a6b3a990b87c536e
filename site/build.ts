/**
 * Builds the whole site into a folder: every page, the JSON beside it, then what pages load.
 *
 * markdown-it and MiniSearch are 4 MB of a checkout's packages, without install scripts. VitePress 1.6 is 102 MB with one,
 * docs/start.md made by it loads 380 kB, and pages of runs would not be made by it anyway.
 */
import { copyFileSync, cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import amaro from "amaro";
import MiniSearch from "minisearch";
import { type Html, markup, trustedMarkup } from "../bench/page/html.ts";
import { baseStyle } from "../bench/page/page-frame.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { readAudits } from "../lab/audits/audit.ts";
import { addressOf, linkFrom } from "./addresses.ts";
import { type AuditHeld, editionLine, editionOf, heldClaims } from "./audit-pages.ts";
import { docsList } from "./docs-list.ts";
import { jsonLink } from "./frame.ts";
import { frontPage } from "./front-page.ts";
import { type Links, makeHtml } from "./markdown.ts";
import { keptFiles, type KeptRun, keptRuns, markdownFiles, repositoryAddress, textOf } from "./project.ts";
import { machineSections, runFilesIn, runIndex, runPage } from "./run-pages.ts";
import { SEARCH_OPTIONS } from "./search-options.ts";
import { SiteFolder } from "./site-folder.ts";

/** The project as the site shows it. */
interface Shown {
  readonly files: ReadonlySet<string>;
  readonly runs: readonly KeptRun[];
  readonly audits: readonly AuditHeld[];
  linksOf(page: string): Links;
}

/** What was built. */
export interface Built {
  readonly pages: number;
  /** Paths of the project that pages link to in the repository. */
  readonly inRepository: ReadonlySet<string>;
}

/** Builds the site. Throws where the folder holds anything but a site. */
export function buildSite(folder: string, env: Readonly<Record<string, string | undefined>>): Built {
  const repository = repositoryAddress(env), inRepository = new Set<string>();
  const site = new SiteFolder(folder, repository);
  const runs = keptRuns();
  const shown: Shown = {
    files: keptFiles(),
    runs,
    audits: readAudits().map((audit) => ({ ...audit, held: heldClaims(audit) })),
    linksOf: (page) => ({
      to: (path) => {
        const address = addressOf(path);
        if (address !== null && existsSync(join(PROJECT_ROOT, path))) return linkFrom(page, address);
        inRepository.add(path);
        return inRepositoryAt(`${repository}/`, env["GITHUB_SHA"] || "main", path);
      },
      json: (run) => runs.some(({ name }) => name === run) ? linkFrom(page, `runs/${run}/summary.json`) : null,
    }),
  };
  site.put({ address: "", title: "", body: frontPage(textOf("README.md"), shown, shown.linksOf("")) });
  for (const path of markdownFiles(shown.files)) if (path !== "README.md") putMarkdown(site, path, shown);
  site.writeJson("audits/claims.json", shown.audits.map(({ name, title, held }) => ({ name, title, claims: held })));
  putMachines(site, shown);
  for (const run of runs) putRun(site, run);
  cpSync(join(PROJECT_ROOT, "results", "schema"), site.place("runs/schema"), { recursive: true });
  cpSync(join(PROJECT_ROOT, "docs", "pictures"), site.place("docs/pictures"), { recursive: true });
  for (const path of shown.files) {
    if (/^docs\/audits\/earlier\/.*\.json$/.test(path)) {
      copyFileSync(join(PROJECT_ROOT, path), site.place(addressOf(path)!));
    }
  }
  putAssets(site);
  return { pages: site.pages, inRepository };
}

function inRepositoryAt(repository: string, revision: string, path: string): string {
  const file = join(PROJECT_ROOT, path), isFolder = existsSync(file) && statSync(file).isDirectory();
  return `${repository}${isFolder ? "tree" : "blob"}/${revision}/${path.replace(/\/$/, "")}`;
}

/** Puts the page of a Markdown file; that of an audit at two addresses: what it says today, and its edition, which stays. */
function putMarkdown(site: SiteFolder, path: string, { files, runs, audits, linksOf }: Shown): void {
  const first = addressOf(path)!, text = textOf(path);
  const name = /^docs\/audits\/([\w-]+)\.md$/.exec(path)?.[1], audit = audits.find((one) => one.name === name);
  const edition = audit === undefined ? null : editionOf(audit.name, files);
  for (const address of edition === null ? [first] : [first, `${first}${edition}/`]) {
    const { html, title, sections } = makeHtml(text, path, linksOf(address));
    const extra = edition !== null ? editionLine(address, audit!.name, edition, true) : extraOf(path, runs);
    // Below the title, before all that explains it.
    const end = extra === null ? 0 : html.indexOf("</h1>") + "</h1>".length;
    const body = markup`${trustedMarkup(html.slice(0, end))}${extra}${trustedMarkup(html.slice(end))}`;
    const beside = path.startsWith("docs/") ? { beside: docsList(address) } : {};
    site.put({ address, title, body, ...beside }, address === first ? sections : []);
  }
  if (edition !== null) {
    const { title, held } = audit!;
    site.writeJson(`${first}${edition}/claims.json`, { title, edition, claims: held });
  }
}

/** What earlier editions of audits and two indexes have besides their text. */
function extraOf(path: string, runs: readonly KeptRun[]): Html | null {
  const [, name, edition] = /^docs\/audits\/earlier\/([\w-]+)\/(\d+)\.md$/.exec(path) ?? [];
  if (name !== undefined) return editionLine(addressOf(path)!, name, Number(edition), false);
  if (path === "results/README.md") return runIndex(runs);
  return path === "docs/audits/README.md"
    ? markup`<p class="source">All claims: ${jsonLink("claims.json", "all audits")}</p>`
    : null;
}

function putMachines(site: SiteFolder, { runs, linksOf }: Shown): void {
  const address = "machines/", sections = machineSections(runs, linksOf(address));
  const body =
    markup`<h1>What holds on several kinds of CPU</h1><p>A ratio of two servers on one kind of CPU is not their ratio on another. These are the kept runs of one question that were made on at least two.</p>${
      sections.map(({ title, html }) => markup`<h2 id="${title}">${title}</h2>${html}`)
    }`;
  site.put({ address, title: "Kinds of CPU", body });
}

/** Puts the page of a run, and its files but the hashes of what `bench verify` reads in a clone. */
function putRun(site: SiteFolder, run: KeptRun): void {
  const address = `runs/${run.name}/`, { subject, sentence } = run.files.summary.answer;
  site.putWhole(address, runPage(run));
  for (const file of runFilesIn(run.folder)) copyFileSync(join(run.folder, file), site.place(`${address}${file}`));
  cpSync(join(run.folder, "cells"), site.place(`${address}cells`), { recursive: true });
  site.find({ address, title: run.name }, [{ heading: subject, id: "", text: sentence }]);
}

function putAssets(site: SiteFolder): void {
  const here = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  site.write("assets/site.css", baseStyle() + here("site.css"));
  const { code } = amaro.transformSync(here("browser/site.ts"), { mode: "strip-only" });
  const options = `const SEARCH_OPTIONS = ${JSON.stringify(SEARCH_OPTIONS)};\n`;
  site.write("assets/site.js", options + code.replaceAll(/[ \t]+$/gm, ""));
  const search = dirname(createRequire(import.meta.url).resolve("minisearch"));
  copyFileSync(join(search, "..", "es", "index.js"), site.place("assets/minisearch.js"));
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(site.found.map((section, id) => ({ id, ...section })));
  site.write("assets/search.json", JSON.stringify(index));
}
