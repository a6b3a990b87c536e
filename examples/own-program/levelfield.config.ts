/** What `bench run` measures in this folder: one program on each runtime. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { server: "./server.ts" },
  ready: "/items/1",
  request: ["GET /items/42", { method: "POST", path: "/sum", body: [1, 2, 3] }],
  quick: true,
});
