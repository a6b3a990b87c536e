// The same on node:http alone. After fastify/benchmarks, benchmarks/bare.cjs.
import { createServer } from "node:http";
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

createServer((_request, reply) => {
  reply.setHeader("content-type", "application/json; charset=utf-8");
  reply.end(JSON.stringify({ hello: "world" }));
}).listen(Number(PORT), HOST);
