/** A chat of 32 clients, each message to all: https://bun.sh, with bench/websocket-server of oven-sh/bun. */
import { defineConfig } from "levelfield";

export default defineConfig({
  rounds: 6,
  at: { workload: ["room"], implementation: ["native", "publish"], runtime: ["node", "deno", "bun"] },
});
