import type { Suite } from "../suite.ts";

/** What suites of nothing but functions ask and check: the function's own results, as servers/calls/app.ts tells them. */
export const CALLED: Pick<Suite, "generator" | "requests" | "oracle"> = {
  generator: "in-process",
  requests: () => ({ calls: true, pace: { closed: 1 }, mix: [{ path: "/results", expect: [200] }] }),
  oracle: () => ({ alive: { name: "it answers", run: () => Promise.resolve(1) }, checks: () => [] }),
};
