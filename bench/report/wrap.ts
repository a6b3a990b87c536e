import { padded, printable, widthOf } from "./align.ts";

/** A word, as the source of a regular expression: a number and its unit are one. */
export const WORD = String.raw`\S+(?:(?<=\d) (?:%|×|m?s|[KMGk]i?B)(?![^\s,;.:)\u001b])[,;.:)]*)?`;

/** The words of a text, which stay unbroken. */
export const wordsOf = (text: string): readonly string[] => text.match(new RegExp(WORD, "g")) ?? [];

/** A text whose numbers keep their units, whoever breaks it into lines. */
export const withUnitsKept = (text: string): string =>
  text.replace(/(?<=\d) (?=(?:[%×]|[mµ]?s|[KMG]i?B)(?![^\s,;.:)\]]))/g, "\u00a0");

/** A text in lines of at most so many columns, broken between words; a longer word takes a whole line. */
export function wrapped(text: string, columns: number): string[] {
  return wrappedWords(wordsOf(text), columns);
}

/** A text of any content as lines that fit, the first two columns in, the others four. */
export const itemLines = (text: string, columns: number): string[] =>
  wrapped(printable(text), columns - 4).map((line, n) => `${n === 0 ? "  " : "    "}${line}`);

/** Words in lines of at most so many columns. */
export function wrappedWords(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Columns that a text needs next to its name; with fewer it goes below the name. */
export const LEAST_ROOM = 28;

/** A name in a column, then its text: on the same line, or below it if room is too little. */
export function inColumns(
  name: string,
  text: string,
  { width, columns, paint = (line) => line }: {
    readonly width: number;
    readonly columns: number;
    readonly paint?: (line: string) => string;
  },
): string[] {
  if (text === "") return [name];
  const room = columns - width - 2;
  if (room < LEAST_ROOM && width + 2 + widthOf(text) > columns) {
    return [
      ...(name === "" ? [] : wrapped(name, columns)),
      ...wrapped(text, columns - 4).map((line) => `    ${paint(line)}`),
    ];
  }
  return wrapped(text, room).map((line, n) => `${padded(n === 0 ? name : "", width, "right")}  ${paint(line)}`);
}
