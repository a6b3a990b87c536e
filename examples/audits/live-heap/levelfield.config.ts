/** Express and Fastify with 150 MB of live heap, on Node and Bun: https://github.com/oven-sh/bun/issues/35436. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { express: "./express.mjs", fastify: "./fastify.mjs" },
  // One of the first 100 000 records, which the published generator goes round.
  request: { path: "/api/{id}?k=v&n={id}", draws: { id: { kind: "uniform", below: 100_000 } } },
  // Replies hold the time, and Express adds its name and a tag.
  ignore: [
    "json:ts",
    "json:rec.created",
    "header:content-type",
    "header:content-length",
    "header:etag",
    "header:x-powered-by",
  ],
  rounds: 4,
  time: "3m",
  at: { runtime: ["node", "bun"], connections: [64] },
});
