import stringWidth from "#string-width";

/** Characters that no text of a line may hold: controls, ends of lines and paragraphs, what turns the direction of text. */
const UNPRINTABLE = String.raw`\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069`;
const EACH_UNPRINTABLE = new RegExp(`[${UNPRINTABLE}]+`, "gu");
/** The colours of bench/report/style.ts. */
const COLOUR = String.raw`\u001b\[(?:[012]|22|3[1239])m`;
/** A colour of this project, or characters of {@link UNPRINTABLE} other than ends of its lines. */
const UNTOLD_IN_LINES = new RegExp(String.raw`(${COLOUR})|(?:(?!\n|${COLOUR})[${UNPRINTABLE}])+`, "gu");

/** Columns of a terminal that a text without colours takes once it is {@link printable}. */
export const widthOf = (text: string): number => stringWidth(printable(text), { countAnsiEscapeCodes: true });

/** Text that stays on its line and moves no cursor, whatever somebody's data hold. */
export const printable = (text: string): string => text.replace(EACH_UNPRINTABLE, " ");

/** Lines, coloured or not, that move no cursor: what is left to do where a text was not made {@link printable}. */
export const printableLines = (text: string): string =>
  text.replace(UNTOLD_IN_LINES, (_, colour: string | undefined) => colour ?? " ");

/** A printable text, cut to so many columns, with an ellipsis if something is missing. */
export function cutToWidth(whole: string, columns: number): string {
  const text = printable(whole);
  if (widthOf(text) <= columns) return text;
  let cut = "", room = columns;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if ((room -= widthOf(segment)) < 1) break;
    cut += segment;
  }
  return columns < 1 ? "" : `${cut}…`;
}

/** A text filled up with spaces on one side. */
export function padded(text: string, width: number, side: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return side === "left" ? space + text : text + space;
}

const GAP = "  ";
/** Indent of the columns that continue a row on the next line. */
const FOLDED_BY = 4;

/** Rows as lines with aligned columns: the first `text` columns to the left, all others to the right. */
export function aligned(rows: readonly (readonly string[])[], text: (column: number) => boolean): string[] {
  const clean = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of clean) row.forEach((field, n) => widths[n] = Math.max(widths[n] ?? 0, widthOf(field)));
  return clean.map((row) =>
    row.map((field, n) => padded(field, widths[n]!, text(n) ? "right" : "left")).join(GAP).trimEnd()
  );
}

/** Returns the lines of each row: if it is too wide, its last columns follow on an indented line, aligned. */
export function foldedLines(
  rows: readonly (readonly string[])[],
  text: (column: number) => boolean,
  columns: number,
): string[][] {
  const clean = rows.map((row) => row.map(printable));
  const count = Math.max(0, ...clean.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, n) => Math.max(...clean.map((row) => widthOf(row[n] ?? ""))));
  const lines: string[][] = clean.map(() => []);
  for (let from = 0; from < count;) {
    const indent = from === 0 ? 0 : FOLDED_BY;
    let to = from, room = columns - indent;
    do room -= widths[to++]! + GAP.length; while (to < count && room >= widths[to]!);
    const part = aligned(clean.map((row) => row.slice(from, to)), (column) => text(from + column));
    for (const [n, line] of part.entries()) if (from === 0 || line !== "") lines[n]!.push(" ".repeat(indent) + line);
    from = to;
  }
  return lines;
}

/** The same for a file, which may contain tabs and line ends. */
const ACTING = new RegExp(`(?![\\t\\n\\r])[${UNPRINTABLE}]`, "gu");

/** Replaces a control character by its number, so that different texts stay different. */
const numbered = (character: string) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;

/** Text for a file in which nothing acts: where somebody prints it on a terminal, or opens it in an editor. */
export const harmless = (text: string): string => text.replace(ACTING, numbered);

/** A value as JSON that holds the same, and in which nothing acts: JSON itself leaves most of it as it is. */
export const harmlessJson = (value: unknown, indent?: number): string => harmless(JSON.stringify(value, null, indent));
