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
import type { MarkCode, Remedy } from "../record/mark.ts";
import type { Plan } from "../record/plan.ts";
import { isDecided } from "../record/inverse.ts";
import { commonestRemedy, type Helped, remedyText, REST } from "./remedies.ts";
import { comparisonsOf, type VerdictCounts, verdictCounts, withheldBy } from "./verdict-counts.ts";

/**
 * Returns what would decide the open comparisons that may change the answer: the remedy that settles most of them. A
 * comparison of two values that are both beaten at their place changes nothing.
 *
 * @param rounds complete rounds made
 * @param roundMs time of one round of a new run; null if none was timed
 * @param restless true if marks of the run say that other processes used the machine
 * @param warmup of the run; undefined if unknown
 * @param cards of its cells
 * @param named codes of marks that the answer gives as reasons: they are not named once more
 */
export function settleOf(
  questions: readonly Question[],
  { rounds, roundMs, restless, warmup, cards = [], named = [] }: {
    rounds: number;
    roundMs: number | null;
    restless: boolean;
    warmup?: Plan["warmup"] | undefined;
    cards?: readonly Helped[] | undefined;
    named?: readonly MarkCode[] | undefined;
  },
): Answer["settle"] {
  const open = questions.flatMap(weighty);
  if (open.length === 0) return null;
  const which = undecidedOf(open.length, verdictCounts(questions.flatMap(comparisonsOf)));
  const needed = open.flatMap((comparison) => roundsFor(comparison, rounds) ?? []).sort((a, b) => a - b);
  const most = needed.findLast((amount) => amount <= WORTHWHILE * Math.max(1, rounds)) ?? needed[0] ?? null;
  const reached = needed.filter((amount) => amount <= most!).length;
  const found = commonestRemedy(open.filter((one) => roundsFor(one, rounds) === null), cards);
  // Rounds that would help were counted above.
  const remedy = (found.remedy === "rounds" ? null : found.remedy) ?? (restless ? "quiet" : null);
  // More rounds repeat what a server does that is not warm, and others that are marked.
  const isRepeated = remedy !== null && remedy === found.remedy && !OF_SERVERS.includes(remedy) &&
    found.of.length > 0 &&
    found.of.length >= reached;
  if (remedy === "warmup" && isRepeated && warmup !== undefined && rounds > 0) {
    const ms = longerWarmupMs(warmup);
    const sentence = warmerSentence(which, found.of.length, ms);
    return { rounds, minutes: null, warmup_ms: ms, helps: remedy, sentence };
  }
  if (most !== null && !isRepeated) {
    const isRest = remedy !== null && (restless || 2 * found.of.length >= which.count - reached);
    const rest = which.count === reached ? "" : ` of ${which.text}; the rest ${REST[isRest ? remedy : "rounds"]}`;
    const sentence = `${which.lead}${counted(most, "round")} would settle ${
      rest === "" ? which.text : reached
    }${rest}.`;
    return { rounds: most, minutes: minutesOf(most, roundMs), helps: "rounds", sentence };
  }
  const [often] = withheldBy(found.of);
  const isNamed = often === undefined || named.includes(often.kind);
  const isRun = remedy !== null && RUNS_AGAIN.includes(remedy);
  const again = Math.max(thresholds.leastRounds.value, rounds);
  const some = found.of.length === 0 || found.of.length === which.count
    ? which.text
    : `${found.of.length} of ${which.text}`;
  return {
    rounds: isRun ? again : null,
    minutes: isRun ? minutesOf(again, roundMs) : null,
    ...(remedy === null ? {} : { helps: remedy }),
    sentence: `${which.lead}${remedyText(remedy, `${some}${isRun || isNamed ? "" : ` (${often.text})`}`)}`,
  };
}

/** Remedies that change a server first. */
const OF_SERVERS: readonly Remedy[] = ["server", "limited"];

/** Remedies that are a run of the same cells. */
const RUNS_AGAIN: readonly Remedy[] = ["quiet", "again", "alone"];

/** Returns the same run again: others had the machine, so that nothing of it counts. */
export const againLater = (rounds: number, roundMs: number | null): Answer["settle"] => {
  const again = Math.max(thresholds.leastRounds.value, rounds);
  return { rounds: again, minutes: minutesOf(again, roundMs), helps: "quiet", sentence: remedyText("quiet", "") };
};

const minutesOf = (rounds: number, roundMs: number | null): number | null =>
  roundMs === null ? null : Math.round(10 * rounds * roundMs / 60_000) / 10;

/** A warm-up that settled servers which still changed in their windows, in ms: twice the usual end of one until steady. */
const LONG_WARMUP_MS = 15_000;

/** Returns a warm-up that is longer than that of the run, in ms. */
const longerWarmupMs = (warmup: Plan["warmup"]): number =>
  warmup.kind === "steady" ? LONG_WARMUP_MS : Math.max(LONG_WARMUP_MS, 2 * warmup.loads * warmup.ms);

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

/** The open comparisons of values of which at least one is beaten by none at its place: those that may change the answer. */
export function weighty({ places }: Question): Comparison[] {
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
  // Where others voided rounds these are no fewer.
  if (code === "too-few-rounds") return rounds < least ? least : rounds + 1;
  return code === "noise-floor-unknown" && rounds < least ? least : null;
}

/** The reason for which two single runs give no verdict, with the next step. */
export const SINGLE_RUNS = "rounds of one run are not runs: measure both in one run (--against), " +
  "or give several runs a side, comma-separated";
