/** A word as a POSIX shell takes it unchanged: within single quotes nothing is expanded, not even by a shell of people's. */
export const shellQuoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
