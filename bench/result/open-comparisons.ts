/**
 * Reasons for which a run has no answer, and the run that would decide it. It takes no library, because the page runs
 * it too.
 */
import { counted } from "../basics/units.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { Answer } from "../record/answer-schema.ts";
import { isBeaten } from "./picks.ts";
import type { Question } from "./questions.ts";
import type { Comparison } from "../record/comparison.ts";
import { OF_RUN } from "../record/mark.ts";
import { isDecided } from "../record/inverse.ts";

/**
 * Returns the run that would decide the open comparisons that may change the answer. A comparison of two values that
 * are both beaten at their place changes nothing.
 *
 * @param rounds complete rounds made
 * @param roundMs time of one round of a new run; null if none was timed
 * @param restless true if marks of the run say that other processes used the machine
 */
export function settleOf(
  questions: readonly Question[],
  { rounds, roundMs, restless }: { rounds: number; roundMs: number | null; restless: boolean },
): Answer["settle"] {
  const open = questions.flatMap(weighty);
  if (open.length === 0) return null;
  const needed = open.flatMap((comparison) => roundsFor(comparison, rounds) ?? []).sort((a, b) => a - b);
  const most = needed.findLast((own) => own <= WORTHWHILE * Math.max(1, rounds)) ?? needed[0] ?? null;
  return {
    rounds: most,
    minutes: most === null || roundMs === null ? null : Math.round(10 * most * roundMs / 60_000) / 10,
    sentence: settleSentence(open, most, needed.filter((own) => own <= most!).length, restless),
  };
}

/** Times the rounds made that anybody would wait for. What needs more is as good as equal, or takes another machine. */
const WORTHWHILE = 8;

/** The open comparisons of values of which at least one is beaten by none at its place. */
function weighty({ places }: Question): Comparison[] {
  return places.flatMap((place) => {
    const beaten = new Set(place.values.filter((value) => isBeaten(place, value)));
    return place.comparisons.filter(({ over, under, comparison }) =>
      !isDecided(comparison) && !(beaten.has(over) && beaten.has(under))
    ).map(({ comparison }) => comparison);
  });
}

/** Rounds of a new run that would decide a comparison, if what was seen is true; null when no number would. */
function roundsFor(comparison: Comparison, rounds: number): number | null {
  if (comparison.verdict === "not-separable") return comparison.rounds_needed;
  if (comparison.verdict !== "no-verdict") return null;
  const least = thresholds.leastRounds.value;
  const { code } = comparison.marks[0]!;
  if (code === "too-few-rounds") return Math.max(least, rounds + 1);
  return code === "noise-floor-unknown" && rounds < least ? least : null;
}

function settleSentence(
  open: readonly Comparison[],
  rounds: number | null,
  reached: number,
  restless: boolean,
): string {
  const which = open.length === 1 ? "the open comparison" : `the ${open.length} open comparisons`;
  const marked = open.filter(isOfCells).length;
  const otherwise = restless || 2 * marked <= open.length
    ? "a quieter machine"
    : `cells without marks (${mostOften(open) ?? "no reason kept"})`;
  if (rounds === null) return `No number of rounds would settle ${which}, but ${otherwise} may.`;
  const amount = counted(rounds, "round");
  if (reached === open.length) return `${amount} would settle ${which}.`;
  return `${amount} would settle ${reached} of ${
    counted(open.length, "open comparison")
  }; the rest may take ${otherwise}.`;
}

/** Returns true if a comparison has no verdict for a mark of its cells. */
export const isOfCells = (one: Comparison): boolean =>
  one.verdict === "no-verdict" && !OF_RUN.includes(one.marks[0]!.code);

/** The reason most comparisons have no verdict for, in the words of the first; null without any. */
export const mostOften = (comparisons: readonly Comparison[]): string | null =>
  withheldBy(comparisons)[0]?.text ?? null;

/** A kind of reason in the words of the first, and of how many comparisons it is one. */
interface Withholding {
  readonly kind: string;
  readonly text: string;
  readonly of: number;
}

/** Returns the reasons for which comparisons have no verdict, the commonest first. */
export function withheldBy(comparisons: readonly Comparison[]): Withholding[] {
  const reasons = comparisons.flatMap((one) =>
    one.verdict === "no-verdict" ? one.marks.map((mark) => ({ one, ...mark })) : []
  );
  // Runs of earlier versions have one code for all marks of cells.
  const alike = Map.groupBy(reasons, ({ code, text }) => code === "marked-cell" ? text : code);
  return [...alike]
    .map(([kind, same]) => ({
      kind,
      text: same[0]!.text.replace(/\.$/, ""),
      of: new Set(same.map(({ one }) => one)).size,
    }))
    .toSorted((a, b) => b.of - a.of);
}

/** The reason for which two single runs give no verdict, with the next step. */
export const SINGLE_RUNS = "rounds of one run are not runs: measure both in one run (--against), " +
  "or give several runs a side, comma-separated";
