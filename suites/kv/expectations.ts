import { publishedRate, ratio } from "../expected.ts";
import type { Expectation } from "../suite.ts";

const PLACE = "eight cores, wrk -t8 -c400 -d30s, 2014";

const published = (value: number, what: string) =>
  publishedRate({ workload: "get", keys: 1 }, value, `${what}: ${PLACE}`);

/** Expectations known before any run. */
export const expectations: readonly Expectation[] = [
  published(35_675, "OlegDB"),
  published(133_041, "Kyoto Tycoon"),
  ratio({
    name: "the server without the framework",
    over: { server: "bare" },
    under: { server: "hono" },
    why: "both keep their texts in one Map: the difference is router, context and response of the framework",
  }),
];
