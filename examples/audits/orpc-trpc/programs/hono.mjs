// Hono with the same six addresses. After middleapi/orpc-benchmarks at 06ac3b0, benchmarks/openapi-hono/src/main.ts.
import process from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { validator } from "hono/validator";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = new Hono();
for (const name of ["", "nested/", "nested/nested/"].flatMap((path) => [`${path}procedure_1`, `${path}procedure_2`])) {
  app.get(
    `/${name}`,
    validator("query", (value) => value),
    (c) => c.json({ name, date: new Date(), input: c.req.valid("query") }),
  );
}
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST });
