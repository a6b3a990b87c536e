// Each call makes a router, gives it twelve routes and asks for one, as a program that answers a single request.
// After honojs/hono, benchmarks/routers/src/bench-includes-init.mts. A call gives the place of the route found.
import { LinearRouter } from "hono/router/linear-router";
import { fastifyRouter, honoRouter, REQUESTS } from "./routes.mjs";

export default {
  inputs: REQUESTS,
  expect: ([, , place]) => place,
  calls: {
    linear: (request) => honoRouter(LinearRouter)(request),
    "find-my-way": (request) => fastifyRouter()(request),
  },
};
