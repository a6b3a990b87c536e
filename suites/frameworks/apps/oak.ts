import { Application, Router } from "@oakserver/oak";
import type { OpenApp } from "../../../servers/app.ts";

/** Oak. */
export const open: OpenApp = () => {
  const app = new Application<{ first: number; second: number }>();
  app.use((context, next) => {
    context.state.first = 1;
    return next();
  });
  app.use((context, next) => {
    context.state.second = 2;
    return next();
  });
  const router = new Router<{ first: number; second: number }>();
  router.get("/favicon.ico", (context) => {
    context.response.status = 204;
  });
  router.get("/seen", (context) => {
    context.response.body = `${context.state.first} ${context.state.second}`;
  });
  router.get("/users/:id", (context) => {
    context.response.body = `User: ${context.params["id"]}`;
  });
  app.use(router.routes());
  return { fetch: async (request) => await app.handle(request) ?? new Response(null, { status: 404 }) };
};
