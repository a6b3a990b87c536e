import { createElement } from "react";
import { renderToReadableStream, renderToString } from "react-dom/server";
import { pageMadeBy } from "../page.ts";
import { DOCTYPE, type Library } from "./library.ts";

const page = pageMadeBy(createElement);

/** React: its stream writes a doctype, its string does not. */
export const library: Library = {
  string: (shown) => DOCTYPE + renderToString(page(shown)),
  stream: (shown) => renderToReadableStream(page(shown)),
  imports: ["react", "react-dom/server"],
};
