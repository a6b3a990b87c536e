/** A word as a shell takes it, in quotes where it needs them. */
export const shellWord = (word: string): string =>
  /^[\w./:@=,%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
