// An array of 1 000 objects and one of 20 000, as text by JSON.stringify and by a function made from a schema.
// After fastify/fast-json-stringify at e1c9392, benchmark/bench-cmp-lib.js. Names come from a formula here, at random there.

const person = {
  title: "Example Schema",
  type: "object",
  properties: {
    firstName: { type: "string" },
    lastName: { type: ["string", "null"] },
    age: { description: "Age in years", type: "integer", minimum: 0 },
  },
};

const letters = (from, many) =>
  Array.from({ length: many }, (_, n) => String.fromCharCode((n === 0 ? 65 : 97) + (from * 31 + n * 7) % 26)).join("");
const matteo = { firstName: "Matteo", lastName: "Collina", age: 32 };
const ARRAYS = {
  array: Array.from({ length: 1_000 }, () => matteo),
  large: Array.from({ length: 20_000 }, (_, n) => ({
    firstName: letters(n, n < 10_000 ? 8 : 10),
    lastName: letters(n + 5, n < 10_000 ? 6 : 4),
    age: n % 99 + 1,
  })),
};

/**
 * @param build the library's function that takes a schema
 * @param of what a call gives of a text
 */
export function callsOf(build, of) {
  const fast = build({ title: "array schema", type: "array", items: person });
  const calls = Object.entries(ARRAYS).flatMap(([name, array]) => {
    if (fast(array) !== JSON.stringify(array)) throw new Error(`the texts of "${name}" differ`);
    return [[name, () => of(JSON.stringify(array))], [`${name}-fast`, () => of(fast(array))]];
  });
  // The arrays differ; that both ways give the same text is seen above.
  return { calls: Object.fromEntries(calls), same: false };
}
