// oRPC's OpenAPI handler. After middleapi/orpc-benchmarks at c5545cd, benchmarks/openapi-orpc/src/main.ts.
import { createServer } from "node:http";
import process from "node:process";
import { openapi } from "@orpc/openapi";
import { OpenAPIHandler } from "@orpc/openapi/node";
import { os } from "@orpc/server";
import { anything, replyOf, sixProcedures } from "./router.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const procedure = (name) =>
  os.meta(openapi({ method: "GET", path: `/${name}` })).input(anything).handler(replyOf(name));
const handler = new OpenAPIHandler(sixProcedures(procedure, procedure));

createServer(async (request, reply) => {
  const { matched } = await handler.handle(request, reply);
  if (!matched) {
    reply.statusCode = 404;
    reply.end("Not Found");
  }
}).listen(Number(PORT), HOST);
