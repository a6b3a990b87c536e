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
import type { MarkCode } from "../record/mark.ts";
import type { Plan } from "../record/plan.ts";
import { isDecided } from "../record/inverse.ts";
import { comparisonsOf, isOfCells, type VerdictCounts, verdictCounts, withheldBy } from "./verdict-counts.ts";

/**
 * Returns the run that would decide the open comparisons that may change the answer. A comparison of two values that
 * are both beaten at their place changes nothing.
 *
 * @param rounds complete rounds made
 * @param roundMs time of one round of a new run; null if none was timed
 * @param restless true if marks of the run say that other processes used the machine
 * @param warmup of the run; undefined if unknown
 * @param named codes of marks that the answer names as reasons: they are not named once more
 */
export function settleOf(
  questions: readonly Question[],
  { rounds, roundMs, restless, warmup, named = [] }: {
    rounds: number;
    roundMs: number | null;
    restless: boolean;
    warmup?: Plan["warmup"] | undefined;
    named?: readonly MarkCode[] | undefined;
  },
): Answer["settle"] {
  const open = questions.flatMap(weighty);
  if (open.length === 0) return null;
  const cold = open.filter(isCold).length;
  const which = undecidedOf(open.length, verdictCounts(questions.flatMap(comparisonsOf)));
  const needed = open.flatMap((comparison) => roundsFor(comparison, rounds) ?? []).sort((a, b) => a - b);
  const most = needed.findLast((amount) => amount <= WORTHWHILE * Math.max(1, rounds)) ?? needed[0] ?? null;
  const reached = needed.filter((amount) => amount <= most!).length;
  // More rounds repeat what servers do that are not warm.
  if (warmup !== undefined && rounds > 0 && cold > 0 && cold >= reached) {
    const ms = longerWarmupMs(warmup);
    return { rounds: most ?? rounds, minutes: null, warmup_ms: ms, sentence: warmerSentence(which, cold, ms) };
  }
  return {
    rounds: most,
    minutes: most === null ? null : minutesOf(most, roundMs),
    sentence: settleSentence(open, which, { rounds: most, reached, restless, named }),
  };
}

/** Returns the same run again: others had the machine, so that nothing of it counts. */
export const againLater = (rounds: number, roundMs: number | null): Answer["settle"] => {
  const again = Math.max(thresholds.leastRounds.value, rounds);
  return { rounds: again, minutes: minutesOf(again, roundMs), sentence: "Repeat it when the machine is quiet." };
};

const minutesOf = (rounds: number, roundMs: number | null): number | null =>
  roundMs === null ? null : Math.round(10 * rounds * roundMs / 60_000) / 10;

/** A warm-up that settled servers which still changed in their windows, in ms: twice the usual end of one until steady. */
const LONG_WARMUP_MS = 15_000;

/** Returns a warm-up that is longer than that of the run, in ms. */
const longerWarmupMs = (warmup: Plan["warmup"]): number =>
  warmup.kind === "steady" ? LONG_WARMUP_MS : Math.max(LONG_WARMUP_MS, 2 * warmup.loads * warmup.ms);

/** Codes of marks of servers that were not warm when their windows began. */
const COLD: readonly MarkCode[] = ["warming-up", "restless", "never-steady"];

/** True if a comparison has no verdict because a server was not warm. */
const isCold = (one: Comparison): boolean =>
  one.verdict === "no-verdict" && one.marks.every(({ code }) => COLD.includes(code));

/** The undecided comparisons that may change an answer, in words, after a sentence that counts them if there are others. */
interface Which {
  readonly count: number;
  readonly lead: string;
  readonly text: string;
}

/** @param count the undecided comparisons that may change the answer */
function undecidedOf(count: number, { all, decided }: VerdictCounts): Which {
  const undecided = all - decided;
  if (count < undecided) {
    const lead = `Of ${undecided} undecided comparisons ${count} can change the answer. `;
    return { count, lead, text: count === 1 ? "it" : "them" };
  }
  return { count, lead: "", text: count === 1 ? "the undecided comparison" : `the ${count} undecided comparisons` };
}

const warmerSentence = ({ count, lead, text }: Which, cold: number, ms: number): string =>
  `${lead}A warm-up of ${ms / 1_000} s may settle ${cold === count ? text : `${cold} of ${text}`}: ` +
  "servers still changed inside their windows, which more rounds would only repeat.";

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

/** @param open the undecided comparisons that may change the answer */
function settleSentence(
  open: readonly Comparison[],
  { count, lead, text }: Which,
  { rounds, reached, restless, named }: {
    rounds: number | null;
    reached: number;
    restless: boolean;
    named: readonly MarkCode[];
  },
): string {
  const [often] = withheldBy(open.filter(isOfCells));
  const marked = open.filter(isOfCells).length;
  const otherwise = restless || 2 * marked <= open.length
    ? "a quieter machine"
    : named.includes(often!.kind)
    ? "cells without these marks"
    : `cells without marks (${often!.text})`;
  if (rounds === null) return `${lead}No number of rounds would settle ${text}, but ${otherwise} may.`;
  const settled = reached === count ? text : `${reached} of ${text}; the rest may take ${otherwise}`;
  return `${lead}${counted(rounds, "round")} would settle ${settled}.`;
}

/** The reason for which two single runs give no verdict, with the next step. */
export const SINGLE_RUNS = "rounds of one run are not runs: measure both in one run (--against), " +
  "or give several runs a side, comma-separated";
