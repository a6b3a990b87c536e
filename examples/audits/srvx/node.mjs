// A JSON body and a header that come back, on node:http alone. After h3js/srvx, test/bench-node.
import { createServer } from "node:http";
import process from "node:process";
import { json } from "node:stream/consumers";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

createServer(async (request, reply) => {
  if (request.method === "GET") return void reply.end("ready");
  const body = await json(request);
  reply.setHeader("x-test", request.headers["x-test"] ?? "");
  reply.setHeader("content-type", "application/json;charset=UTF-8");
  reply.end(JSON.stringify(body));
}).listen(Number(PORT), HOST);
