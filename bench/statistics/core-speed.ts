import type { BlockTable } from "./blocks.ts";
import { isPositive } from "./compare.ts";
import { exp, log } from "./logarithms.ts";
import { logMargin } from "./margin.ts";
import { tInterval } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";
import { mean } from "./variation.ts";

/** A ratio at one speed of the core. */
export interface AtCoreSpeed {
  /** Speed of `over` over speed of `under`. */
  readonly ratio: number;
  /** CPU ns per request of the two: geometric means. */
  readonly over_ns: number;
  readonly under_ns: number;
}

/** A ratio that moves with the speed of the core: in the third of the rounds whose core was slowest, and in the fastest. */
export interface CoreSlope {
  readonly slow: AtCoreSpeed;
  readonly fast: AtCoreSpeed;
}

/** The members that show the speed of the core, the difference that counts as a fraction, and the interval's confidence. */
export interface SlopeQuestion {
  readonly gauge: readonly string[];
  readonly delta: number;
  readonly level: number;
  /** Degrees of freedom that the table has lost, see {@link pooledRounds}; 0 without a value. */
  readonly lost?: number;
}

/** One round: ln of both costs, and the mean ln cost of the gauge, high where the core was slow. */
interface Round {
  readonly over: number;
  readonly under: number;
  readonly core: number;
}

/**
 * Tests whether the ratio of two members of a table moves with the speed of their core: the least-squares slope of the
 * log ratio on the log cost of other members, the gauge, with its t test. Null if that is not proven.
 *
 * The two show nothing of the core here: their noise would be in ratio and cost alike, and would look like a slope. So
 * would noise that a member of the gauge shares with one of them; the caller leaves such members out. Other noise of the
 * gauge only makes the slope flatter, the safe side. A slope is proven where the ratio moves by more than delta between
 * the slowest and the fastest third of the rounds, with the whole interval of its move.
 */
export function coreSlope(table: BlockTable, over: string, under: string, by: SlopeQuestion): CoreSlope | null {
  const rounds = roundsOf(table, over, under, by.gauge).sort((a, b) => a.core - b.core);
  const n = rounds.length, third = Math.floor(n / 3);
  const degrees = n - 2 - (by.lost ?? 0);
  if (n < thresholds.leastRoundsForTrend.value || degrees < 1) return null;
  const [fast, slow] = [meanOf(rounds.slice(0, third)), meanOf(rounds.slice(-third))];
  const all = meanOf(rounds), span = slow.core - fast.core;
  const off = (one: Round) => one.core - all.core;
  const spread = rounds.reduce((sum, one) => sum + off(one) ** 2, 0);
  if (!(spread > 0 && span > 0)) return null;
  const slope = rounds.reduce((sum, one) => sum + off(one) * logRatio(one), 0) / spread;
  const left = rounds.reduce((sum, one) => sum + (logRatio(one) - logRatio(all) - slope * off(one)) ** 2, 0);
  const error = Math.sqrt(left / degrees / spread);
  const { low, high } = tInterval({ mean: slope * span, error: error * span, degrees }, by.level);
  const least = logMargin(by.delta);
  if (low <= least && high >= -least) return null;
  const at = (some: Round): AtCoreSpeed => ({
    ratio: exp(logRatio(all) + slope * off(some)),
    over_ns: exp(some.over),
    under_ns: exp(some.under),
  });
  return { slow: at(slow), fast: at(fast) };
}

/**
 * Pools rounds of several runs for {@link coreSlope}: the costs of each member are centred within its run, on the mean over
 * all runs. What a run changes as a whole, as by where code lies in memory, then shows no slope; each run but one takes
 * a degree of freedom. Rounds that lack a member are left out.
 */
export function pooledRounds(
  tables: readonly BlockTable[],
  members: readonly string[],
): { readonly table: BlockTable; readonly lost: number } {
  const runs = tables.map((table) => {
    const places = members.map((name) => table.members.indexOf(name));
    return table.rounds.map(({ costs }) => places.map((place) => costs[place] ?? null)).flatMap((costs) =>
      costs.every((cost) => cost !== null && isPositive(cost)) ? [costs.map((cost) => log(cost!))] : []
    );
  }).filter((rounds) => rounds.length > 1);
  const meansOf = (rounds: readonly (readonly number[])[]) => members.map((_, n) => mean(rounds.map((one) => one[n]!)));
  const all = meansOf(runs.flat());
  const rounds = runs.flatMap((run) => {
    const own = meansOf(run);
    return run.map((costs) => costs.map((cost, n) => exp(cost - own[n]! + all[n]!)));
  });
  return {
    table: { id: "runs", members, rounds: rounds.map((costs, round) => ({ round, costs })) },
    lost: Math.max(0, runs.length - 1),
  };
}

const logRatio = ({ over, under }: Round) => under - over;

const meanOf = (rounds: readonly Round[]): Round => ({
  over: mean(rounds.map(({ over }) => over)),
  under: mean(rounds.map(({ under }) => under)),
  core: mean(rounds.map(({ core }) => core)),
});

/** The rounds in which the two and all of the gauge have a cost; none without a gauge. */
function roundsOf({ members, rounds }: BlockTable, over: string, under: string, gauge: readonly string[]): Round[] {
  const places = [over, under, ...gauge].map((name) => members.indexOf(name));
  if (gauge.length === 0 || places.includes(-1)) return [];
  return rounds.flatMap(({ costs }) => {
    const ofMembers = places.map((place) => costs[place]!);
    if (ofMembers.some((cost) => cost === null || !isPositive(cost))) return [];
    const [first, second, ...others] = ofMembers.map((cost) => log(cost!));
    return [{ over: first!, under: second!, core: mean(others) }];
  });
}
