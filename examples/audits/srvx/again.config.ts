/** The same with version 1 of Hono's adapter, which stands with its other version in node-server-2. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { node: "./node.mjs", hono: "../node-server-2/programs/handler-on-1.mjs" },
  request: { method: "POST", path: "/", headers: { "x-test": "123" }, body: { message: "Hello!" } },
  rounds: 4,
  at: { runtime: ["node"], connections: [50] },
});
