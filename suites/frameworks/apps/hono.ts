import { Hono } from "hono";
import type { OpenApp } from "../../../servers/app.ts";

/** Hono. */
export const open: OpenApp = () => {
  const app = new Hono<{ Variables: { first: number; second: number } }>();
  app.use(async (c, next) => {
    c.set("first", 1);
    await next();
  });
  app.use(async (c, next) => {
    c.set("second", 2);
    await next();
  });
  app.get("/favicon.ico", (c) => c.body(null, 204));
  app.get("/seen", (c) => c.text(`${c.get("first")} ${c.get("second")}`));
  app.get("/users/:id", (c) => c.text(`User: ${c.req.param("id")}`));
  return { fetch: (request) => app.fetch(request) };
};
