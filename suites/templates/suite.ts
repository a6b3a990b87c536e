import { fileURLToPath } from "node:url";
import { connectionsAxis, runtimeAxis, wordAxis } from "../axes.ts";
import { PAGE_NUMBERS } from "../page-checks.ts";
import type { At, Point, Suite } from "../suite.ts";
import { oracle } from "./checks.ts";
import { describeEngine, ENGINES, isInstalled, NONE } from "./engines.ts";
import { expectations } from "./expectations.ts";
import { EXPECTED, type PageName } from "./expected.ts";

/** The baseline: what the simple page shows, as JSON. */
const JSON_PAGE = "json";

const template = wordAxis({
  name: "template",
  title: "Template",
  role: "condition",
  help: "which page: json without a template, simple variables, loop of 50 items, full with layout and include",
  values: Object.keys(EXPECTED),
  phrases: {
    json: "JSON without a template",
    simple: "a page of plain variables",
    loop: "a list of 50 items",
    full: "a list in a layout",
  },
});

const engine = wordAxis({
  name: "engine",
  title: "Engine",
  help: "which engine renders it; none for json",
  values: Object.keys(ENGINES),
  describe: (value) => describeEngine(String(value)),
});

const pageOf = (at: At) => at["template"] as PageName;

function supports({ at }: Point): true | string {
  if ((at["engine"] === NONE) === (pageOf(at) === JSON_PAGE)) return isInstalled(String(at["engine"]));
  return at["engine"] === NONE
    ? `without an engine there is no page but ${JSON_PAGE}`
    : `${JSON_PAGE} needs no engine: it is measured once, as engine ${NONE}`;
}

/** Pages of growing cost in several template engines, all answered with the same bytes. */
export const templates: Suite = {
  name: "templates",
  subject: "HTML pages from templates",
  title: "HTML pages from templates: the same bytes from several engines",
  axes: [template, engine, runtimeAxis, connectionsAxis(50)],
  supports,
  together: () => true,
  probe: { runtime: "deno", template: JSON_PAGE, engine: NONE },
  presets: {
    hull: {
      title: "as Hull's template benchmark has it: wrk -t4 -c100 -d10s, each once",
      threads: 4,
      durationMs: 10_000,
      rounds: 1,
      at: { connections: [100] },
    },
  },
  server: ({ at }) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: fileURLToPath(new URL("app.ts", import.meta.url)),
    options: { engine: at["engine"]! },
  }),
  requests: ({ at }) => ({
    pace: { closed: at["connections"] as number },
    mix: [{ path: `/${pageOf(at)}/{n}`, expect: [200] }],
    draws: { n: { kind: "uniform", below: PAGE_NUMBERS } },
  }),
  oracle: ({ at }) => oracle(pageOf(at)),
  expectations,
};
