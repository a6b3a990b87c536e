// node:http with a live heap. After oven-sh/bun, bench/heap-growth/app-nodehttp.js.
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import process from "node:process";
import { replyTo } from "./cache.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

createServer((request, reply) => {
  const { pathname, searchParams } = new URL(request.url, "http://x");
  const text = JSON.stringify(replyTo(pathname.split("/")[2] ?? "0", Object.fromEntries(searchParams)));
  reply.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  reply.end(text);
}).listen(Number(PORT), HOST);
