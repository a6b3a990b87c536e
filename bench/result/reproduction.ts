import { isJudged } from "../record/verdicts.ts";
import { counted } from "../basics/units.ts";
import { cellKey } from "../record/cell.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOver } from "../record/inverse.ts";
import type { ComparedRun } from "./compare-runs.ts";
import { environmentDifferences } from "./run-changes.ts";

/**
 * The outcome of repeating a comparison. `same`: the intervals overlap. `other-size`: they do not, but the same side
 * wins. `opposite`: the other side wins.
 */
type Outcome = "same" | "other-size" | "opposite" | "unknown";

type WholeRun = Pick<ComparedRun, "run" | "lines" | "summary">;

/** Holds a repeated run against the published one: same winners, ratios within each other's intervals, same shape. */
export function reproductionOf(published: WholeRun, repeated: WholeRun) {
  const ours = new Map(
    comparisonsOf(repeated).flatMap(({ key, one }) => [
      [key(one.over, one.under), one] as const,
      [key(one.under, one.over), comparisonOver(one.under, one)] as const,
    ]),
  );
  const axes = new Map(published.run.plan.axes.map(({ name, title }) => [name, title]));
  const comparisons = comparisonsOf(published).map(({ family, key, one }) => {
    const again = ours.get(key(one.over, one.under));
    return {
      family: `${axes.get(family.axis ?? "") ?? family.kind}: ${family.title}`,
      over: one.over,
      under: one.under,
      outcome: outcomeOf(one, again),
      theirs: textOf(one),
      ours: again === undefined ? "not measured" : textOf(again),
    };
  });
  const ourChecks = new Map(repeated.summary.checks.map((check) => [check.name, check]));
  const shapes = published.summary.checks.flatMap((check) => {
    const again = ourChecks.get(check.name);
    if (again === undefined || again.holds === check.holds || [again.holds, check.holds].includes("unknown")) return [];
    return [`${check.name}: theirs ${check.seen}, ours ${again.seen}`];
  });
  const count = (outcome: Outcome) => comparisons.filter((one) => one.outcome === outcome).length;
  const [same, other, opposite, unknown] = (["same", "other-size", "opposite", "unknown"] as const).map(count);
  const comparable = comparisons.length - unknown!;
  // Ratios may differ between machines; winners and growth may not.
  const reproduced = comparable > 0 && opposite === 0 && shapes.length === 0 && same! + other! >= comparable;
  const shapeText = shapes.length === 0 ? "the same shape" : `${shapes.length} differences in shape`;
  const sentence = comparable === 0
    ? "Nothing could be compared: one of the runs has no verdicts."
    : `${reproduced ? "Reproduced" : "Not reproduced"}: of ${
      counted(comparable, "comparison")
    } ${same} within each other's intervals, ` +
      `${other} with the same order but another size, ${opposite} the other way round; ${shapeText}` +
      `${unknown === 0 ? "" : `; ${unknown} without a verdict on one side`}.`;
  return { reproduced, sentence, comparisons, shapes, environment: environmentDifferences(published, repeated) };
}

/** Every comparison of a run, with a key that is equal in another run, whatever its cells are called there. */
function comparisonsOf({ summary }: WholeRun) {
  const keys = new Map(summary.cells.map(({ name, cell }) => [name, cellKey(cell)]));
  return summary.families.flatMap((family) => {
    const key = (a: string, b: string) => JSON.stringify([family.kind, family.axis, keys.get(a), keys.get(b)]);
    return family.comparisons.map((one) => ({ family, key, one }));
  });
}

function outcomeOf(theirs: Comparison, ours: Comparison | undefined): Outcome {
  if (ours === undefined || !isJudged(ours) || !isJudged(theirs)) return "unknown";
  const meet = theirs.interval.low <= ours.interval.high && ours.interval.low <= theirs.interval.high;
  if (meet) return "same";
  const won = [theirs.verdict, ours.verdict];
  return won.includes("faster") && won.includes("slower") ? "opposite" : "other-size";
}

function textOf(one: Comparison): string {
  if (!isJudged(one)) return `no verdict (${one.marks[0]!.text})`;
  const { low, high } = one.interval;
  return `${one.verdict} ${one.ratio.toFixed(2)}× [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
