/** Tables of any length as pages that stay small, whatever stands in them. */
import { type Content, type Html, markup, markupText } from "../page/html.ts";
import { type Field, tableOfRows, tableRow, titledSection } from "../page/table-html.ts";
import { type BoardPage, boardPage } from "./board-frame.ts";

/** A table with a title. */
export interface PagedSection {
  readonly id: string;
  readonly title: string;
  readonly hint: Content;
  /** Over the first part of its table. */
  readonly before?: Html;
  readonly heads: readonly string[];
  readonly rows: Iterable<readonly Field[]>;
  /** In place of a table without rows. */
  readonly empty: string;
}

/** Rows of a page, however short they are: more cannot be looked through. */
const MOST_ROWS = 500;
/** Characters of a page's rows; with its style, its head and signs of several bytes it stays below {@link MOST_PAGE_BYTES}. */
const MOST_CHARACTERS = 400_000;

/** No page is larger. */
export const MOST_PAGE_BYTES = 1_500_000;

/** Part of a section on a page. */
interface Part {
  readonly section: PagedSection;
  readonly rows: Html[];
  /** Whether the section begins here. */
  readonly first: boolean;
}

/**
 * A page whose sections are tables, or several of them one after the other: `NAME.html`, `NAME-2.html` and so on.
 *
 * @param name of the first page's file, without its end
 * @param top stands above the sections of the first page
 */
export function* pagedTables(
  name: string,
  page: Omit<BoardPage, "body">,
  sections: Iterable<PagedSection>,
  top: Html | null = null,
): Generator<{ readonly file: string; readonly text: string }> {
  const pages = laidOut(sections);
  const fileAt = (place: number) => `${name}${place === 0 ? "" : `-${place + 1}`}.html`;
  for (const [place, parts] of pages.entries()) {
    const around = pages.length === 1 ? null : nav(pages.length, place, fileAt);
    const body = markup`${place === 0 ? top : null}${around}${parts.map(partHtml)}${around}`;
    yield { file: fileAt(place), text: boardPage({ ...page, body }) };
  }
}

function laidOut(sections: Iterable<PagedSection>): Part[][] {
  const pages: Part[][] = [[]];
  let rows = 0, characters = 0;
  for (const section of sections) {
    let part: Part = { section, rows: [], first: true };
    pages.at(-1)!.push(part);
    for (const fields of section.rows) {
      const row = tableRow(fields);
      const length = markupText(row).length;
      if (rows > 0 && (rows === MOST_ROWS || characters + length > MOST_CHARACTERS)) {
        // A title without a row says nothing on the page it is left on.
        if (part.rows.length === 0 && part.first) pages.at(-1)!.pop();
        part = { section, rows: [], first: part.rows.length === 0 && part.first };
        pages.push([part]);
        rows = characters = 0;
      }
      part.rows.push(row);
      rows++;
      characters += length;
    }
  }
  return pages;
}

function partHtml({ section, rows, first }: Part): Html {
  const { id, title, hint, before, heads, empty } = section;
  return titledSection(
    id,
    first ? title : `${title} (continued)`,
    first ? hint : "",
    markup`${first ? before ?? null : null}${
      rows.length === 0 ? markup`<p class="empty">${empty}</p>` : tableOfRows(title, heads, rows, "rounds words")
    }`,
  );
}

function nav(pages: number, place: number, fileAt: (place: number) => string): Html {
  const link = (to: number, text: string) =>
    to < 0 || to >= pages ? null : markup`<a href="${fileAt(to)}">${text}</a> `;
  return markup`<nav class="pages" aria-label="${`Pages, this is ${place + 1} of ${pages}`}"><p>Page ${
    place + 1
  } of ${pages}: ${link(0, "first")}${link(place - 1, "previous")}${link(place + 1, "next")}${
    link(pages - 1, "last")
  }</p></nav>`;
}
