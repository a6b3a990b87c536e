/** Express on two versions of Node: https://github.com/dimdenGD/ultimate-express/issues/364. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { express: "../express/server.mjs" },
  request: "GET /",
  rounds: 6,
  at: { runtime: ["node@22.23.3", "node@24.21.0", "node"], connections: [50] },
});
