/** Bun's driver of Redis against ioredis: https://bun.com/docs/runtime/redis. */
import { defineConfig } from "levelfield";

export default defineConfig({
  rounds: 6,
  at: { driver: ["bun-redis", "ioredis", "ioredis-auto"], runtime: ["bun"] },
});
