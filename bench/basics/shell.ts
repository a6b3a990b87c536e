const PLAIN = /^([\w@%+=:,./-]|\{\w+\})+$/;

/**
 * A word as a POSIX shell hands it on unchanged: in single quotes, within which nothing is expanded, if it needs any. A word
 * with an apostrophe is in double quotes unless it has a sign that is expanded there.
 */
export function shellQuoted(word: string): string {
  if (PLAIN.test(word)) return word;
  return word.includes("'") && !/["$`\\!]/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Splits a command into words as a shell does: quotes hold words together, a backslash takes the next sign as it is.
 * Nothing is expanded. Returns null if a quote is not closed.
 */
export function shellWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let n = 0; n < text.length; n++) {
    const sign = text[n]!;
    if (quote !== null) {
      if (sign === quote) quote = null;
      else if (sign === "\\" && quote === '"' && /["\\]/.test(text[n + 1] ?? "")) word += text[++n]!;
      else word += sign;
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= "";
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + (sign === "\\" ? text[++n] ?? "" : sign);
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}
