import { fileURLToPath } from "node:url";
import { conditionAxis, connectionsAxis, runtimeAxis, wordAxis } from "../axes.ts";
import { firstDifference, PAGE_NUMBERS, pageOracle } from "../page-checks.ts";
import type { Suite } from "../suite.ts";
import { documentText } from "./document-text.ts";
import { expectedPage } from "./expected.ts";
import { expectations } from "./expectations.ts";
import { describeLibrary, isInstalled, LIBRARIES } from "./libraries.ts";

const form = conditionAxis({
  name: "form",
  title: "Form",
  help: "how the page is rendered: string at once, or stream piece by piece",
  phrases: {
    string: "rendering to a string",
    stream: "rendering to a stream",
  },
});

const library = wordAxis({
  name: "library",
  title: "Library",
  help: "which library renders it",
  values: Object.keys(LIBRARIES),
  describe: (value) => describeLibrary(String(value)),
});

/** One page rendered on the server by several libraries, as a string and as a stream: the same document from all. */
export const render: Suite = {
  name: "render",
  subject: "One page rendered on the server",
  title: "one page rendered on the server: the same document from several libraries, as a string and as a stream",
  axes: [form, library, runtimeAxis, connectionsAxis(50)],
  supports: ({ at }) => isInstalled(String(at["library"])),
  together: () => true,
  // A page takes 100 to 200 µs: the requests that engines want before they compile take long.
  expectedWarmupMs: 7_500,
  probe: { form: "string", library: "preact", runtime: "node" },
  server: ({ at }) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: fileURLToPath(new URL("app.ts", import.meta.url)),
    options: { library: at["library"]!, form: at["form"]! },
  }),
  requests: ({ at }) => ({
    pace: { closed: at["connections"] as number },
    mix: [{ path: "/page/{n}", expect: [200] }],
    draws: { n: { kind: "uniform", below: PAGE_NUMBERS } },
  }),
  oracle: () =>
    pageOracle({
      path: "/page",
      type: "text/html",
      how: "as documents",
      difference: async (body, n) => firstDifference(await documentText(body), await documentText(expectedPage(n))),
    }),
  expectations,
};
