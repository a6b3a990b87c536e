// 25 routes in Hono on Bun's server.
import process from "node:process";
import { Hono } from "hono";

const app = new Hono();
for (let n = 0; n < 25; n++) app.get(`/route-${n}`, (c) => c.text("here"));
const { port } = globalThis.Bun.serve({ port: Number(process.env.PORT ?? 0), hostname: "127.0.0.1", fetch: app.fetch });
process.stdout.write(`${port}\n`);
