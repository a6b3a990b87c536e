/** Express and Fastify with 150 MB of live heap, on Node and Bun: https://github.com/oven-sh/bun/issues/35436. */
import { defineConfig } from "levelfield";

/** A record in 1 561 of the first 100 000, as the published generator goes round them. */
const ids = Array.from({ length: 64 }, (_, n) => 1_561 * n);

export default defineConfig({
  program: { express: "./express.mjs", fastify: "./fastify.mjs" },
  request: ids.map((id) => `GET /api/${id}?k=v&n=${id}`),
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
