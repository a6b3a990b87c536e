/** Postgres.js against pg, queries alone: https://github.com/porsager/postgres-benchmarks, a pool of four. */
import { defineConfig } from "levelfield";

export default defineConfig({
  generator: "in-process",
  rounds: 6,
  at: { driver: ["postgres", "pg"], runtime: ["node"], pool: 4, connections: 100 },
});
