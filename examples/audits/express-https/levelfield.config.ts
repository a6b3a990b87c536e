/** Express over HTTPS as bun.sh reports it: 50 connections that are kept, as in bench/express/README.md of oven-sh/bun. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { express: "./server.mjs" },
  request: { path: "/", headers: { "accept-encoding": "identity" } },
  protocol: "https",
  rounds: 6,
  at: { connections: [50] },
});
