/** Returns the 32-bit FNV-1a hash (Fowler, Noll and Vo) of whole numbers. It is not cryptographic. */
export function fnv1a(numbers: Iterable<number>, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193);
  return hash >>> 0;
}

/** Returns the same hash of a text's code units. */
export function fnv1aOf(text: string): number {
  return fnv1a(Array.from({ length: text.length }, (_, n) => text.charCodeAt(n)));
}

/** A hash as eight hexadecimal digits. */
export const hexOf = (hash: number): string => hash.toString(16).padStart(8, "0");
