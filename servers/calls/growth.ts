import type { Call } from "./open-calls.ts";

/** Blocks of calls in which cost is looked at: each has twice the calls of the one before, up to so much CPU time. */
const LEAST_BLOCK_US = 1_000;
const MOST_US = 200_000;
/** The same on a machine that others use. */
const MOST_MS = 2_000;
/** A call grows dearer without end if it does so by this in each of the last two doublings, and by so much in both. */
const EACH = 1.3;
const BOTH = 2.5;

/**
 * Returns in words that a function costs more with every call, as one does that looks through all it ever kept; null for
 * any other. No figure of such a function holds: it is that of the number of calls. It makes calls, and takes no promises.
 *
 * @param usedUs CPU time of this process so far, in microseconds
 */
export function growthOf(call: Call, inputs: readonly unknown[], usedUs: () => number = cpuUs): string | null {
  return growthIn(costsOf(call, inputs, usedUs));
}

/** The same, of the cost of a call in ns after each doubling of their number. */
export function growthIn(costs: readonly number[]): string | null {
  const [first, second, last] = costs.slice(-3);
  return last !== undefined && last > BOTH * first! && last > EACH * second! && second! > EACH * first!
    ? `costs more with every call (${nsText(second!)}, then ${nsText(last)} a call): no figure of it holds`
    : null;
}

const nsText = (ns: number) => ns < 1_000 ? `${Math.round(ns)} ns` : `${(ns / 1_000).toFixed(1)} µs`;

/** CPU ns a call in blocks that double, until {@link MOST_US} are spent; a block too short to time is left out. */
function costsOf(call: Call, inputs: readonly unknown[], usedUs: () => number): number[] {
  const costs: number[] = [], kept: unknown[] = [];
  const endMs = performance.now() + MOST_MS;
  let place = 0;
  for (let calls = 16, spent = 0; spent < MOST_US && performance.now() < endMs; calls *= 2) {
    const from = usedUs();
    for (let n = 0; n < calls; n++) {
      // More results would fill the heap where they are large, and its collection would seem to grow dearer.
      kept[n & 3] = call(inputs[place]);
      place = place + 1 === inputs.length ? 0 : place + 1;
    }
    const took = usedUs() - from;
    spent += took;
    if (took >= LEAST_BLOCK_US) costs.push(1_000 * took / calls);
  }
  return costs;
}

/** CPU time of this process so far, in µs. */
export const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
