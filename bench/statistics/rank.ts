import type { Comparison } from "../record/comparison.ts";
import { inverseVerdict } from "../record/inverse.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";

/** A cell that may be ranked, or why it may not. */
export interface Candidate {
  readonly cell: string;
  /** Median speed, higher is better: orders cells that the verdicts leave tied. */
  readonly speed: number;
  /** Marks that keep it from a rank; empty without any. */
  readonly marks: readonly Mark[];
}

/** Cells that share a rank. */
interface RankGroup {
  /** 1 for the first group; after a group of two, the next rank is 3. */
  readonly rank: number;
  /** Fastest median first. The first is the leader: every other is not separable from it or equivalent to it. */
  readonly cells: readonly string[];
}

interface Ranking {
  readonly groups: readonly RankGroup[];
  readonly unranked: readonly { readonly cell: string; readonly marks: readonly Mark[] }[];
}

/**
 * Ranks cells by their verdicts, ties shown as ties.
 *
 * A group is led by the cell that none left is faster than (of several, the one with the fastest median) and holds all
 * that are not proven slower than it. "Not separable" does not chain: a cell may tie with a member of the group above
 * and still be slower than its leader. A cell without a verdict against another is not ranked, as its place is unknown.
 *
 * @throws RangeError when a cell comes twice
 */
export function rank(candidates: readonly Candidate[], comparisons: readonly Comparison[]): Ranking {
  if (new Set(candidates.map(({ cell }) => cell)).size < candidates.length) throw new RangeError("A cell comes twice");
  const verdictOn = verdictsOf(comparisons);
  const marked = candidates.filter(({ marks }) => marks.length > 0);
  const { comparable, incomparable } = splitComparable(
    candidates.filter(({ marks }) => marks.length === 0),
    verdictOn,
  );

  const groups: RankGroup[] = [];
  let left = [...comparable].sort((a, b) => b.speed - a.speed);
  while (left.length > 0) {
    const leader = leaderOf(left, verdictOn);
    const tied = left.filter((other) => other !== leader && verdictOn(leader.cell, other.cell) !== "faster");
    const rankOfGroup = 1 + comparable.length - left.length;
    groups.push({ rank: rankOfGroup, cells: [leader, ...tied].map(({ cell }) => cell) });
    left = left.filter((candidate) => candidate !== leader && !tied.includes(candidate));
  }
  const unranked = [
    ...marked.map(({ cell, marks }) => ({ cell, marks })),
    ...incomparable.map(({ cell }) => ({
      cell,
      marks: [mark("incomparable", "it has no verdict against another cell")],
    })),
  ];
  return { groups, unranked };
}

/** Returns the verdict on one cell over another; undefined without one. */
type VerdictOn = (over: string, under: string) => Comparison["verdict"] | undefined;

function verdictsOf(comparisons: readonly Comparison[]): VerdictOn {
  const byPair = new Map<string, Comparison["verdict"]>();
  const key = (over: string, under: string) => JSON.stringify([over, under]);
  for (const { verdict, over, under } of comparisons) {
    if (verdict === "no-verdict") continue;
    byPair.set(key(over, under), verdict);
    byPair.set(key(under, over), inverseVerdict(verdict));
  }
  return (over, under) => byPair.get(key(over, under));
}

/** Takes out the cells with the most missing verdicts, all of them at once, until no verdict is missing. */
function splitComparable(candidates: readonly Candidate[], verdictOn: VerdictOn) {
  const incomparable: Candidate[] = [];
  let comparable = [...candidates];
  for (;;) {
    const missing = new Map(comparable.map((one) => [
      one,
      comparable.filter((other) => other !== one && verdictOn(one.cell, other.cell) === undefined).length,
    ]));
    const most = Math.max(0, ...missing.values());
    if (most === 0) return { comparable, incomparable };
    incomparable.push(...comparable.filter((one) => missing.get(one) === most));
    comparable = comparable.filter((one) => missing.get(one)! < most);
  }
}

/** The first cell, by speed, with the fewest cells left that are faster: none, unless verdicts run in a circle. */
function leaderOf(left: readonly Candidate[], verdictOn: VerdictOn): Candidate {
  const losses = left.map((one) => left.filter((other) => verdictOn(other.cell, one.cell) === "faster").length);
  return left[losses.indexOf(Math.min(...losses))]!;
}
