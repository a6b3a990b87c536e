/** A program that listens by itself, as most do: it runs unchanged on Node, Deno and Bun, on the port in PORT. */
import { createServer } from "node:http";

createServer(async (request, reply) => {
  reply.setHeader("content-type", "application/json");
  const id = /^\/items\/(\d+)$/.exec(request.url ?? "")?.[1];
  if (id !== undefined) reply.end(JSON.stringify({ id: Number(id), name: `item ${id}` }));
  else if (request.method === "POST" && request.url === "/sum") {
    let body = "";
    for await (const chunk of request) body += chunk;
    const numbers: number[] = JSON.parse(body);
    reply.end(JSON.stringify({ sum: numbers.reduce((sum, number) => sum + number, 0) }));
  } else reply.writeHead(404).end("{}");
}).listen(Number(process.env["PORT"] ?? 3000), process.env["HOST"] ?? "127.0.0.1");
