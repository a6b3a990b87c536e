/**
 * Logarithms and powers of e that are the same to the last digit on every engine, where those of `Math` are not: what one
 * runtime published, another one finds again. Within four units in the last place of the true value.
 */
import { mean } from "./variation.ts";
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

/** ln(1 + x), exact near 0; -Infinity at -1, NaN below. */
export const log1p = (x: number): number => cephes.log1p(x);

/** e^x - 1, exact near 0. */
export const expm1 = (x: number): number => cephes.expm1(x);

/** The natural logarithm; -Infinity at 0 and below 1e-308, which has no finite inverse; NaN below 0. */
export const log = (x: number): number => x >= 0.5 ? log1p(x - 1) : 0 - log1p(1 / x - 1);

/** e^x. */
export const exp = (x: number): number => x >= 0 ? expm1(x) + 1 : 1 / (expm1(0 - x) + 1);

/** The geometric mean of positive values. Throws as {@link mean}. */
export const geometricMean = (values: readonly number[]): number => exp(mean(values.map(log)));
