/** The same two frameworks, both on each runtime. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { elysia: "./programs/elysia.mjs", express: "./programs/express.mjs" },
  request: "GET /plaintext",
  ready: "/plaintext",
  ignore: ["header:content-type", "header:x-powered-by", "header:etag"],
  rounds: 4,
  at: { runtime: ["node", "bun"], connections: [256] },
});
