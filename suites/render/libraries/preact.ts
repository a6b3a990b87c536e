import { h, type VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import { renderToReadableStream } from "preact-render-to-string/stream";
import { pageMadeBy } from "../page.ts";
import { DOCTYPE, type Library } from "./library.ts";

const page = pageMadeBy<VNode>(h as never);

/** Preact. */
export const library: Library = {
  string: (shown) => DOCTYPE + renderToString(page(shown)),
  stream: (shown) => renderToReadableStream(jsxTemplate([DOCTYPE, ""], page(shown))),
  imports: ["preact", "preact-render-to-string", "preact-render-to-string/stream"],
};
