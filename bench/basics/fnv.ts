/** 32 bits of FNV-1a (Fowler, Noll and Vo) over whole numbers: tells things apart, keeps no secret. */
export function fnv1a(numbers: Iterable<number>, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193);
  return hash >>> 0;
}

/** The same over the code units of a text. */
export function fnv1aOf(text: string): number {
  return fnv1a(Array.from({ length: text.length }, (_, n) => text.charCodeAt(n)));
}

/** A hash as eight hexadecimal digits. */
export const hexOf = (hash: number): string => hash.toString(16).padStart(8, "0");
