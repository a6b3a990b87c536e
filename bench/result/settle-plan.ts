/** The rounds that `bench settle` would add to a run, and the comparisons they may decide; or why none help. */
import { createRandom } from "../basics/random.ts";
import { looksWithSettles, plannedLooks } from "../plan/plan-rounds.ts";
import { expectedMs } from "../plan/pace.ts";
import { judgedSteps, settleSteps } from "../plan/schedule.ts";
import { AA, pointKey } from "../record/cell.ts";
import type { Comparison } from "../record/comparison.ts";
import { asOpen, isDecided, isJudged } from "../record/verdicts.ts";
import { isOfOthers } from "../judge/status.ts";
import type { Remedy } from "../record/mark.ts";
import type { Plan, SettlePart } from "../record/plan.ts";
import { MOST_SETTLES, RANGES } from "../record/ranges.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { type Estimate, ratioInterval } from "../statistics/estimate.ts";
import { isInsideMargin, sideBeyondMargin } from "../statistics/margin.ts";
import { median } from "../statistics/median.ts";
import { detectableAfter, estimateBehind, roundsNeeded } from "../statistics/power.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { questionsOf } from "./questions.ts";
import { answerChanging, commonestRemedy, lacksRounds, type RemediedCard } from "./open-comparisons.ts";

/** More rounds of some servers, and their expected effect. */
export interface SettlePlan {
  readonly kind: "settles";
  /** Open comparisons that may change the answer, as all looks together allow verdicts. */
  readonly open: number;
  /** The number of these that were decided before another look lowered their error. */
  readonly reopened: number;
  /** Open comparisons that get more rounds. */
  readonly comparisons: number;
  /** Of these, as many as would be decided if the ratios seen are true. */
  readonly decides: number;
  /** Names of the servers that get more rounds, without the A/A twin. */
  readonly cells: readonly string[];
  readonly rounds: number;
  readonly minutes: number;
  /** Of these comparisons, those that others' work took rounds from: they take a quiet machine, too. */
  readonly quiet: number;
  /** The difference that half of these comparisons would then as a rule have shown, as a share; null if not known. */
  readonly sees: number | null;
  /** The part that is added to the run's plan. */
  readonly part: SettlePart;
}

/** A run of another command, which has rules of its own to decide. */
type OtherKind = "latency" | "gate" | "bisect";

/** Why no rounds are added. */
export interface NoSettle {
  readonly kind: "none";
  /** `time`: one round takes longer; `looks`: all are used; `remedy`: something else than rounds helps, or nothing does. */
  readonly code: OtherKind | "unfinished" | "decided" | "looks" | "remedy" | "time";
  /** The remedy in place of rounds; null if none is known. */
  readonly helps: Remedy | null;
  readonly open: number;
  /** The time of one round in ms; null if that is not the reason. */
  readonly roundMs: number | null;
}

const none = (code: NoSettle["code"], more: Partial<NoSettle> = {}): NoSettle => ({
  ...{ kind: "none", code, helps: null, open: 0, roundMs: null },
  ...more,
});

/** A comparison that rounds may decide, with the rounds it needs if the estimate is true. */
interface Wanted {
  readonly one: Comparison;
  readonly estimate: Estimate | null;
  readonly alpha: number;
  readonly needs: number;
}

/**
 * Returns the rounds of a settle of about so long, for the open comparisons of which that decides most.
 *
 * @param cards of its cells, which say what helps where rounds do not
 */
export function settlePlanOf(
  run: Pick<RunRecord, "plan" | "state">,
  summary: Pick<Summary, "families" | "cells" | "answer">,
  timeMs: number,
  cards: readonly RemediedCard[] = [],
): SettlePlan | NoSettle {
  const { plan, state } = run;
  const other = otherKind(plan);
  if (other !== null) return none(other);
  if (state !== "finished") return none("unfinished");
  const openIn = (families: Summary["families"]) => questionsOf(plan, families, summary.cells).flatMap(answerChanging);
  const before = openIn(summary.families).length;
  if (before === 0) return none("decided");
  const made = plan.settles?.length ?? 0;
  if (made >= MOST_SETTLES) return none("looks", { open: before });
  // A run that was not settled has verdicts at the error of its own looks.
  const looks = made > 0 ? 1 : looksWithSettles(plan) / plannedLooks(plan);
  const open = openIn(
    summary.families.map((family) => ({ ...family, comparisons: family.comparisons.map((one) => asPaid(one, looks)) })),
  );
  const known = new Set(summary.families.flatMap(({ comparisons }) => comparisons));
  const reopened = open.filter((one) => !known.has(one)).length;
  const wanted = open.flatMap((one) => wantedOf(one, looks)).toSorted((a, b) => a.needs - b.needs);
  const found = bestCourse(plan, summary, wanted, timeMs);
  if (found === null) {
    const { remedy } = commonestRemedy(open.filter((one) => !isJudged(one)), cards);
    const advised = summary.answer.settle?.helps ?? null;
    return none("remedy", { open: open.length, helps: remedy ?? (advised === "rounds" ? null : advised) });
  }
  if (found.rounds === 0) return none("time", { open: open.length, roundMs: found.roundMs });
  const { part, rounds, roundMs, some } = found;
  const seen = some.flatMap(({ one, estimate, alpha }) =>
    estimate === null || !isJudged(one)
      ? []
      : detectableAfter(estimate, one.rounds + rounds, { delta: one.delta, alpha })
  );
  const places = [...new Set([...part.solo, ...part.ensembles.flatMap(({ cells }) => cells)])].sort((a, b) => a - b);
  return {
    kind: "settles",
    open: open.length,
    reopened,
    comparisons: some.length,
    decides: some.filter(({ estimate, needs }) => estimate !== null && needs <= rounds).length,
    cells: places.filter((place) => plan.cells[place]!.label !== AA).map((place) => summary.cells[place]!.name),
    rounds,
    minutes: Math.round(10 * rounds * roundMs / 60_000) / 10,
    quiet: some.filter(({ one }) => !isJudged(one) && one.marks.some(isOfOthers)).length,
    sees: seen.length === 0 ? null : median(seen),
    part,
  };
}

function otherKind({ further, profile }: Plan): OtherKind | null {
  if (further !== undefined) return "latency";
  return profile.startsWith("gate") ? "gate" : profile === "bisect" ? "bisect" : null;
}

/** Returns a comparison as judged with so many looks: it is open again if its evidence is now too weak. */
function asPaid(one: Comparison, looks: number): Comparison {
  if (!isJudged(one) || !isDecided(one) || one.lower_bound !== undefined) return one;
  const estimate = estimateBehind(one);
  if (estimate === null) return one;
  const interval = ratioInterval(estimate, 1 - (1 - one.interval.level) / looks);
  const holds = one.verdict === "equivalent"
    ? isInsideMargin(interval, thresholds.equivalence.value)
    : sideBeyondMargin(interval, one.delta) !== null;
  return holds ? one : asOpen(one);
}

/** Returns the rounds that a comparison needs in addition; none if rounds do not decide it. */
function wantedOf(one: Comparison, looks: number): Wanted[] {
  if (!isJudged(one)) {
    return lacksRounds(one) ? [{ one, estimate: null, alpha: 0, needs: thresholds.leastRounds.value }] : [];
  }
  const estimate = estimateBehind(one);
  if (estimate === null) return [];
  const alpha = (1 - one.interval.level) / looks;
  const needed = roundsNeeded(estimate, { delta: one.delta, equivalence: thresholds.equivalence.value, alpha });
  return needed.kind === "reachable" ? [{ one, estimate, alpha, needs: Math.max(1, needed.rounds - one.rounds) }] : [];
}

/** Further rounds that are tried as the most a comparison may need: to all of them, and in steps of about 1.4. */
const REACHES = [...Array.from({ length: 20 }, (_, n) => Math.ceil(Math.SQRT2 ** n)), Infinity];

/** Returns the course that decides most, of those the one with the most comparisons; null where rounds decide none. */
function bestCourse(
  plan: Plan,
  { cells, answer }: Pick<Summary, "cells" | "answer">,
  wanted: readonly Wanted[],
  timeMs: number,
) {
  const placeOf = new Map(cells.map(({ name }, place) => [name, place]));
  const ensembles = Map.groupBy(
    plan.ensembles.flatMap(({ cells }, of) => cells.map((cell) => ({ cell, of }))),
    ({ cell }) => cell,
  );
  const pairOf = ({ one }: Wanted): Pair => {
    const [a, b] = [placeOf.get(one.over)!, placeOf.get(one.under)!];
    const others = new Set(ensembles.get(b)?.map(({ of }) => of));
    return { places: [a, b], of: ensembles.get(a)?.find(({ of }) => others.has(of))?.of };
  };
  const all = wanted.map((each) => ({ ...each, ...pairOf(each) }));
  const first = judgedSteps(plan).filter(({ round }) => round === 0).map((step) => expectedMs(plan, step));
  const pace = answer.round_ms === null || first.length === 0 ? 1 : answer.round_ms / first.reduce((a, b) => a + b, 0);
  const seed = Math.floor(createRandom(plan.seed + 1 + (plan.settles?.length ?? 0))() * 2 ** 32);
  const courses = REACHES.flatMap((reach) => {
    const some = all.filter(({ needs }) => needs <= reach);
    if (some.length === 0) return [];
    const servers = serversOf(plan, some);
    const roundMs = pace * settleSteps(plan, servers)
      .reduce((sum, step) => sum + expectedMs(plan, { ...step, index: 0, round: 0, draw_seed: 0 }), 0);
    const fits = Math.min(RANGES.rounds[1], Math.floor(timeMs / roundMs));
    // More rounds than all of them need would be useless.
    const rounds = Math.min(fits, some.at(-1)!.needs);
    const decides = some.filter(({ needs }) => needs <= rounds).length;
    return [{ some, rounds, roundMs, decides, part: { ...servers, rounds, seed } }];
  });
  return courses.reduce<typeof courses[number] | null>(
    (best, one) => best === null || one.rounds > 0 && one.decides >= best.decides ? one : best,
    null,
  );
}

/** Two cells by their places in the plan, and the place of an ensemble that holds both; undefined if none does. */
interface Pair {
  readonly places: readonly [number, number];
  readonly of: number | undefined;
}

/** Returns the ensembles that hold both of some cells, without their other members, and the cells that are measured alone. */
function serversOf(plan: Plan, pairs: readonly Pair[]): Pick<SettlePart, "ensembles" | "solo"> {
  const held = Map.groupBy(pairs, ({ of }) => of);
  const placesOf = (of: number | undefined) => new Set(held.get(of)?.flatMap(({ places }) => places));
  const ensembles = plan.ensembles.flatMap(({ cells }, of) =>
    held.has(of) ? [{ of, cells: withTwins(plan, cells, placesOf(of)) }] : []
  );
  const apart = placesOf(undefined);
  if (apart.size === 0) return { ensembles, solo: [] };
  const alone = plan.solo.map(({ cell }) => cell);
  // Where ensembles were split their own twins say how much rates vary.
  const among = alone.some((place) => plan.cells[place]!.label === AA)
    ? alone
    : plan.ensembles.filter(({ cells }) => cells.some((place) => apart.has(place))).flatMap(({ cells }) => cells);
  return { ensembles, solo: withTwins(plan, [...new Set([...apart, ...among])], apart) };
}

/** Returns some cells with the A/A twins among others and their bases, in the plan's order. */
function withTwins({ cells }: Plan, among: readonly number[], some: ReadonlySet<number>): number[] {
  const twins = among.filter((place) => cells[place]!.label === AA);
  const points = new Set(twins.map((place) => pointKey(cells[place]!.point)));
  return among.filter((place) => some.has(place) || points.has(pointKey(cells[place]!.point))).toSorted((a, b) =>
    a - b
  );
}
