import { mix, mixKeys } from "../stores/dataset/mix.ts";

/** Numbers in [0, 1) from a seed, the same on each runtime: which samples an oracle asks for. */
export function seeded(seed: number): () => number {
  const [a, b] = mixKeys(seed);
  let n = 0;
  // A reversible mix of a counter has no short cycle, whatever the seed.
  return () => (mix(mix(n++, a), b) >>> 0) / 2 ** 32;
}
