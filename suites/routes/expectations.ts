import { publishedRate, ratio } from "../expected.ts";
import type { Expectation } from "../suite.ts";
import { ONE_ECHO, REUSE, type Route, ROUTES } from "./requests.ts";

const PLACE = "MacBook Pro M4 Pro, 4 threads, 100 connections, 10 s";

/** Requests per second Hull published for each route, by the language its handlers are written in. */
const HULL: Readonly<Record<Exclude<Route, "bare">, { readonly lua: number; readonly quickjs: number }>> = {
  health: { lua: 69_884, quickjs: 72_483 },
  greet: { lua: 81_863, quickjs: 76_204 },
  echo: { lua: 69_379, quickjs: 72_025 },
  "greet-post": { lua: 63_688, quickjs: 67_450 },
};
/** Requests per second of Keel, the server in C below Hull, without any script: `GET /hello`. */
const KEEL = 101_738;

const published = (route: Route, value: number, what: string) => publishedRate({ route }, value, `${what}: ${PLACE}`);

/** Requests per second of the Chronos guide's app, in a release build, on the author's laptop. */
const CHRONOS = 647.47;

/** Expectations known before any run. */
export const expectations: readonly Expectation[] = [
  publishedRate(
    { route: ONE_ECHO, reuse: "new", connections: 100 },
    CHRONOS,
    "Chronos, with its dashboard and logging: ab -n 10000 -c 100, release build",
  ),
  published("bare", KEEL, "Keel, the server below Hull"),
  ...Object.entries(HULL).flatMap(([route, { lua, quickjs }]) => [
    published(route as Route, lua, "Hull with Lua"),
    published(route as Route, quickjs, "Hull with QuickJS"),
  ]),
  {
    kind: "steps",
    name: "what each step costs",
    axis: "route",
    values: ROUTES,
    metric: "cpu_ns_per_request",
    why: "the runtime's server; then a router and a JSON reply; a parameter; a body that is parsed and written; both",
  },
  {
    kind: "steps",
    name: "what a connection for each request costs",
    axis: "reuse",
    values: REUSE,
    metric: "cpu_ns_per_request",
    why: "a handshake of TCP, and over TLS one of that: whole, or going on with the session before",
  },
  ratio({
    name: "the server without the framework",
    over: { route: "bare" },
    under: { route: "health" },
    published: 1.46,
    why: "Hull's page speaks of 15 to 30 % for its scripting layer; its figures, Keel over Lua, say 46 %",
  }),
  ratio({
    name: "GET over POST with a body, same path",
    over: { route: "greet" },
    under: { route: "greet-post" },
    published: 1.29,
    why: "Hull's page speaks of 5 to 10 % for a body; its figures say 29 % in Lua, 13 % in QuickJS",
  }),
  ratio({
    name: "GET over POST, plainest routes",
    over: { route: "health" },
    under: { route: "echo" },
    published: 1.01,
    why: "in Hull /health looks up a version as well, which hides what the body of /echo costs; here it does not",
  }),
];
