/** Express on three runtimes: https://bun.sh had these figures until 2026, with bench/express of oven-sh/bun. */
import { defineConfig } from "levelfield";

export default defineConfig({
  program: { express: "./server.mjs" },
  request: { path: "/", headers: { "accept-encoding": "identity" } },
  rounds: 6,
  warmup: "15s",
  at: { connections: [50] },
});
