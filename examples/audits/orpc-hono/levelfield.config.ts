/** oRPC's OpenAPI handler and Hono: https://github.com/middleapi/orpc/pull/2050. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { orpc: "../orpc-trpc/programs/orpc-openapi.mjs", hono: "../orpc-trpc/programs/hono.mjs" },
  request: "GET /nested/procedure_1?who=hello%20world",
  ignore: "json:date",
  rounds: 5,
  at: { runtime: ["node"], connections: [10] },
});
