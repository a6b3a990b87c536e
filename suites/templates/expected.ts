import { ROWS, rowsPage, simplePage } from "./pages.ts";

/** The pages as they must come, written out without any engine: replies are held against these. */
export type PageName = "json" | "simple" | "loop" | "full";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>']/g, (sign) => ENTITIES[sign]!);

function page(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><title>${escaped(title)}</title></head><body>${body}</body></html>`;
}

function simple(n: string): string {
  const { title, visitor, note } = simplePage(n);
  return page(title, `<h1>Hello, ${escaped(visitor)}</h1><p>${escaped(note)}</p>`);
}

function loop(n: string): string {
  const { title } = rowsPage(n);
  const items = ROWS.map(({ name, price, sold }) =>
    sold ? `<li class="sold">${escaped(name)}</li>` : `<li>${escaped(name)}: ${price}</li>`
  );
  return page(title, `<h1>${escaped(title)}</h1><ul>${items.join("")}</ul>`);
}

function full(n: string): string {
  const { title, site } = rowsPage(n);
  const rows = ROWS.map(({ id, name, price, sold }) => {
    const cells = [String(id), escaped(name.toUpperCase()), price, sold ? "sold" : "open"];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const columns = ["Id", "Name", "Price", "State"].map((column) => `<th>${column}</th>`).join("");
  const table = `<table><thead><tr>${columns}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
  const nav = `<nav><a href="/">${escaped(site)}</a><a href="/about">About</a></nav>`;
  const main = `<main><h1>${escaped(title)}</h1>${table}</main>`;
  return page(`${title} - ${site}`, `${nav}${main}<footer>${escaped(site)}</footer>`);
}

/** Each page for a request's `n`. */
export const EXPECTED: Readonly<Record<PageName, (n: string) => string>> = {
  json: (n) => JSON.stringify(simplePage(n)),
  simple,
  loop,
  full,
};
