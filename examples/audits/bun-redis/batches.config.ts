/** Drivers of Redis alone, batches of GET: https://bun.com/blog/bun-v1.2.9. */
import { defineConfig } from "levelfield";

export default defineConfig({
  suites: ["./suite.ts"],
  rounds: 4,
  time: "3m",
  at: { batch: [100, 1_000], driver: ["bun-redis", "ioredis-auto"], runtime: ["bun"], service: ["real"] },
});
