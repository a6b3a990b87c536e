/** The frame of the site's pages: head, bar, search and foot. What is loaded comes from the site itself. */
import { type Content, escapeHtml, type Html, markup, markupText, trustedMarkup } from "../bench/page/html.ts";
import { linkFrom } from "./addresses.ts";

/** A link to any place; {@link markup} lets none lead upwards or out. */
export const link = (href: string, content: Content, attributes = ""): Html =>
  markup`${trustedMarkup(`<a href="${escapeHtml(href)}"${attributes}>`)}${content}${trustedMarkup("</a>")}`;

/** A link to a file of JSON beside what it is the source of. */
export const jsonLink = (href: string, of: string): Html =>
  link(href, "JSON", ` class="json" aria-label="${escapeHtml(`JSON of ${of}`)}"`);

/** The parts of the site in its bar, by their addresses. */
const PARTS = [
  ["docs/start/", "Start"],
  ["docs/", "Docs"],
  ["audits/", "Audits"],
  ["runs/", "Runs"],
  ["machines/", "CPUs"],
] as const;

/** A page without its frame. */
export interface Page {
  readonly address: string;
  readonly title: string;
  readonly body: Html;
  /** Links to the pages beside it. */
  readonly beside?: Html;
}

/** One origin and no code in the page: what texts hold, it runs nothing. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'";

/** Returns a whole page. */
export function framed({ address, title, body, beside }: Page, repository: string): string {
  const to = (other: string) => linkFrom(address, other);
  const part = PARTS.findLast(([place]) => address.startsWith(place))?.[0];
  const parts = PARTS.map(([place, name]) => link(to(place), name, place === part ? ' aria-current="true"' : ""));
  const asset = (name: string) => escapeHtml(to(`assets/${name}`));
  return markupText(markup`${
    trustedMarkup(`<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("site.js")}"></script>`)
  }<title>${title === "" ? "Levelfield" : `${title}, Levelfield`}</title>
</head><body>
<a class="skip" href="#main">Skip to the text</a>
<header><div class="wrap bar">${link(to(""), "Levelfield", ' class="name"')}<nav aria-label="Site">${parts}${
    link(repository, "Source")
  }</nav><search class="scripted"><label class="quiet" for="search">Search</label><input id="search" type="search" placeholder="Search" autocomplete="off"><div id="found" hidden></div></search><button type="button" id="theme" class="scripted">Theme: auto</button></div></header>
<div class="wrap columns">${beside ?? null}<main id="main">${body}</main></div>
<footer><div class="wrap"><p>Each figure follows from raw lines that are kept: ${
    link(to("docs/checking-runs/"), "check a run")
  }. MIT licence.</p></div></footer>
</body></html>`);
}
