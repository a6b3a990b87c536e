import { mixKeys } from "../../stores/dataset/mix.ts";
import type { Draw, RequestPlan, RequestTemplate } from "../suite.ts";

/** The routes in the order in which each does one thing more. */
export const ROUTES = ["bare", "health", "greet", "echo", "greet-post"] as const;

/** Name of a route. */
export type Route = (typeof ROUTES)[number];

/** How many names there are to greet, and the seed they are made from: 16 hexadecimal digits each. */
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

const number: Draw = { kind: "uniform", below: NAMES };
const name: Draw = { kind: "same", of: "number", as: { hex16: mixKeys(NAMES_SEED) } };

/** The requests for a route. */
export function requestsOf(route: Route, connections: number): RequestPlan {
  const template = TEMPLATES[route];
  const plan = { pace: { closed: connections }, mix: [template] };
  return template === health ? plan : { ...plan, draws: { number, name } };
}
