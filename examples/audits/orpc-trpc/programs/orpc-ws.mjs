// oRPC over WebSocket. After middleapi/orpc-benchmarks at 9225ecc, benchmarks/ws-orpc/src/main.ts.
import process from "node:process";
import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/websocket";
import { WebSocketServer } from "ws";
import { anything, noon, replyOf, sixProcedures } from "./router.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const procedure = (name) => os.input(anything).handler(replyOf(name, noon));
const handler = new RPCHandler(sixProcedures(procedure, procedure));
const server = new WebSocketServer({ host: HOST, port: Number(PORT) });
server.on("connection", (socket) => void handler.upgrade(socket));
