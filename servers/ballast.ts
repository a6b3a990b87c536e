/**
 * Iterations of an integer mix in one unit of work, about a nanosecond and a half each: long beside what the first steps
 * after other work cost more, about a microsecond.
 */
const STEPS_OF_A_UNIT = 50_000;
/** Units run before the first request, so that a rare unit costs what a frequent one does: all meet the same compiled loop. */
const WARM_UP_UNITS = 500;

/** One unit of work that does nothing. Always the same length, so that engines compile it once and it always costs the same. */
function unit(seed: number): number {
  let x = seed | 1;
  for (let n = 0; n < STEPS_OF_A_UNIT; n++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
  }
  return x;
}

/**
 * Work that makes a server slower by a known amount: the bench proves on it that it finds differences. What is added is
 * whole units, spread evenly over the requests, so twice the share is twice the cost.
 * @param share units of work a request: 0.05 runs one unit at every 20th request, 2 runs two at each
 * @returns to be called once a request
 */
export function ballast(share: number): () => void {
  let sink = 1;
  for (let n = 0; n < WARM_UP_UNITS; n++) sink = unit(sink);
  let owed = 0;
  return () => {
    for (owed += share; owed >= 1; owed--) sink = unit(sink);
  };
}
