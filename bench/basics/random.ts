/** A source of uniform numbers in [0, 1), 53 bits each. */
export type Random = () => number;

/**
 * A seeded source of uniform numbers in [0, 1): equal seeds give equal sequences on every runtime.
 *
 * The generator is xoshiro128** (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47/4,
 * 2021); its state is filled by {@link splitmix32}, as its authors advise. Not for secrets.
 *
 * @param seed whole number from 0 to 2^32 - 1
 * @throws RangeError on any other seed
 */
export function createRandom(seed: number): Random {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
    throw new RangeError(`Seed "${seed}" must be a whole number from 0 to 4294967295`);
  }
  const fill = splitmix32(seed);
  const next = xoshiro128([fill(), fill(), fill(), fill()]);
  return () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000;
}

/**
 * The xoshiro128** 1.1 generator over a given state: whole numbers from 0 to 2^32 - 1.
 *
 * @param state four 32-bit words, not all zero
 * @see https://prng.di.unimi.it/xoshiro128starstar.c
 */
export function xoshiro128(state: readonly [number, number, number, number]): () => number {
  let [s0, s1, s2, s3] = state;
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    const shifted = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = rotateLeft(s3, 11);
    return result;
  };
}

/**
 * The items in random order, each order equally likely (Fisher and Yates, in Durstenfeld's form, CACM 7/7, 1964).
 * The given array is left as it was.
 */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    [order[last], order[pick]] = [order[pick]!, order[last]!];
  }
  return order;
}

/**
 * Weyl sequence with a mixing function: Steele, Lea and Flood's SplitMix (OOPSLA 2014) at 32 bits, with the mixing
 * constants found by Wellons' hash-prospector.
 */
function splitmix32(seed: number): () => number {
  let weyl = seed | 0;
  return () => {
    weyl = (weyl + 0x9e3779b9) | 0;
    let word = Math.imul(weyl ^ (weyl >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    return (word ^ (word >>> 15)) >>> 0;
  };
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
