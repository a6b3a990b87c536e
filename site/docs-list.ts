/** The list of all pages of docs beside each of them, from the table of docs/README.md. */
import { type Html, markup } from "../bench/page/html.ts";
import { addressOf, linkFrom } from "./addresses.ts";
import { link } from "./frame.ts";
import { textOf } from "./project.ts";

let groups:
  | { readonly to: string; readonly pages: readonly (readonly [name: string, address: string])[] }[]
  | undefined;

/** Rows of the table: what a reader wants to do, and the pages for it. */
function readGroups() {
  const rows = textOf("docs/README.md").matchAll(/^\| ([^|]+?) +\| (.*\]\(.*) +\|$/gm);
  return [...rows].map(([, to, cell]) => ({
    to: to!,
    pages: [...cell!.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name, path]) =>
      [name!, addressOf(`docs/${path}`)!] as const
    ),
  }));
}

/** Returns the list as a page has it. */
export function docsList(page: string): Html {
  groups ??= readGroups();
  const items = groups.map(({ to, pages }) =>
    markup`<li>${to}<ul>${
      pages.map(([name, address]) =>
        markup`<li>${link(linkFrom(page, address), name, address === page ? ' aria-current="page"' : "")}</li>`
      )
    }</ul></li>`
  );
  return markup`<nav class="beside" aria-label="Documentation"><details><summary>All pages</summary><ul>${items}</ul></details></nav>`;
}
