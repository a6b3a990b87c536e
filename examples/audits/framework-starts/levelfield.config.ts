/** Starts of three frameworks with 25 routes: https://elysiajs.com/blog/elysia-20, here all on Bun. */
import { defineConfig } from "levelfield";

export default defineConfig({ suites: ["./suite.ts"], rounds: 6, at: { runtime: "bun" } });
