import { stripVTControlCharacters } from "node:util";
import { printableLines, widthOf } from "./align.ts";
import { LEAST_ROOM, WORD, wordsOf, wrappedWords } from "./wrap.ts";

/** A command in lines that a shell reads as one: each but the last ends in a backslash. */
export function wrappedCommand(command: string, columns: number): string[] {
  if (widthOf(command) <= columns) return [command];
  // Quoted text is one word.
  const words = command.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? [command];
  const room = columns - 2;
  // An option and its value stay together.
  const parts = words.reduce<string[]>((parts, word) => {
    const option = parts.at(-1);
    const pair = `${option} ${word}`;
    if (!option?.startsWith("-") || option.includes(" ") || word.startsWith("-") || widthOf(pair) > room) {
      parts.push(word);
    } else parts[parts.length - 1] = pair;
    return parts;
  }, []);
  const lines = wrappedWords(parts, room);
  return lines.map((line, n) => n < lines.length - 1 ? `${line} \\` : line);
}

const COMMAND = /^ *bench [a-z]+(?: |$)/;
const TOKEN = new RegExp(`( *)(${WORD})`, "g");
const MARK = /^ *(?:[✓✗!?–] )?/;

/** Wraps a text to so many columns: words and commands stay whole, colours are allowed. */
export function fitText(text: string, columns: number): string {
  const clean = printableLines(text);
  return columns === Infinity ? clean : clean.split("\n").map((line) => fitLine(line, columns)).join("\n");
}

function fitLine(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  if (widthOf(plain) <= columns) return line;
  const indent = plain.length - plain.trimStart().length;
  if (COMMAND.test(line)) {
    const [first, ...rest] = wrappedCommand(line.trim(), columns - indent - 2);
    return [" ".repeat(indent) + first!, ...rest.map((each) => " ".repeat(indent + 2) + each)].join("\n");
  }
  const last = [...plain.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length)
    .filter((start) => columns - start >= LEAST_ROOM).at(-1);
  const marked = MARK.exec(plain)![0].length;
  const hanging = last ?? (marked > indent ? marked : indent + 2);
  // A word that is too long for the indent begins more to the left.
  const longest = Math.max(...wordsOf(plain).map(widthOf));
  const hang = Math.min(hanging, Math.max(0, columns - longest));
  let lines = "", width = 0;
  for (const [, space, word] of line.matchAll(TOKEN)) {
    const wide = widthOf(stripVTControlCharacters(word!));
    if (width > 0 && width + space!.length + wide > columns) {
      lines += `\n${" ".repeat(hang)}${word}`;
      width = hang + wide;
    } else {
      lines += `${space}${word}`;
      width += space!.length + wide;
    }
  }
  return lines;
}

/** Columns of an output: those of the terminal, else those in COLUMNS, else unlimited. */
export function columnsOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): number {
  if (stream.isTTY === true && stream.columns) return stream.columns;
  const fromEnv = Number(env["COLUMNS"] ?? "");
  return Number.isInteger(fromEnv) && fromEnv >= 20 ? fromEnv : Infinity;
}
