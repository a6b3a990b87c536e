import type { Suite } from "../suite.ts";

/** Requests and oracle of suites of functions alone: the function's results, as servers/calls/app.ts reports them. */
export const CALLED: Pick<Suite, "generator" | "requests" | "oracle"> = {
  generator: "in-process",
  requests: () => ({ calls: true, pace: { closed: 1 }, mix: [{ path: "/results", expect: [200] }] }),
  oracle: () => ({ alive: { name: "it answers", run: () => Promise.resolve(1) }, checks: () => [] }),
};
