import type { Verdict } from "./verdict.ts";

/** A cell that may be ranked, or why it may not. */
export interface Candidate {
  readonly cell: string;
  /** Median speed, higher is better: orders cells that the verdicts leave tied. */
  readonly speed: number;
  /** Why the cell is never ranked (generator-bound, flagged, invalid); empty when nothing speaks against it. */
  readonly objections: readonly string[];
}

/** Cells that share a rank. */
export interface RankGroup {
  /** 1 for the first group; after a group of two, the next rank is 3. */
  readonly rank: number;
  /** Fastest median first. The first is the leader: every other is not separable from it or equivalent to it. */
  readonly cells: readonly string[];
}

export interface Ranking {
  readonly groups: readonly RankGroup[];
  readonly unranked: readonly { readonly cell: string; readonly reasons: readonly string[] }[];
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
export function rank(candidates: readonly Candidate[], verdicts: readonly Verdict[]): Ranking {
  if (new Set(candidates.map(({ cell }) => cell)).size < candidates.length) throw new RangeError("A cell comes twice");
  const outcomes = outcomesOf(verdicts);
  const objected = candidates.filter(({ objections }) => objections.length > 0);
  const { comparable, incomparable } = splitComparable(
    candidates.filter(({ objections }) => objections.length === 0),
    outcomes,
  );

  const groups: RankGroup[] = [];
  let left = [...comparable].sort((a, b) => b.speed - a.speed);
  while (left.length > 0) {
    const leader = leaderOf(left, outcomes);
    const tied = left.filter((other) => other !== leader && outcomes.get(leader.cell, other.cell) !== "faster");
    const rankOfGroup = 1 + comparable.length - left.length;
    groups.push({ rank: rankOfGroup, cells: [leader, ...tied].map(({ cell }) => cell) });
    left = left.filter((candidate) => candidate !== leader && !tied.includes(candidate));
  }
  const unranked = [
    ...objected.map(({ cell, objections }) => ({ cell, reasons: objections })),
    ...incomparable.map(({ cell }) => ({ cell, reasons: ["it has no verdict against another cell"] })),
  ];
  return { groups, unranked };
}

type Outcome = "faster" | "slower" | "tied";

interface Outcomes {
  /** What a is against b; undefined without a verdict. */
  get(a: string, b: string): Outcome | undefined;
}

function outcomesOf(verdicts: readonly Verdict[]): Outcomes {
  const byPair = new Map<string, Outcome>();
  const key = (a: string, b: string) => JSON.stringify([a, b]);
  for (const verdict of verdicts) {
    if (verdict.kind === "no-verdict") continue;
    const { a, b } = verdict;
    const won = verdict.kind === "faster" ? verdict.winner : null;
    byPair.set(key(a, b), won === null ? "tied" : won === "a" ? "faster" : "slower");
    byPair.set(key(b, a), won === null ? "tied" : won === "b" ? "faster" : "slower");
  }
  return { get: (a, b) => byPair.get(key(a, b)) };
}

/** Takes out the cells with the most missing verdicts, all of them at once, until no verdict is missing. */
function splitComparable(candidates: readonly Candidate[], outcomes: Outcomes) {
  const incomparable: Candidate[] = [];
  let comparable = [...candidates];
  for (;;) {
    const missing = new Map(comparable.map((one) => [
      one,
      comparable.filter((other) => other !== one && outcomes.get(one.cell, other.cell) === undefined).length,
    ]));
    const most = Math.max(0, ...missing.values());
    if (most === 0) return { comparable, incomparable };
    incomparable.push(...comparable.filter((one) => missing.get(one) === most));
    comparable = comparable.filter((one) => missing.get(one)! < most);
  }
}

/** The first cell, by speed, with the fewest cells left that are faster: none, unless verdicts run in a circle. */
function leaderOf(left: readonly Candidate[], outcomes: Outcomes): Candidate {
  const losses = left.map((one) => left.filter((other) => outcomes.get(other.cell, one.cell) === "faster").length);
  return left[losses.indexOf(Math.min(...losses))]!;
}
