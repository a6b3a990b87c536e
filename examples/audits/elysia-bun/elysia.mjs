// Three routes of Elysia: a text, a path with a query and a header, a JSON body that comes back.
// After SaltyAom/bun-http-framework-benchmark, src/bun/elysia.ts.
import process from "node:process";
import { Elysia } from "elysia";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

new Elysia()
  .get("/", "Hi")
  .get("/id/:id", ({ set, params, query }) => {
    set.headers["x-powered-by"] = "benchmark";
    return `${params.id} ${query.name}`;
  })
  .post("/json", ({ body }) => body, { parse: "json" })
  .listen({ port: Number(PORT), hostname: HOST });
