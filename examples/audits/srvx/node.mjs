// A JSON body and a header that come back, on node:http alone. After h3js/srvx, test/bench-node.
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

/** The body of a request, from its data events. */
const bodyOf = (request) =>
  new Promise((resolve, reject) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}")));
    request.on("error", reject);
  });

createServer(async (request, reply) => {
  if (request.method === "GET") return void reply.end("ready");
  const body = await bodyOf(request);
  reply.setHeader("x-test", request.headers["x-test"] ?? "");
  reply.setHeader("content-type", "application/json;charset=UTF-8");
  reply.end(JSON.stringify(body));
}).listen(Number(PORT), HOST);
