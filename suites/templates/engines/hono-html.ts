// Under another name, because deno fmt lays out what stands in literals tagged `html`, and with it the replies.
import { html as markup } from "hono/html";
import type { Row, RowsPage, Views } from "../pages.ts";

type Markup = ReturnType<typeof markup>;

const item = ({ name, price, sold }: Row) =>
  sold ? markup`<li class="sold">${name}</li>` : markup`<li>${name}: ${price}</li>`;

const row = ({ id, name, price, sold }: Row) =>
  markup`<tr><td>${id}</td><td>${name.toUpperCase()}</td><td>${price}</td><td>${sold ? "sold" : "open"}</td></tr>`;

const columns = markup`<thead><tr><th>Id</th><th>Name</th><th>Price</th><th>State</th></tr></thead>`;

const nav = (site: string) => markup`<nav><a href="/">${site}</a><a href="/about">About</a></nav>`;

const document = (title: string | Markup, body: Markup) =>
  markup`<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;

const layout = ({ title, site }: RowsPage, content: Markup) =>
  document(
    markup`${title} - ${site}`,
    markup`${nav(site)}<main>${content}</main><footer>${site}</footer>`,
  );

/** hono/html: tagged template literals, compiled with the program. */
export const openViews = (): Views => ({
  simple: ({ title, visitor, note }) => String(document(title, markup`<h1>Hello, ${visitor}</h1><p>${note}</p>`)),
  loop: ({ title, rows }) => String(document(title, markup`<h1>${title}</h1><ul>${rows.map(item)}</ul>`)),
  full: (page) =>
    String(
      layout(page, markup`<h1>${page.title}</h1><table>${columns}<tbody>${page.rows.map(row)}</tbody></table>`),
    ),
});
