import { publishedRate, ratio } from "../expected.ts";
import type { Expectation } from "../suite.ts";

/** Requests per second tinyhttp's benchmark published, by framework: wrk -t8 -c100 -d30s, Core i7-4702MQ. */
const ON_NODE_14 = { tinyhttp: 7845, express5: 18_172, express4: 18_678, polka: 22_472 } as const;
const ON_NODE_13 = { tinyhttp: 7829 } as const;
/** The published versions under these names; they are older than today's. */
const VERSIONS = { tinyhttp: "0.1.42", express5: "5.0.0-alpha.8", express4: "4.17.1", polka: "0.5.2" } as const;

type Published = keyof typeof ON_NODE_14;

function published(node: string, rates: Partial<Record<Published, number>>): Expectation[] {
  return Object.entries(rates).map(([framework, value]) => {
    const on = `version ${VERSIONS[framework as Published]} on Node ${node}, laptop with a Core i7-4702MQ`;
    return publishedRate({ framework, runtime: "node" }, value, `tinyhttp's benchmarks: ${on}`);
  });
}

function overExpress4(framework: Exclude<Published, "express4">, name: string, why: string): Expectation {
  return ratio({
    name,
    over: { framework },
    under: { framework: "express4" },
    published: Math.round(ON_NODE_14[framework] / ON_NODE_14.express4 * 100) / 100,
    why,
  });
}

/** Published figures. Six years and other versions lie between, so no run is judged by them. */
export const expectations: readonly Expectation[] = [
  ...published("14.4", ON_NODE_14),
  ...published("13.14", ON_NODE_13),
  overExpress4(
    "polka",
    "Polka over Express 4",
    "Polka does less for each request; --reply end is what was measured, and Polka's version is that of then",
  ),
  overExpress4("express5", "Express 5 over Express 4", "an alpha version of 5 then"),
  overExpress4(
    "tinyhttp",
    "tinyhttp over Express 4",
    "its own authors called it the slowest then, and worked on it since",
  ),
];
