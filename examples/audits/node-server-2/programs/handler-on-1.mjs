// The fetch handler of examples/audits/srvx on version 1 of @hono/node-server.
import process from "node:process";
import { serve } from "node-server-1";
import { handlerOf } from "../../srvx/handler.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

serve({ fetch: handlerOf(Response), port: Number(PORT), hostname: HOST, overrideGlobalObjects: false });
