/** Two versions of @hono/node-server: the notes of its release 2.0.0, https://github.com/honojs/node-server/releases. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { one: "./programs/one.mjs", two: "./programs/two.mjs" },
  request: { method: "POST", path: "/json", body: { hello: "world" } },
  rounds: 6,
  at: { runtime: ["node"], connections: [50] },
});
