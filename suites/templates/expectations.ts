import { publishedRate, ratio } from "../expected.ts";
import type { Expectation } from "../suite.ts";
import type { PageName } from "./expected.ts";

/** Requests per second of Hull's template benchmark, by page: wrk -t4 -c100 -d10s, Apple M4 Pro. */
const HULL: Readonly<Record<PageName, { readonly Lua: number; readonly QuickJS: number }>> = {
  json: { Lua: 70_393, QuickJS: 57_570 },
  simple: { Lua: 69_457, QuickJS: 43_907 },
  loop: { Lua: 21_974, QuickJS: 7647 },
  full: { Lua: 12_839, QuickJS: 3345 },
};

/** Published ratio of the rate of simple pages to that of full ones, by the authors of each. */
const SIMPLE_OVER_FULL = { Lua: 5.5, QuickJS: 13 } as const;

const published = Object.entries(HULL).flatMap(([template, rates]) =>
  Object.entries(rates).map(([language, value]) =>
    publishedRate({ template }, value, `Hull's template benchmark, ${language}, Apple M4 Pro`)
  )
);

const ratios = Object.entries(SIMPLE_OVER_FULL).map(([language, published]) =>
  ratio({
    name: `simple over full, Hull's in ${language}`,
    over: { template: "simple" },
    under: { template: "full" },
    published,
    why: "Hull's engine is its own, ours are others: what is alike is that a page costs more than a request",
  })
);

/** Published figures, and the cost that each page adds. No run is judged by other engines on another machine. */
export const expectations: readonly Expectation[] = [
  ...published,
  ...ratios,
  {
    kind: "steps",
    name: "what each page adds",
    axis: "template",
    values: ["simple", "loop", "full"],
    metric: "cpu_ns_per_request",
    why: "50 items with a condition, then a layout, an included part and a filter besides",
  },
];
