/** Comparisons with their sides swapped. */
import { isJudged, type Judged } from "./verdicts.ts";
import type { Comparison } from "./comparison.ts";

type Verdict = Comparison["verdict"];

/** Returns the verdict on `under` that follows from one on `over`. */
export function inverseVerdict<V extends Verdict>(verdict: V): V | "faster" | "slower" {
  return verdict === "faster" ? "slower" : verdict === "slower" ? "faster" : verdict;
}

/**
 * Returns the same comparison with `under` over `over`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { type Comparison, inverse } from "levelfield/statistics";
 * const none: Comparison = {
 *   ...{ verdict: "no-verdict", over: "bun", under: "node", basis: "solo", ratio: null, interval: null },
 *   marks: [{ code: "too-few-rounds", effect: "withholds", text: "2 of the 3 rounds a verdict needs" }],
 * };
 * assert.equal(inverse(none).over, "node");
 * ```
 */
export function inverse<C extends Comparison>(comparison: C): C;
export function inverse(comparison: Comparison): Comparison {
  const { over: under, under: over } = comparison;
  if (!isJudged(comparison)) return { ...comparison, over, under };
  const { ratio, interval: { low, high, level }, verdict, core, lower_bound } = comparison;
  return {
    ...comparison,
    over,
    under,
    verdict: inverseVerdict(verdict),
    ratio: 1 / ratio,
    interval: { low: 1 / high, high: 1 / low, level },
    ...(lower_bound === undefined ? {} : { lower_bound: lower_bound === "over" ? "under" : "over" }),
    ...(core === undefined ? {} : { core: { slow: turned(core.slow), fast: turned(core.fast) } }),
  };
}

type AtCoreSpeed = NonNullable<Judged["core"]>["slow"];

const turned = ({ ratio, over_ns, under_ns }: AtCoreSpeed): AtCoreSpeed => ({
  ratio: 1 / ratio,
  over_ns: under_ns,
  under_ns: over_ns,
});

/** The comparison as one of its two sides has it. */
export function comparisonOver<C extends Comparison>(over: string, comparison: C): C {
  return comparison.over === over ? comparison : inverse(comparison);
}

/** Finds the comparison of two sides, turned so that the first of them comes first. */
export function comparisonOf<C extends Comparison>(over: string, under: string, among: readonly C[]): C | undefined {
  const found = among.find((one) => [one.over, one.under].includes(over) && [one.over, one.under].includes(under));
  return found && comparisonOver(over, found);
}

/** Returns the comparison with the faster one as `over`, as it is stored and shown. */
export function fasterFirst<C extends Comparison>(comparison: C): C {
  return comparison.ratio !== null && comparison.ratio < 1 ? inverse(comparison) : comparison;
}
