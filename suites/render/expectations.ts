import { publishedRate, ratio } from "../expected.ts";
import type { Expectation } from "../suite.ts";

/** Pages a second of eknkc's benchmark: a table of 1 000 rows as a stream, without HTTP, Node 20 on an Apple M1 Pro. */
const PUBLISHED: Readonly<Record<string, number>> = { "hono-jsx": 945, vue: 897, react: 764, solid: 613 };

/** Published figures, and the cost of a stream over a string: shown, not promised. */
export const expectations: readonly Expectation[] = [
  ...Object.entries(PUBLISHED).map(([library, value]) =>
    publishedRate(
      { library, form: "stream" },
      value,
      "eknkc/ssr-benchmark, 1 000 rows without HTTP, Node 20, Apple M1 Pro",
    )
  ),
  ratio({
    name: "stream over string",
    over: { form: "stream" },
    under: { form: "string" },
    metric: "cpu_ns_per_request",
    why: "a stream begins sooner where data comes late; here all data is there, and what is left is its cost",
  }),
];
