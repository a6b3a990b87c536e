// The fetch handler on @hono/node-server, which leaves the global classes as they are: the variant "hono".
import process from "node:process";
import { serve } from "@hono/node-server";
import { handlerOf } from "./handler.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

serve({ fetch: handlerOf(Response), port: Number(PORT), hostname: HOST, overrideGlobalObjects: false });
