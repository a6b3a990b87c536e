// The built app on node:http by srvx. After TanStack/router, e2e/react-start/flamegraph-bench/tests/server.js.
import { createServer } from "node:http";
import process from "node:process";
import { toNodeHandler } from "srvx/node";
import app from "./dist/server/server.js";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

createServer(toNodeHandler(app.fetch)).listen(Number(PORT), HOST);
