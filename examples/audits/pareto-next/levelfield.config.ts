/** A page with a loader by Pareto and by Next: https://paretojs.tech/blog/benchmarks/. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { pareto: "./pareto.mjs", next: "./next.mjs" },
  request: "GET /data",
  // Each wraps the page in its own way, and data holds the time.
  expect: 200,
  rounds: 4,
  // Pareto's cost still falls after the 12 s that a warm-up takes at most.
  warmup: "20s",
  // A thousand requests are under way there. With a hundred all wait for their loaders at once, and the core idles.
  at: { runtime: ["node"], connections: [500] },
});
