// A hello world of Hono on Node, after the README of honojs/node-server.
import process from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = new Hono();
app.get("/", (c) => c.text("Hello World"));
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST });
