/** The only file that writes for people, apart from redrawn lines: no text may move a cursor, end a line or turn it. */
import { cutToWidth, harmless, printable } from "./align.ts";
import { fitText } from "./fit-text.ts";

type Output = Pick<NodeJS.WriteStream, "write">;

/** Writes text for people, in lines that fit so many columns. */
export const writeText = (to: Output, text: string, columns: number): void => void to.write(fitText(text, columns));

/** Writes a line for people, wrapped: no text in it ends it, and this project's colours stay. */
export const writeSentence = (to: Output, line: string, columns: number): void =>
  writeText(to, `${line.replaceAll("\n", " ")}\n`, columns);

/** Writes one line that is never broken: a path for a script, a command to copy. */
export const writeLine = (to: Output, line: string): void => void to.write(`${printable(line)}\n`);

/** Writes data for other programs: JSON, tables, Markdown. Control characters are escaped. */
export const writeData = (to: Output, text: string): void => void to.write(harmless(text));

/** Asks at the end of a line, which the answer ends. */
export const writeQuestion = (to: Output, question: string): void => void to.write(`${printable(question)} `);

/** Writes a line over the last one of a terminal. */
export const overwriteLine = (to: Output & { readonly columns?: number }, line: string): void =>
  void to.write(`\r\u001b[K${cutToWidth(printable(line), (to.columns || 80) - 1)}`);
