/** Adapters of fetch handlers on Node: https://github.com/h3js/srvx, test/bench-node. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { node: "./node.mjs", srvx: "./srvx.mjs", hono: "./hono.mjs" },
  request: { method: "POST", path: "/", headers: { "x-test": "123" }, body: { message: "Hello!" } },
  rounds: 6,
  at: { runtime: ["node"], connections: [50] },
});
