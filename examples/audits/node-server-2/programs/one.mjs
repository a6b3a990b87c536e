// A JSON body that Hono reads and sends back, on version 1 of @hono/node-server.
import process from "node:process";
import { Hono } from "hono";
import { serve } from "node-server-1";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = new Hono();
app.get("/", (c) => c.text("Hello World"));
app.post("/json", async (c) => c.json(await c.req.json()));
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST });
