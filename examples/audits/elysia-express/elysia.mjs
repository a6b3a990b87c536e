// TechEmpower's plaintext in Elysia.
import process from "node:process";
import { Elysia } from "elysia";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = new Elysia().get("/plaintext", "Hello, World!");
if (process.versions.bun === undefined) {
  const { serve } = await import("@hono/node-server");
  serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST });
} else app.listen({ port: Number(PORT), hostname: HOST });
