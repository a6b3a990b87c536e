import type { Row, RowsPage } from "../../templates/pages.ts";
import * as web from "solid-js/web";
import { classOf, tipOf } from "../page.ts";
import { DOCTYPE, type Library, pushedStream } from "./library.ts";

/** The functions that compiled code calls; the package types them for people. */
interface Compiled {
  ssr(template: readonly string[], ...parts: unknown[]): unknown;
  escape(value: unknown, inAttribute?: boolean): string;
  ssrAttribute(name: string, value: string, isBoolean: boolean): string;
  createComponent(component: unknown, props: object): unknown;
  renderToString(page: () => unknown): string;
  renderToStream(page: () => unknown): { pipe(to: { write(piece: string): void; end(): void }): void };
  readonly For: unknown;
  readonly NoHydration: unknown;
}

const { createComponent, escape, For, NoHydration, renderToStream, renderToString, ssr, ssrAttribute } =
  web as unknown as Compiled;

const ITEM = ["<li", "><b>", "</b> ", ": ", "</li>"];
const NAV = ['<nav><a href="/">', '</a><a href="/about">About</a></nav>'];
const HEAD = ["<head><title>", "</title></head>"];
const HTML = ['<html lang="en">', "<body>", "<main>", "</main><footer>", "</footer></body></html>"];
const SECTION = ["<section><h1>", "</h1><ul>", "</ul></section>"];

const Item = ({ row }: { row: Row }) =>
  ssr(
    ITEM,
    ssrAttribute("class", escape(classOf(row), true), false) + ssrAttribute("title", escape(tipOf(row), true), false),
    escape(row.id),
    escape(row.name),
    escape(row.price),
  );

const Nav = ({ site }: { site: string }) => ssr(NAV, escape(site));

const Layout = (props: { title: string; site: string; readonly children: unknown }) =>
  ssr(
    HTML,
    createComponent(NoHydration, {
      get children() {
        return ssr(HEAD, escape(`${props.title} - ${props.site}`));
      },
    }),
    escape(createComponent(Nav, { site: props.site })),
    escape(props.children),
    escape(props.site),
  );

const page = ({ title, site, rows }: RowsPage) => () =>
  createComponent(Layout, {
    title,
    site,
    get children() {
      const children = (row: Row) => createComponent(Item, { row });
      return ssr(SECTION, escape(title), escape(createComponent(For, { each: rows, children })));
    },
  });

/** Solid: written as its compiler writes the page for servers, since sources run unbuilt. */
export const library: Library = {
  string: (shown) => DOCTYPE + renderToString(page(shown)),
  stream: (shown) => pushedStream((push) => renderToStream(page(shown)).pipe({ write: push, end: () => push(null) })),
  imports: ["solid-js", "solid-js/web"],
};
