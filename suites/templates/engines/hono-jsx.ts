import { createElement as h, type FC, type JSXNode, type PropsWithChildren } from "hono/jsx";
import type { Row, RowsPage, Views } from "../pages.ts";

const document = (title: string, ...body: JSXNode[]) =>
  `<!DOCTYPE html>${h("html", { lang: "en" }, h("head", null, h("title", null, title)), h("body", null, ...body))}`;

const Item: FC<Row> = ({ name, price, sold }) =>
  sold ? h("li", { class: "sold" }, name) : h("li", null, name, ": ", price);

const TableRow: FC<Row> = ({ id, name, price, sold }) =>
  h(
    "tr",
    null,
    h("td", null, id),
    h("td", null, name.toUpperCase()),
    h("td", null, price),
    h("td", null, sold ? "sold" : "open"),
  );

const Nav: FC<{ site: string }> = ({ site }) =>
  h("nav", null, h("a", { href: "/" }, site), h("a", { href: "/about" }, "About"));

const Layout: FC<PropsWithChildren<Pick<RowsPage, "title" | "site">>> = ({ title, site, children }) =>
  h(
    "html",
    { lang: "en" },
    h("head", null, h("title", null, title, " - ", site)),
    h("body", null, h(Nav, { site }), h("main", null, children), h("footer", null, site)),
  );

const COLUMNS = ["Id", "Name", "Price", "State"] as const;

/** hono/jsx: elements made by calls, which is what a compiler makes of JSX. */
export const openViews = (): Views => ({
  simple: ({ title, visitor, note }) => document(title, h("h1", null, "Hello, ", visitor), h("p", null, note)),
  loop: ({ title, rows }) =>
    document(title, h("h1", null, title), h("ul", null, ...rows.map((row) => h(Item, { ...row })))),
  full: ({ title, site, rows }) =>
    `<!DOCTYPE html>${
      h(
        Layout,
        { title, site },
        h("h1", null, title),
        h(
          "table",
          null,
          h("thead", null, h("tr", null, ...COLUMNS.map((column) => h("th", null, column)))),
          h("tbody", null, ...rows.map((row) => h(TableRow, { ...row }))),
        ),
      )
    }`,
});
