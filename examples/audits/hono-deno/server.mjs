// Three routes of Hono: a text, a path with a query and a header, a JSON body that comes back.
// After SaltyAom/bun-http-framework-benchmark, src/bun/hono.ts.
import process from "node:process";
import { Hono } from "hono";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = new Hono();
app.get("/", (c) => c.text("Hi"));
app.get("/id/:id", (c) => {
  c.header("x-powered-by", "benchmark");
  return c.text(`${c.req.param("id")} ${c.req.query("name")}`);
});
app.post("/json", async (c) => c.json(await c.req.json()));

if (globalThis.Bun) globalThis.Bun.serve({ port: Number(PORT), hostname: HOST, fetch: app.fetch });
else globalThis.Deno.serve({ port: Number(PORT), hostname: HOST, onListen() {} }, app.fetch);
