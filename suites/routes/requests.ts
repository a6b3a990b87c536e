import { mixKeys } from "../../stores/dataset/mix.ts";
import type { Draw, RequestPlan, RequestTemplate } from "../suite.ts";

/** The routes in the order in which each does one thing more. */
export const ROUTES = ["bare", "health", "greet", "echo", "greet-post"] as const;

/** Name of a route. */
export type Route = (typeof ROUTES)[number];

/** A workload measured only on request: `echo` with one body, for load generators that send one request. */
export const ONE_ECHO = "echo-one";

/** The number of names to greet, and the seed they are made from: 16 hexadecimal digits each. */
export const NAMES = 2 ** 20;
export const NAMES_SEED = 42;

const health: RequestTemplate = { path: "/health", expect: [200] };
const json = { "content-type": "application/json" };
const body = '{"message":"{name}","number":{number},"list":[1,2,3],"more":{"of":"the same"}}';

const TEMPLATES: Readonly<Record<Route, RequestTemplate>> = {
  bare: health,
  health,
  greet: { path: "/greet/{name}", expect: [200] },
  echo: { method: "POST", path: "/echo", headers: json, body, expect: [200] },
  "greet-post": { method: "POST", path: "/greet/{name}", headers: json, body, expect: [200] },
};

const oneBody = '{"message":"hello","number":1,"list":[1,2,3],"more":{"of":"the same"}}';

/** The reuse of connections: they stay open, or each request opens one, which may resume the TLS session before it. */
export const REUSE = ["kept", "new", "resumed"] as const;

const number: Draw = { kind: "uniform", below: NAMES };
const name: Draw = { kind: "same", of: "number", as: { hex16: mixKeys(NAMES_SEED) } };

/** The requests for a route. */
export function requestsOf(
  route: Route | typeof ONE_ECHO,
  connections: number,
  connection: (typeof REUSE)[number] = "kept",
): RequestPlan {
  const template = route === ONE_ECHO ? { ...TEMPLATES.echo, body: oneBody } : TEMPLATES[route];
  const plan = { pace: { closed: connections }, mix: [template], ...(connection === "kept" ? {} : { connection }) };
  return template === health || route === ONE_ECHO ? plan : { ...plan, draws: { number, name } };
}
