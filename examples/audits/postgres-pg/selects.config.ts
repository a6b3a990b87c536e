/** Postgres.js against pg, ten thousand selects sent at once: https://github.com/porsager/postgres-benchmarks. */
import { defineConfig } from "levelfield";

export default defineConfig({ suites: ["./suite.ts"], rounds: 4, time: "3m", at: { runtime: ["node"] } });
