import type * as Cephes from "cephes" with { "resolution-mode": "require" };
import { createRequire } from "node:module";

/**
 * Cephes (Moshier, "Methods and Programs for Mathematical Functions", 1989), the C library under SciPy, as the npm package
 * `cephes`: one typed package without dependencies or install scripts, where `@stdlib/stats-base-dists-t-*` brings 233 and
 * `jstat` has no types and nine digits. It is WebAssembly that calls nothing of the engine's, so it gives each engine the
 * same digits. Its CommonJS build is loaded because its ES module build sets `__proto__`, which Deno switches off.
 */
export const cephes = createRequire(import.meta.url)("cephes") as typeof Cephes;
await cephes.compiled;
