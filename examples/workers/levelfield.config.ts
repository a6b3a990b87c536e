/** What `bench run` measures in this folder: one worker and two, by each way. Two cores are one too few: see docs/workers.md. */
import { defineConfig } from "levelfield";

export default defineConfig({
  app: "./app.ts",
  request: "GET /words",
  at: { workers: [1, 2], workersBy: ["reuse-port", "cluster", "parallel"], connections: 50 },
  quick: true,
});
