/** A hundred queries in flight, a hundred rows each: https://bun.sh, with bench/postgres of oven-sh/bun. */
import { defineConfig } from "levelfield";

export default defineConfig({ suites: ["./suite.ts"], rounds: 6 });
