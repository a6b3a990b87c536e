/** A hundred queries in flight, a hundred rows each: https://bun.sh, with bench/postgres of oven-sh/bun. */
import { defineConfig } from "levelfield";
import { bunPostgres } from "./suite.ts";

export default defineConfig({ suites: [bunPostgres], rounds: 6 });
