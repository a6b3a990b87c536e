// Express with a live heap. After oven-sh/bun, bench/heap-growth/app-express.js.
import process from "node:process";
import express from "express";
import { replyTo } from "./cache.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = express();
app.get("/api/:id", (request, reply) => void reply.json(replyTo(request.params.id, request.query)));
app.listen(Number(PORT), HOST);
