import { classOf, shownPage, tipOf } from "./page.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);

/** The page as it must come, written out without any library: documents are compared with this one. */
export function expectedPage(n: string): string {
  const { title, site, rows } = shownPage(n);
  const items = rows.map((row) =>
    `<li class="${classOf(row)}" title="${escaped(tipOf(row))}"><b>${row.id}</b> ${
      escaped(row.name)
    }: ${row.price}</li>`
  );
  const nav = `<nav><a href="/">${escaped(site)}</a><a href="/about">About</a></nav>`;
  const main = `<main><section><h1>${escaped(title)}</h1><ul>${items.join("")}</ul></section></main>`;
  return `<!DOCTYPE html><html lang="en"><head><title>${escaped(`${title} - ${site}`)}</title></head>` +
    `<body>${nav}${main}<footer>${escaped(site)}</footer></body></html>`;
}
