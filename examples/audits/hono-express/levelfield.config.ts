/** Hono against Express on Node: the README of https://github.com/honojs/node-server, 125 connections. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { hono: "./hono.mjs", express: "./express.mjs" },
  request: "GET /",
  ignore: ["header:content-type", "header:x-powered-by", "header:etag"],
  rounds: 6,
  at: { runtime: ["node"], connections: [125] },
});
