import { type Row, type RowsPage, rowsPage } from "../templates/pages.ts";

/** Returns the content of the page for a request's `n`: the rows of the suite `templates`. */
export const shownPage = rowsPage;

/** An attribute of each row: quotes beside all other signs that must be escaped. */
export const tipOf = ({ name }: Row) => `"${name}"`;

/** Class of a row. */
export const classOf = ({ sold }: Row) => sold ? "sold" : "open";

type Component<Node, Props> = (props: Props & { readonly children?: Node }) => Node;
type Child<Node> = Node | string | number | readonly Node[] | undefined;

/** `createElement` of a library whose components are functions of their props. */
// deno-lint-ignore no-explicit-any -- each component has props of its own
type Create<Node> = (type: string | Component<Node, any>, props: object | null, ...children: Child<Node>[]) => Node;

/** The page as components, written once for all libraries that make elements by such calls. */
export function pageMadeBy<Node>(h: Create<Node>): (page: RowsPage) => Node {
  const Item: Component<Node, { row: Row }> = ({ row }) =>
    h("li", { className: classOf(row), title: tipOf(row) }, h("b", null, row.id), " ", row.name, ": ", row.price);
  const Nav: Component<Node, { site: string }> = ({ site }) =>
    h("nav", null, h("a", { href: "/" }, site), h("a", { href: "/about" }, "About"));
  const Layout: Component<Node, { title: string; site: string }> = ({ title, site, children }) =>
    h(
      "html",
      { lang: "en" },
      h("head", null, h("title", null, `${title} - ${site}`)),
      h("body", null, h(Nav, { site }), h("main", null, children), h("footer", null, site)),
    );
  return ({ title, site, rows }) =>
    h(
      Layout,
      { title, site },
      h(
        "section",
        null,
        h("h1", null, title),
        h("ul", null, rows.map((row) => h(Item, { key: row.id, row }))),
      ),
    );
}
