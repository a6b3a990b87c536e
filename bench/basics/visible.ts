/** Controls, what shows nothing, and what ends a line or turns its direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text word for word in quotes, with signs for what would not be seen: `"a\u{202e}b"`. */
export const visible = (text: string): string =>
  JSON.stringify(text).replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`);
