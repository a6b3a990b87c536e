/** Characters that take two columns of a terminal, and those that take none. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /\p{M}|\p{Cf}/u;

/** Columns of a terminal that a text without colours takes. */
export function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);
}

/** Text that stays on its line and moves no cursor, whatever somebody's data hold. */
export const printable = (text: string): string => text.replace(/\p{Cc}+/gu, " ");

/** A text cut to so many columns, with a sign where something is missing. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (widthOf(cut + character) >= columns) break;
    cut += character;
  }
  return `${cut}…`.slice(0, Math.max(0, columns));
}

/** A text filled up with spaces on one side. */
export function padded(text: string, width: number, side: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - widthOf(text)));
  return side === "left" ? space + text : text + space;
}

/** Rows as lines whose columns stand under each other: `text` columns start together, all others end together. */
export function aligned(rows: readonly (readonly string[])[], text: (column: number) => boolean): string[] {
  const clean = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of clean) row.forEach((field, n) => widths[n] = Math.max(widths[n] ?? 0, widthOf(field)));
  return clean.map((row) =>
    row.map((field, n) => padded(field, widths[n]!, text(n) ? "right" : "left")).join("  ").trimEnd()
  );
}
