import { createElement, Fragment, type JSXNode } from "hono/jsx";
import { renderToReadableStream } from "hono/jsx/streaming";
import { raw } from "hono/html";
import { pageMadeBy } from "../page.ts";
import { DOCTYPE, type Library } from "./library.ts";

const page = pageMadeBy<JSXNode>(createElement as never);

/** hono/jsx. */
export const library: Library = {
  string: (shown) => `${DOCTYPE}${page(shown)}`,
  stream: (shown) => renderToReadableStream(createElement(Fragment, {}, raw(DOCTYPE), page(shown)) as never),
  imports: ["hono/jsx", "hono/jsx/streaming"],
};
