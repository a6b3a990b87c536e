// Fastify with a live heap. After oven-sh/bun, bench/heap-growth/app-fastify.js.
import process from "node:process";
import fastify from "fastify";
import { replyTo } from "./cache.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = fastify();
app.get("/api/:id", (request, reply) => void reply.send(replyTo(request.params.id, request.query)));
await app.listen({ port: Number(PORT), host: HOST });
