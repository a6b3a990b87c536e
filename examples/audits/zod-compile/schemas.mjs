// Three schemas of Zod and an input for each. After colinhacks/zod at a6b4939, packages/bench/compile-matrix.ts.
import * as z from "zod";

const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
const item = z.object({ id: z.number(), name: z.string() });

export const SCHEMAS = {
  "object-20": [
    z.object(Object.fromEntries(keys.map((key) => [key, z.string()]))),
    Object.fromEntries(keys.map((key) => [key, "v"])),
  ],
  "objects-10": [z.array(item), Array.from({ length: 10 }, (_, n) => ({ id: n, name: `n${n}` }))],
  "strings-10": [z.array(z.string()), Array.from({ length: 10 }, (_, n) => `s${n}`)],
};

/** A call that takes its input from an array: as a constant an engine may take the work out of the loop. */
export function callOn(work, input) {
  const pool = Array.from({ length: 64 }, () => input);
  let n = 0;
  return () => work(pool[n++ & 63]);
}
