import { fileURLToPath } from "node:url";
import { conditionAxis, connectionsAxis, runtimeAxis, wordAxis, workersAt, workersAxes, workersOn } from "../axes.ts";
import type { Point, Suite } from "../suite.ts";
import { alive, bareChecks, checks } from "./checks.ts";
import { expectations } from "./expectations.ts";
import { ONE_ECHO, requestsOf, type REUSE, type Route, ROUTES } from "./requests.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

type AnyRoute = Route | typeof ONE_ECHO;

const TITLES: Readonly<Record<AnyRoute, string>> = {
  bare: "GET /health of the runtime's own server, without a framework",
  health: "GET /health: router and a fixed JSON reply",
  greet: "GET /greet/:name: a parameter in the reply",
  echo: "POST /echo: a JSON body parsed and sent back",
  "greet-post": "POST /greet/:name: a parameter merged into a JSON body",
  [ONE_ECHO]: "POST /echo: always the same JSON body, parsed and sent back",
};

const route = wordAxis({
  name: "route",
  title: "Route",
  help: "which route is asked for; bare is the runtime's server without a framework",
  values: ROUTES,
  others: [ONE_ECHO],
  describe: (value) => ({ title: TITLES[value as AnyRoute] }),
});

const reuse = conditionAxis({
  name: "reuse",
  title: "Connections are",
  inEveryRound: true,
  help: "kept open, new for each request, or new and resumed: over TLS with the session before",
  phrases: {
    kept: "connections kept",
    new: "a new connection a request",
    resumed: "resumed TLS sessions",
  },
  measured: 1,
});

const routeOf = ({ at }: Point) => at["route"] as AnyRoute;

/** The cost of each step of a route before any store is used. */
export const routes: Suite = {
  name: "routes",
  subject: "Routes of one Hono app",
  title: "routes of one Hono app: a fixed reply, a parameter, a JSON body, and the bare server as floor",
  axes: [route, runtimeAxis, connectionsAxis(50), reuse, ...workersAxes],
  supports: workersOn,
  // Nine servers, most of which only h2load can load: it loads one at a time.
  quickSpoken: { at: { route: ["health"] } },
  probe: { runtime: "deno", route: "health" },
  presets: {
    hull: {
      title: "as Hull's page has it: wrk -t4 -c100 -d10s, each once",
      threads: 4,
      durationMs: 10_000,
      rounds: 1,
      at: { connections: [100] },
    },
    chronos: {
      title: "as the Chronos guide has it, by wrk: 100 connections on a JSON body, without and with connections kept",
      rounds: 6,
      at: { route: [ONE_ECHO], connections: [100], reuse: ["new", "kept"] },
    },
  },
  server: (point) => ({
    kind: "app",
    runtime: String(point.at["runtime"]),
    module: pathOf(routeOf(point) === "bare" ? "../../servers/apps/bare.ts" : "app.ts"),
    ...workersAt(point),
  }),
  requests: ({ at }) =>
    requestsOf(at["route"] as AnyRoute, at["connections"] as number, at["reuse"] as (typeof REUSE)[number] | undefined),
  oracle: (point) => ({ alive, checks: (seed) => routeOf(point) === "bare" ? bareChecks : checks(seed) }),
  expectations,
};
