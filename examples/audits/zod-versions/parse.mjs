// Strings, arrays and objects parsed by Zod 3, which Zod 4 still has as "zod/v3", and by Zod 4. A call parses a batch.
// After colinhacks/zod at e516c3b, packages/bench/string.ts, array.ts and object-moltar.ts. Strings there are random.
import assert from "node:assert/strict";
import * as three from "zod/v3";
import * as four from "zod/v4";

const text = (n, length) => String(n * 7919).padStart(length, "abcdefghij");

/** The object of the moltar benchmark, whose long string is as long as a paragraph. */
const thing = (z) => ({
  number: z.number(),
  negNumber: z.number(),
  maxNumber: z.number(),
  string: z.string(),
  longString: z.string(),
  boolean: z.boolean(),
  deeplyNested: z.strictObject({ foo: z.string(), num: z.number(), bool: z.boolean() }),
});

const BATCHES = {
  string: [(z) => z.string(), Array.from({ length: 10_000 }, (_, n) => text(n, 18))],
  array: [
    (z) => z.array(z.string()),
    Array.from({ length: 1_000 }, (_, n) => [0, 1, 2].map((k) => text(3 * n + k, 10))),
  ],
  object: [
    (z) => z.strictObject(thing(z)),
    Array.from({ length: 1_000 }, () =>
      Object.freeze({
        ...{
          number: 1,
          negNumber: -1,
          maxNumber: Number.MAX_VALUE,
          string: "string",
          longString: "Lorem ipsum ".repeat(110),
        },
        ...{ boolean: true, deeplyNested: { foo: "bar", num: 1, bool: false } },
      })),
  ],
};

/** A call that parses a batch and gives its last value. */
const parsed = (schema, batch) => () => {
  let last;
  for (const each of batch) last = schema.parse(each);
  return last;
};

const calls = Object.entries(BATCHES).flatMap(([name, [schemaOf, batch]]) => {
  const [old, now] = [parsed(schemaOf(three), batch), parsed(schemaOf(four), batch)];
  assert.deepEqual(now(), old());
  return [[`${name}-3`, old], [`${name}-4`, now]];
});

// Batches differ; that both versions agree on each is asserted above.
export default { calls: Object.fromEntries(calls), same: false };
