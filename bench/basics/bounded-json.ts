import { orElse } from "./errors.ts";
import { counted } from "./units.ts";

/** The value of a text that is JSON; undefined if it is none. */
export function jsonOf(text: string): unknown {
  return orElse(() => JSON.parse(text), undefined);
}

/** The most values of a file: a line of sixteen servers has 60 000, a summary of 1 005 cells 400 000. */
const MOST_VALUES = 1_000_000;

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [34, 44, 91, 92, 123];

/**
 * Parses JSON that somebody else wrote. A few megabytes of brackets would take gigabytes, so values are counted first.
 *
 * @throws SyntaxError for no JSON, RangeError for too many values
 */
export function parseBoundedJson(text: string, reviver?: (key: string, part: unknown) => unknown): unknown {
  let values = 1, inText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) inText = !inText;
    else if (inText) at += sign === BACKSLASH ? 1 : 0;
    else if (sign === COMMA || sign === BRACKET || sign === BRACE) values++;
  }
  if (values > MOST_VALUES) throw new RangeError(`it has more than ${counted(MOST_VALUES, "value")}`);
  return JSON.parse(text, reviver);
}

/** True if a value has fields or items. */
export const hasParts = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/**
 * Returns the canonical form of a text of JSON: the same for any order of keys and any white space. Null if it is no object
 * and no array. Parsing rounds long numbers, so the form counts the characters of the text, too.
 */
export function canonicalJson(text: string): string | null {
  const value = jsonOf(text);
  if (!hasParts(value)) return null;
  const signs = new Map<string, number>();
  for (const sign of text) if (sign.trim() !== "") signs.set(sign, (signs.get(sign) ?? 0) + 1);
  return JSON.stringify([inOrder(value), [...signs].sort(([a], [b]) => a < b ? -1 : 1)]);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!hasParts(value)) return value;
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, inOrder(inner)]);
}
