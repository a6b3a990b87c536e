// Three compiled schemas say that an input is invalid: by safeParse().success, and by z.validate.
// After colinhacks/zod at 133c13d, packages/bench/validate-vs-safeparse.ts.
import * as z from "zod";
import { callOn } from "../zod-compile/schemas.mjs";

const SCHEMAS = {
  union: [z.union([z.object({ a: z.string() }), z.object({ b: z.number() }), z.object({ c: z.boolean() })]), {
    c: "true",
  }],
  strings: [z.array(z.string()), Array.from({ length: 10 }, (_, n) => (n === 6 ? 6 : `s${n}`))],
  object: [
    z.object({ a: z.string(), b: z.number(), c: z.boolean(), d: z.string(), e: z.number() }),
    { a: "x", b: 1, c: "not a boolean", d: "y", e: 2 },
  ],
};

/** @param compile how a schema is made ready */
const callsOf = (compile) =>
  Object.fromEntries(
    Object.entries(SCHEMAS).flatMap(([name, [plain, input]]) => {
      const schema = compile(plain);
      return [
        [`${name}-parse`, callOn((one) => schema.safeParse(one).success, input)],
        [`${name}-validate`, callOn((one) => z.validate(schema, one), input)],
      ];
    }),
  );

export default { calls: callsOf((schema) => z.compile(schema, { strict: true })) };

export { callsOf };
