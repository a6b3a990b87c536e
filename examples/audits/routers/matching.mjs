// Each call asks a router that has its routes already, as a server that runs does.
// After honojs/hono, benchmarks/routers/src/bench.mts. A call gives the place of the route found.
import { LinearRouter } from "hono/router/linear-router";
import { fastifyRouter, honoRouter, REQUESTS } from "./routes.mjs";

export default {
  inputs: REQUESTS,
  expect: ([, , place]) => place,
  calls: { linear: honoRouter(LinearRouter), "find-my-way": fastifyRouter() },
};
