// oRPC over HTTP. After middleapi/orpc-benchmarks, benchmarks/rpc-orpc/src/main.ts. The request "/call" stands for the
// published one, whose address differs from that of tRPC.
import { createServer } from "node:http";
import process from "node:process";
import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/node";
import { anything, replyOf, sixProcedures } from "./router.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
const CALL = "/nested/procedure_1?data=%7B%22json%22%3A%22hello%20world%22%2C%22meta%22%3A%5B%5D%7D";

const procedure = (name) => os.input(anything).handler(replyOf(name));
const handler = new RPCHandler(sixProcedures(procedure, procedure), { strictGetMethodPluginEnabled: false });

createServer(async (request, reply) => {
  if (request.url === "/call") request.url = CALL;
  const { matched } = await handler.handle(request, reply);
  if (!matched) {
    reply.statusCode = 404;
    reply.end("Not Found");
  }
}).listen(Number(PORT), HOST);
