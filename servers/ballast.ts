/**
 * Work that does nothing, to make a server slower by a known amount: the bench proves on it that it finds differences.
 * @param steps iterations of an integer mix, about a nanosecond each
 * @returns the mixed number, so that no engine can leave the loop out
 */
export function burn(steps: number): number {
  let x = steps | 1;
  for (let n = 0; n < steps; n++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
}
