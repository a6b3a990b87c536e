/** Reasons for which a run has no answer, and the run that would decide it. */
import { thresholds } from "../statistics/thresholds.ts";
import type { Answer } from "../record/answer-schema.ts";
import { isBeaten } from "./picks.ts";
import type { Question } from "./questions.ts";
import type { Comparison } from "../record/comparison.ts";
import type { CellOutcome, Parts, Subject } from "../record/card.ts";
import { isOfOthers } from "../judge/status.ts";
import { type MarkCode, type Remedy, rowOf } from "../record/mark.ts";
import type { Plan } from "../record/plan.ts";
import { isDecided, isJudged, isOpen } from "../record/verdicts.ts";
import { withheldBy } from "./verdict-counts.ts";

/**
 * Returns what would decide the open comparisons that may change the answer: the remedy that settles most of them.
 *
 * @param restless true if marks of the run say that other processes used the machine
 * @param named codes of marks that the answer gives as reasons: they are not named once more
 */
export function settleOf(
  questions: readonly Question[],
  { rounds, roundMs, restless, warmup, cards = [], named = [] }: {
    rounds: number;
    roundMs: number | null;
    restless: boolean;
    warmup?: Plan["warmup"] | undefined;
    cards?: readonly RemediedCard[] | undefined;
    named?: readonly MarkCode[] | undefined;
  },
): Answer["settle"] {
  const open = questions.flatMap(answerChanging);
  if (open.length === 0) return null;
  const needed = open.flatMap((comparison) => roundsFor(comparison, rounds) ?? []).sort((a, b) => a - b);
  const most = needed.findLast((amount) => amount <= WORTHWHILE * Math.max(1, rounds)) ?? needed[0] ?? null;
  const reached = needed.filter((amount) => amount <= most!).length;
  const found = commonestRemedy(open.filter((one) => roundsFor(one, rounds) === null), cards);
  // Rounds that would help were counted above.
  const remedy = (found.remedy === "rounds" ? null : found.remedy) ?? (restless ? "quiet" : null);
  // More rounds do not help a server that stays cold, nor some other marks.
  const isRepeated = remedy !== null && remedy === found.remedy && !OF_SERVERS.includes(remedy) &&
    found.of.length > 0 &&
    found.of.length >= reached;
  if (remedy === "warmup" && isRepeated && warmup !== undefined && rounds > 0) {
    const ms = longerWarmupMs(warmup);
    const sentence = `decide ${someOf(found.of.length, open.length)} by a longer warm-up, perhaps (--warmup ${
      ms / 1_000
    }s)`;
    return { rounds, minutes: null, warmup_ms: ms, helps: remedy, sentence };
  }
  if (most !== null && !isRepeated) {
    const sentence = `decide ${someOf(reached, open.length)}`;
    return { rounds: most, minutes: minutesOf(most, roundMs), helps: "rounds", sentence };
  }
  const [often] = withheldBy(found.of);
  const isNamed = often === undefined || named.includes(often.code);
  const isRun = remedy !== null && RUNS_AGAIN.includes(remedy);
  const again = Math.max(thresholds.leastRounds.value, rounds);
  const some = someOf(found.of.length === 0 ? open.length : found.of.length, open.length);
  return {
    rounds: isRun ? again : null,
    minutes: isRun ? minutesOf(again, roundMs) : null,
    ...(remedy === null ? {} : { helps: remedy }),
    sentence: remedyText(remedy, `${some}${isRun || isNamed ? "" : ` (${often.text})`}`),
  };
}

const someOf = (some: number, all: number): string =>
  some < all ? `${some} of ${all} open comparisons` : all === 1 ? "the open comparison" : `all ${all} open comparisons`;

/** Remedies that change a server first. */
const OF_SERVERS: readonly Remedy[] = ["server", "limited"];

/** Remedies that are a run of the same cells. */
const RUNS_AGAIN: readonly Remedy[] = ["quiet", "again", "alone"];

/** Returns a step that repeats the run: other processes had the machine, so nothing of it counts. */
export const repeatLater = (rounds: number, roundMs: number | null): Answer["settle"] => {
  const again = Math.max(thresholds.leastRounds.value, rounds);
  return { rounds: again, minutes: minutesOf(again, roundMs), helps: "quiet", sentence: remedyText("quiet", "") };
};

const minutesOf = (rounds: number, roundMs: number | null): number | null =>
  roundMs === null ? null : Math.round(10 * rounds * roundMs / 60_000) / 10;

/** A warm-up that settled servers which still changed in their windows, in ms: twice the usual end of one until steady. */
const LONG_WARMUP_MS = 15_000;

const longerWarmupMs = (warmup: Plan["warmup"]): number =>
  warmup.kind === "steady" ? LONG_WARMUP_MS : Math.max(LONG_WARMUP_MS, 2 * warmup.loads * warmup.ms);

/** The most times the finished rounds that are worth waiting for; beyond that values count as equal. */
const WORTHWHILE = 8;

/** True if a comparison has no verdict only because too few rounds were made, or others' work took them. */
export const lacksRounds = ({ marks }: { readonly marks: readonly { readonly code: MarkCode }[] }): boolean =>
  marks.every((one) => rowOf(one).helps === "rounds" || isOfOthers(one));

/** The open comparisons of values of which at least one is beaten by none at its place: those that may change the answer. */
export function answerChanging({ places }: Question): Comparison[] {
  return places.flatMap((place) => {
    const beaten = new Set(place.values.filter((value) => isBeaten(place, value)));
    return place.comparisons.filter(({ over, under, comparison }) =>
      !isDecided(comparison) && !(beaten.has(over) && beaten.has(under))
    ).map(({ comparison }) => comparison);
  });
}

/** Rounds of a new run that would decide a comparison, if the estimate is true; null if no number would. */
function roundsFor(comparison: Comparison, rounds: number): number | null {
  if (isJudged(comparison)) return isOpen(comparison) ? comparison.rounds_needed : null;
  const least = thresholds.leastRounds.value;
  const [first] = comparison.marks;
  if (rowOf(first!).helps !== "rounds") return null;
  // If other processes voided rounds, the new run has no fewer.
  return rounds < least ? least : first!.code === "too-few-rounds" ? rounds + 1 : null;
}

/** The reason for which two single runs give no verdict, with the next step. */
export const SINGLE_RUNS = "rounds of one run are not runs: measure both in one run (--against), " +
  "or give several runs a side, comma-separated";

/** The cards of a run, as far as they show a remedy. */
export type RemediedCard = Subject & CellOutcome & Pick<Parts, "services">;

/** Returns what helps against a mark of a comparison, if anything is known to. */
function remedyOf(
  code: MarkCode,
  { over, under, basis }: Pick<Comparison, "over" | "under" | "basis">,
  cards: readonly RemediedCard[],
): Remedy | null {
  const sides = cards.filter(({ name }) => name === over || name === under);
  const { of, helps, counted } = rowOf({ code });
  if (of === "limit" && helps === null) {
    const bounds = sides.map(({ bound }) => bound);
    if (bounds.includes("generator")) return "generator";
    return sides.some(({ services = [] }) => services.length > 0) ? "service" : null;
  }
  // Whose fault it is of servers that share a core, their windows alone say.
  if (counted !== undefined && basis === "together") {
    return sides.some(({ marks }) => marks.some((one) => one.code === code)) ? "server" : "alone";
  }
  return helps;
}

/** Returns the remedy that settles most comparisons, all of whose marks it acts on, or else that acts on most; null if none does. */
export function commonestRemedy(
  comparisons: readonly Comparison[],
  cards: readonly RemediedCard[],
): { readonly remedy: Remedy | null; readonly of: readonly Comparison[] } {
  const marked = comparisons.flatMap((one) =>
    !isJudged(one) ? [{ one, remedies: new Set(one.marks.map(({ code }) => remedyOf(code, one, cards))) }] : []
  );
  const known = [...new Set(marked.flatMap(({ remedies }) => [...remedies]))];
  const counted = known.map((remedy) => {
    const acts = marked.filter(({ remedies }) => remedies.has(remedy));
    return { remedy, acts: acts.length, of: acts.filter(({ remedies }) => remedies.size === 1).map(({ one }) => one) };
  }).toSorted((a, b) => b.of.length - a.of.length || b.acts - a.acts);
  const [first = { remedy: null, of: [] }] = counted;
  return first;
}

/** The effect of a remedy, a clause without a full stop; `%` is replaced by the comparisons. */
const TEXTS: Readonly<Partial<Record<Remedy, string>>> = {
  quiet: "repeat it when the machine is quiet",
  again: "repeat it: chance makes a run contradict itself once in a hundred times",
  alone: "decide % by servers measured alone, which need not share a core",
  longer: "decide % by longer windows (--duration)",
  generator: "decide % by more cores for the load generator, or another host (--load-host)",
  service: "decide % by a core of its own for the service, or another host (--service-host)",
  limited: "no number of rounds decides %: limit what the server keeps, and measure it with that",
  server: "no number of rounds decides %: what is marked has to change first",
};

/** Returns the effect of a remedy on some comparisons; `null` if no remedy is known. */
export const remedyText = (remedy: Remedy | null, which: string): string =>
  (TEXTS[remedy ?? "rounds"] ?? "no number of rounds decides %").replace("%", () => which);
