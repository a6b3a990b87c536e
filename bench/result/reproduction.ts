import { counted } from "../basics/units.ts";
import { cellKey } from "../record/cell.ts";
import { environmentDifferences, turn } from "./compare-runs.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Published } from "./published.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary, VerdictEntry } from "../record/summary.ts";

/** A run with everything derived from it. */
export interface WholeRun {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  readonly published: Published;
}

/** One comparison of the published run, seen again here. */
export interface RepeatedVerdict {
  readonly family: string;
  readonly a: string;
  readonly b: string;
  /** `same`: the intervals meet; `other-size`: they do not, but nobody else wins; `opposite`: the other one wins. */
  readonly outcome: "same" | "other-size" | "opposite" | "unknown";
  readonly theirs: string;
  readonly ours: string;
}

/** What repeating a published run says about it. */
export interface Reproduction {
  readonly reproduced: boolean;
  /** The whole in one sentence. */
  readonly sentence: string;
  readonly verdicts: readonly RepeatedVerdict[];
  /** Checks of expectations that came out differently. */
  readonly shapes: readonly string[];
  /** What differs in the environment and could explain it. */
  readonly environment: readonly string[];
}

/** Holds a repeated run against the published one: same winners, ratios within each other's intervals, same shape. */
export function reproductionOf(published: WholeRun, repeated: WholeRun): Reproduction {
  const ours = new Map(
    verdictsOf(repeated).flatMap(({ key, entry }) => [
      [key(entry.a, entry.b), entry] as const,
      [key(entry.b, entry.a), turn(entry)] as const,
    ]),
  );
  const axes = new Map(published.run.plan.axes.map(({ name, title }) => [name, title]));
  const verdicts = verdictsOf(published).map(({ family, key, entry }): RepeatedVerdict => {
    const again = ours.get(key(entry.a, entry.b));
    return {
      family: `${axes.get(family.axis ?? "") ?? family.kind}: ${family.title}`,
      a: entry.a,
      b: entry.b,
      outcome: outcomeOf(entry, again),
      theirs: textOf(entry),
      ours: again === undefined ? "not measured" : textOf(again),
    };
  });
  const ourChecks = new Map(repeated.published.summary.checks.map((check) => [check.name, check]));
  const shapes = published.published.summary.checks.flatMap((check) => {
    const again = ourChecks.get(check.name);
    if (again === undefined || again.holds === check.holds || [again.holds, check.holds].includes("unknown")) return [];
    return [`${check.name}: theirs ${check.seen}, ours ${again.seen}`];
  });
  const count = (outcome: RepeatedVerdict["outcome"]) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const [same, other, opposite, unknown] = (["same", "other-size", "opposite", "unknown"] as const).map(count);
  const comparable = verdicts.length - unknown!;
  // A ratio may differ between machines; who wins and what grows may not.
  const reproduced = comparable > 0 && opposite === 0 && shapes.length === 0 && same! + other! >= comparable;
  const shapeText = shapes.length === 0 ? "the same shape" : `${shapes.length} differences in shape`;
  const sentence = comparable === 0
    ? "Nothing could be compared: one of the runs has no verdicts."
    : `${reproduced ? "Reproduced" : "Not reproduced"}: of ${
      counted(comparable, "comparison")
    } ${same} within each other's intervals, ` +
      `${other} with the same order but another size, ${opposite} the other way round; ${shapeText}` +
      `${unknown === 0 ? "" : `; ${unknown} without a verdict on one side`}.`;
  return {
    reproduced,
    sentence,
    verdicts,
    shapes,
    environment: environmentDifferences(published.run, repeated.run),
  };
}

/** Every verdict of a run, with what is equal for the same comparison in another run, whatever that calls its cells. */
function verdictsOf({ published: { summary } }: WholeRun) {
  const keys = new Map(summary.cells.map(({ name, cell }) => [name, cellKey(cell)]));
  return summary.families.flatMap((family: Summary["families"][number]) => {
    const key = (a: string, b: string) => JSON.stringify([family.kind, family.axis, keys.get(a), keys.get(b)]);
    return family.verdicts.map((entry) => ({ family, key, entry }));
  });
}

function outcomeOf(theirs: VerdictEntry, ours: VerdictEntry | undefined): RepeatedVerdict["outcome"] {
  if (ours === undefined || ours.verdict === "no-verdict" || theirs.verdict === "no-verdict") return "unknown";
  const meet = theirs.interval.low <= ours.interval.high && ours.interval.low <= theirs.interval.high;
  if (meet) return "same";
  const opposed = theirs.winner !== null && ours.winner !== null && theirs.winner !== ours.winner;
  return opposed ? "opposite" : "other-size";
}

function textOf(entry: VerdictEntry): string {
  if (entry.verdict === "no-verdict") return `no verdict (${entry.reasons[0] ?? entry.cause})`;
  const { low, high } = entry.interval;
  return `${entry.verdict} ${entry.ratio.toFixed(2)}× [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}
