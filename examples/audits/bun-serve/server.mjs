// A hello world on the server that a runtime's documentation shows: Bun.serve on Bun, node:http on Node.
// After the section "Benchmarks" of https://bun.com/docs/runtime/http/server.
import { createServer } from "node:http";
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

if (globalThis.Bun) {
  globalThis.Bun.serve({ port: Number(PORT), hostname: HOST, fetch: () => new Response("Bun!") });
} else {
  createServer((_request, reply) => reply.end("Bun!")).listen(Number(PORT), HOST);
}
