// tRPC over WebSocket with SuperJSON. After middleapi/orpc-benchmarks at 06ac3b0, benchmarks/ws-trpc/src/main.ts.
import process from "node:process";
import { initTRPC } from "@trpc/server";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import SuperJSON from "superjson";
import { WebSocketServer } from "ws";
import { anything, noon, replyOf, sixProcedures } from "./router.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const t = initTRPC.create({ transformer: SuperJSON });
const query = (name) => t.procedure.input(anything).query(replyOf(name, noon));
const mutation = (name) => t.procedure.input(anything).mutation(replyOf(name, noon));
const router = sixProcedures(query, mutation, (routes) => t.router(routes));
applyWSSHandler({ wss: new WebSocketServer({ host: HOST, port: Number(PORT) }), router, createContext: () => ({}) });
