import { type Content, type Html, markup } from "../page/html.ts";
import { framedPage } from "../page/page-frame.ts";

/** A page of a board. */
export interface BoardPage {
  /** What the page is of: a name, and the word before it. */
  readonly heading: string;
  readonly name: string;
  readonly lead: Content;
  /** Below the head and above everything else: what must be known first. */
  readonly note?: Html;
  /** Whether the page stands in a folder of the board. */
  readonly inside?: boolean;
  readonly body: Html;
}

/** Pages every page links to. */
const ABOVE = [["index.html", "Board"], ["runs.html", "All runs"], ["refused.html", "Not shown"]] as const;

/** One page of a board: no script, one file, links to pages of the board alone. */
export function boardPage({ heading, name, lead, note, inside = false, body }: BoardPage): string {
  const up = inside ? "../" : "";
  return framedPage({
    title: `${heading} ${name}`.trim(),
    body: markup`<a class="skip" href="#main">Skip to the content</a>
<header><div class="wrap"><div class="bar"><h1>Levelfield <span>${heading} ${name}</span></h1>
<nav class="tools" aria-label="Board">${
      ABOVE.map(([file, text]) => markup`<a href="${`${up}${file}`}">${text}</a>`)
    }</nav></div><p class="lead">${lead}</p>${note ?? null}</div></header>
<main class="wrap" id="main">${body}</main>
<footer class="wrap"><p>Made by <code>bench board</code>: every run was recomputed from its raw lines first. Ratios are compared between machines, rates within one alone.</p></footer>`,
  });
}
