/** Elysia on Bun against Express on Node: https://elysiajs.com, after TechEmpower's round 22. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { server: "./programs/mixed.mjs" },
  request: "GET /plaintext",
  ready: "/plaintext",
  ignore: ["header:content-type", "header:x-powered-by", "header:etag"],
  rounds: 6,
  at: { runtime: ["node", "bun"], connections: [256] },
});
