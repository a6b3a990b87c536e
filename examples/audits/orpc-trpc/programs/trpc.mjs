// tRPC over HTTP with SuperJSON. After middleapi/orpc-benchmarks, benchmarks/rpc-trpc/src/main.ts. The request "/call"
// stands for the published one, whose address differs from that of oRPC.
import { createServer } from "node:http";
import process from "node:process";
import { initTRPC } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import SuperJSON from "superjson";
import { anything, replyOf, sixProcedures } from "./router.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
const CALL = "/nested.procedure_1?input=%7B%22json%22%3A%22hello%20world%22%2C%22meta%22%3A%5B%5D%7D";

const t = initTRPC.create({ transformer: SuperJSON });
const query = (name) => t.procedure.input(anything).query(replyOf(name));
const mutation = (name) => t.procedure.input(anything).mutation(replyOf(name));
const router = sixProcedures(query, mutation, (routes) => t.router(routes));
// createHTTPServer, which the published program calls, is createServer with this handler.
const handler = createHTTPHandler({ router, createContext: () => ({}) });

createServer((request, reply) => {
  if (request.url === "/call") request.url = CALL;
  handler(request, reply);
}).listen(Number(PORT), HOST);
