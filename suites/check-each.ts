import type { Check, Target } from "./suite.ts";

/** Returns a check of one reply for each item. */
export const checkEach = <T>(
  name: string,
  items: readonly T[],
  compare: (target: Target, item: T) => Promise<unknown>,
): Check => ({
  name,
  async run(target) {
    for (const item of items) await compare(target, item);
    return items.length;
  },
});

/** Returns a check of one reply. */
export const checkOne = (name: string, compare: (target: Target) => Promise<unknown>): Check =>
  checkEach(name, [null], compare);
