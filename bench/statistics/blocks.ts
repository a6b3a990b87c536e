import { lack } from "./lacks.ts";
import { checkRounds, isPositive, measuredRatio, type RatioEstimate, unmeasuredRatio } from "./compare.ts";
import { log } from "./logarithms.ts";
import { median } from "./median.ts";
import { type Sample, sampleOf } from "./t-interval.ts";
import { thresholds } from "./thresholds.ts";
import { mean } from "./variation.ts";

/** The cost of members measured together, by round: a randomised complete block design whose blocks are rounds. */
export interface BlockTable {
  readonly id: string;
  /** Names of the members, none twice. */
  readonly members: readonly string[];
  readonly rounds: readonly {
    readonly round: number;
    /** CPU ns per request of each member, in their order; `null` where the round has no valid one. */
    readonly costs: readonly (number | null)[];
  }[];
}

/**
 * Compares two members of a table: speed of `over` over speed of `under`, so cost of `under` over cost of `over`.
 *
 * The mean is that of the log ratios of the rounds that have both: what is common to a round cancels, and a round that
 * lacks one member serves the others still. Its variance is the pair's own, moderated by what the table holds usual:
 *
 *     variance = (own + usual) / 2
 *
 * (Smyth, Statistical Applications in Genetics and Molecular Biology 3/1, 2004, with a prior of n - 1 degrees of
 * freedom). Few rounds say little about one pair's spread, but dozens of pairs on one core say what spread is to be
 * expected there. Usual is the mean variance of all pairs, or the sum of the variances of the two members where that is
 * greater: members differ in spread, by up to 1 : 4, and the noisiest must not look calm for its company. A calm pair is
 * thus called noisier than it is: the safe side.
 *
 * Of two members that cost about what the one in the middle does, only pairs of such members tell what is usual: what
 * scans vary by says nothing of servers that answer in a tenth of their time. Which are alike goes by what they cost,
 * never by how much that varies, so it leans to no side. A pair with another member takes the whole table.
 *
 * The pair's own variance is that of its differences, not a sum over its members. So noise that some members share is in
 * it, as when all Node servers compile at once. For the same reason the prior counts no more than the
 * pair itself: degrees estimated from the table come out too many whenever its pairs look alike by chance.
 *
 * @throws RangeError when a round comes twice, a round has not one cost for each member, or one of the two is no member
 */
export function compareBlocks(table: BlockTable, over: string, under: string): RatioEstimate {
  checkTable(table);
  const [first, second] = [over, under].map((name) => placeOf(table, name)) as [number, number];
  const { logs, all, alike } = spreadOf(table);
  const paired = differences(logs[first]!, logs[second]!);
  const n = paired.length;
  const wrong = wrongCost(table, first) ?? wrongCost(table, second);
  if (wrong !== null) {
    return unmeasuredRatio(n, lack("value-not-positive", { value: wrong.cost, round: wrong.round }));
  }
  if (n < 2) return unmeasuredRatio(n, lack("too-few-rounds", { n }));
  const sample = sampleOf(paired);
  if (sample.sd < thresholds.leastSpread.value) {
    return unmeasuredRatio(n, lack("no-spread"));
  }
  const both = alike.ofMember.has(first) && alike.ofMember.has(second);
  const { variance, degrees } = moderated(sample, both ? alike : all, first, second);
  return measuredRatio({ n, mean: sample.mean, error: Math.sqrt(variance / n), degrees });
}

/**
 * Returns the degrees of freedom of a moderated variance, as a multiple of the n - 1 of one member's variance. A
 * moderated variance is the mean of the pooled and the member's variance. For k members of equal spread the pooled one
 * has (k - 1)(n - 1) degrees and contains the member's. That leaves 4 (k - 1) / (k + 2) times n - 1 (Satterthwaite,
 * Biometrics Bulletin 2, 1946).
 */
export const moderatedTimes = (members: number): number => 4 * (members - 1) / (members + 2);

/**
 * A pair's variance, moderated. Its degrees of freedom are twice the pair's own, but never more than the table holds when
 * all members are alike. So a table of two members gives the plain paired t test.
 */
function moderated({ n, sd }: Sample, spread: Spread, a: number, b: number) {
  const usual = Math.max(spread.usual, spread.ofMember.get(a)! + spread.ofMember.get(b)!);
  const times = Math.min(2, moderatedTimes(spread.ofMember.size));
  return { variance: (usual + sd ** 2) / 2, degrees: Math.floor((n - 1) * times + 1e-9) };
}

/** The variance of log costs from round to round, for some members of a table. */
interface Spread {
  /** Mean variance of the log ratio of two of them. */
  readonly usual: number;
  /** Variance of each member's noise, by its index; only for members that share two rounds with another. */
  readonly ofMember: ReadonlyMap<number, number>;
}

/** The same for all members of a table, and for those of similar cost. */
interface TableSpread {
  /** ln of each member's costs, by its place and then by round; NaN where there is none. */
  readonly logs: readonly (readonly number[])[];
  readonly all: Spread;
  readonly alike: Spread;
}

/** Computed once a table: a family asks for it in each of its comparisons. */
const known = new WeakMap<BlockTable, TableSpread>();

function spreadOf(table: BlockTable): TableSpread {
  const before = known.get(table);
  if (before !== undefined) return before;
  const logs = table.members.map((_, place) => table.rounds.map(({ costs }) => logOf(costs[place]!)));
  const places = [...logs.keys()], comparable = placesAlike(logs);
  const all = spreadAmong(logs, places);
  const found = { logs, all, alike: comparable.length === places.length ? all : spreadAmong(logs, comparable) };
  known.set(table, found);
  return found;
}

/**
 * Places of the members that cost no more than so many times what the one in the middle does, and no less than that part
 * of it.
 */
function placesAlike(logs: readonly (readonly number[])[]): number[] {
  const costs = logs.flatMap((ofMember, place) => {
    const known = ofMember.filter((cost) => !Number.isNaN(cost));
    return known.length === 0 ? [] : [{ place, cost: mean(known) }];
  });
  if (costs.length === 0) return [];
  const middle = median(costs.map(({ cost }) => cost));
  const edge = log(thresholds.alikeCosts.value);
  return costs.filter(({ cost }) => Math.abs(cost - middle) <= edge).map(({ place }) => place);
}

/**
 * A member's own variance from those of its pairs, as Grubbs (JASA 43, 1948) splits the errors of instruments that measure
 * the same things: with k members of variances v, the mean over the pairs of one is v + (sum of the others) / (k - 1).
 */
function spreadAmong(logs: readonly (readonly number[])[], places: readonly number[]): Spread {
  const ofPairs = new Map(places.map((place) => [place, [] as number[]]));
  places.forEach((a, n) => {
    for (const b of places.slice(n + 1)) {
      const paired = differences(logs[a]!, logs[b]!);
      if (paired.length < 2) continue;
      const variance = sampleOf(paired).sd ** 2;
      ofPairs.get(a)!.push(variance);
      ofPairs.get(b)!.push(variance);
    }
  });
  const every = [...ofPairs.values()].flat();
  const usual = every.length === 0 ? Number.NaN : mean(every);
  const members = [...ofPairs].flatMap(([place, distances]) =>
    distances.length === 0 ? [] : [[place, mean(distances)] as const]
  );
  const k = members.length;
  return {
    usual,
    ofMember: new Map(
      members.map(([place, spread]) => [
        place,
        k === 2 ? usual / 2 : Math.max(0, ((k - 1) * spread - k * usual / 2) / (k - 2)),
      ]),
    ),
  };
}

const logOf = (cost: number | null): number => cost !== null && isPositive(cost) ? log(cost) : Number.NaN;

/** ln(cost of b / cost of a) in the rounds that have both. */
function differences(ofA: readonly number[], ofB: readonly number[]): number[] {
  return ofA.map((cost, round) => ofB[round]! - cost).filter((difference) => !Number.isNaN(difference));
}

function wrongCost({ rounds }: BlockTable, place: number): { round: number; cost: number } | null {
  for (const { round, costs } of rounds) {
    const cost = costs[place]!;
    if (cost !== null && !isPositive(cost)) return { round, cost };
  }
  return null;
}

function placeOf({ id, members }: BlockTable, name: string): number {
  const place = members.indexOf(name);
  if (place < 0) throw new RangeError(`Table "${id}" has no member "${name}"`);
  return place;
}

function checkTable({ id, members, rounds }: BlockTable): void {
  if (new Set(members).size < members.length) throw new RangeError(`Table "${id}" has a member twice`);
  checkRounds(rounds.map(({ round }) => round));
  const odd = rounds.find(({ costs }) => costs.length !== members.length);
  if (odd !== undefined) {
    throw new RangeError(`Round "${odd.round}" of table "${id}" has ${odd.costs.length} of ${members.length} costs`);
  }
}
