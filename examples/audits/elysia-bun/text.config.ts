/** The text alone, with the program of Bun.serve that the board has. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { elysia: "./elysia.mjs", bun: "./bun-of-board.mjs" },
  request: "GET /",
  // One sends "text/plain" with a charset; a static reply has an ETag.
  ignore: ["header:content-type", "header:etag"],
  rounds: 4,
  at: { runtime: ["bun"], connections: [500] },
});
