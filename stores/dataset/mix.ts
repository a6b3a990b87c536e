/**
 * One step of a reversible 32-bit mix: Marsaglia's xorshift32 (13, 17, 5; "Xorshift RNGs", 2003) and an addition.
 * Only shifts, exclusive-or and one addition, so that Lua's 32-bit `bit` library computes the same numbers.
 */
export function mix(x: number, addend: number): number {
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return (x + addend) | 0;
}

/** Four 32-bit constants drawn from a seed (splitmix32, Steele et al. 2014): the key of {@link mix}ing a data set's ids. */
export function mixKeys(seed: number): readonly [number, number, number, number] {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) | 0;
  };
  return [next(), next(), next(), next()];
}
