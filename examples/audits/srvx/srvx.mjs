// The fetch handler on srvx with its own class of replies, the variant "srvx-fast".
import process from "node:process";
import { FastResponse, serve } from "srvx";
import { handlerOf } from "./handler.mjs";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

serve({ fetch: handlerOf(FastResponse), port: Number(PORT), hostname: HOST, silent: true });
