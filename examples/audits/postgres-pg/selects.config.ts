/** Postgres.js against pg, ten thousand selects sent at once: https://github.com/porsager/postgres-benchmarks. */
import { defineConfig } from "levelfield";

// A call takes a second and more: a window holds ten.
export default defineConfig({ suites: ["./suite.ts"], rounds: 4, duration: "15s", at: { runtime: ["node"] } });
