import { padded, widthOf } from "./align.ts";
import { wrapped } from "./wrap.ts";

/** A column that leaves less than this for the text beside it has the text below it. */
export const LEAST_BESIDE = 28;

/**
 * A name in a column so wide, its text beside it. A long text goes on below itself, or below the name where there is
 * too little room.
 * @param paint colours each line of the text
 */
export function beside(
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
  if (room < LEAST_BESIDE && width + 2 + widthOf(text) > columns) {
    return [
      ...(name === "" ? [] : wrapped(name, columns)),
      ...wrapped(text, columns - 4).map((line) => `    ${paint(line)}`),
    ];
  }
  return wrapped(text, room).map((line, n) => `${padded(n === 0 ? name : "", width, "right")}  ${paint(line)}`);
}
