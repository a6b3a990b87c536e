/** Texts of strangers in messages: nothing in them is hidden, moves a cursor or fills the terminal. */

/**
 * Controls, ends of lines, signs that show nothing or turn the direction of text, blanks other than a space, and marks piled
 * above a letter until they cover other lines.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;
/** Spaces that would push the text behind them out of view. */
const GAP = / {4,}/g;

const SIGN = / {4,}|[^]/gu;

const MOST_SIGNS = 400, MOST_LINE_SIGNS = 1_200;

const escaped = (text: string) =>
  text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
    .replace(GAP, ({ length }) => `\\u{20}×${length}`);

/**
 * Returns a text word for word in quotes, with an escape for each sign that would not be seen: `"a\u{202e}b"`,
 * `"a\u{20}×80b"`. The middle of a text above 400 signs is left out, and its length stands outside the quotes.
 */
export const visible = (text: string): string => cut(text, MOST_SIGNS, (part) => escaped(JSON.stringify(part)));

/**
 * Returns the first line of a message with the escapes of {@link visible} and without quotes around it. The middle of
 * one above 1200 signs is left out.
 */
export const visibleLine = (message: string): string => cut(message.split("\n")[0]!, MOST_LINE_SIGNS, escaped);

/** The first three quarters and the last quarter of the signs that a text may have, each in its form for people. */
function cut(text: string, most: number, form: (part: string) => string): string {
  if (text.length <= most) return form(text);
  const first: string[] = [], last: string[] = [];
  let missing = 0;
  for (const [sign] of text.matchAll(SIGN)) {
    if (first.length < 0.75 * most) first.push(sign);
    else if (last.push(sign) > 0.25 * most) missing += last.shift()!.length;
  }
  const [head, tail] = [first.join(""), last.join("")];
  return missing === 0 ? form(head + tail) : `${form(head)} … ${missing} characters not shown … ${form(tail)}`;
}

/** The number of things that a sentence names one by one; it counts the others. */
export const MOST_NAMED = 3;

/** Returns the first of some texts, joined, and the number of the others: `a, b and 3 more`. */
export const firstFew = (texts: readonly string[], most: number = MOST_NAMED, separator = ", "): string =>
  texts.length <= most
    ? texts.join(separator)
    : `${texts.slice(0, most).join(separator)} and ${texts.length - most} more`;
