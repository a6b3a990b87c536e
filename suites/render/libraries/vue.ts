import { createSSRApp, type FunctionalComponent, h } from "vue";
import { renderToSimpleStream, renderToString } from "vue/server-renderer";
import type { Row, RowsPage } from "../../templates/pages.ts";
import { classOf, tipOf } from "../page.ts";
import { DOCTYPE, type Library, pushedStream } from "./library.ts";

const Item: FunctionalComponent<{ row: Row }> = ({ row }) =>
  h("li", { class: classOf(row), title: tipOf(row) }, [h("b", row.id), " ", row.name, ": ", row.price]);
Item.props = ["row"];

const Nav: FunctionalComponent<{ site: string }> = ({ site }) =>
  h("nav", [h("a", { href: "/" }, site), h("a", { href: "/about" }, "About")]);
Nav.props = ["site"];

const Layout: FunctionalComponent<{ title: string; site: string }> = ({ title, site }, { slots }) =>
  h("html", { lang: "en" }, [
    h("head", [h("title", `${title} - ${site}`)]),
    h("body", [h(Nav, { site }), h("main", slots["default"]!()), h("footer", site)]),
  ]);
Layout.props = ["title", "site"];

const Page: FunctionalComponent<RowsPage> = ({ title, site, rows }) =>
  h(Layout, { title, site }, {
    default: () => [
      h("section", [h("h1", title), h("ul", rows.map((row) => h(Item, { key: row.id, row })))]),
    ],
  });
Page.props = ["title", "site", "rows"];

const appOf = (shown: RowsPage) => createSSRApp(Page as never, { ...shown });

/** Vue: render functions, which its compiler would replace by code that joins strings. */
export const library: Library = {
  string: async (shown) => DOCTYPE + await renderToString(appOf(shown)),
  stream: (shown) => pushedStream((push, destroy) => renderToSimpleStream(appOf(shown), {}, { push, destroy })),
  imports: ["vue", "vue/server-renderer"],
};
