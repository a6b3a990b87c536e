import { widthOf } from "./align.ts";

/** A text in lines of at most so many columns, broken between words; a word that is longer stands on a line of its own. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
