import { BOUNDS } from "../../record/bounds.ts";
import type { LatencyBetween } from "../../record/latency-between.ts";
import type { LatencyCell } from "../../record/latency-cell.ts";
import { counted } from "../../basics/units.ts";
import { dueText, msText } from "./wait-sentence.ts";

/** The chance of a wrong verdict among all of a run. */
const ALPHA = 0.05;

type Pair = LatencyBetween["pairs"][number];
type Side = Pair["less"];

/**
 * What may be said of cells beside each other: their waits at the one rate that all were given. One waits less than another
 * where each of its windows does; by chance that happens in 2 of all ways to share out the windows. Undefined for one cell.
 */
export function betweenCells(
  cells: readonly Pick<LatencyCell, "name" | "tails" | "contradictions">[],
): LatencyBetween | undefined {
  if (cells.length < 2) return undefined;
  const common = cells.map(({ tails }) => tails.find(({ name }) => name === "common"));
  const sides = cells.flatMap(({ name: cell, contradictions }, n): Side[] => {
    const { p99_us = null, p99_least_us = null, p99_most_us = null, sound: windows = 0 } = common[n] ?? {};
    return p99_us === null || p99_least_us === null || p99_most_us === null || contradictions !== undefined
      ? []
      : [{ cell, windows, p99_us, p99_least_us, p99_most_us }];
  });
  const count = sides.length * (sides.length - 1) / 2;
  const none = common.every((row) => row === undefined)
    ? "each was given rates of its own; --rate N gives all the same"
    : count === 0
    ? "fewer than two have windows at the same rate that count"
    : count > BOUNDS.comparisons
    ? "they are too many to compare each with each"
    : null;
  if (none !== null) return { per_second: null, none, pairs: [], sentences: [`cells are not compared: ${none}`] };
  const pairs = sides.flatMap((one, n) => sides.slice(n + 1).map((other) => pairOf(one, other, count)));
  const { offered_per_second: perSecond } = common.find((row) => row !== undefined && row.p99_us !== null)!;
  return { per_second: perSecond, none, pairs, sentences: sentencesOf(perSecond, pairs) };
}

function pairOf(one: Side, other: Side, pairs: number): Pair {
  const [less, more] = one.p99_us <= other.p99_us ? [one, other] : [other, one];
  const chance = less.p99_most_us < more.p99_least_us
    ? Math.min(1, pairs * byChance(less.windows, more.windows))
    : null;
  return { says: chance !== null && chance <= ALPHA ? "waits-less" : "no-difference", less, more, chance };
}

function sentencesOf(perSecond: number, pairs: readonly Pair[]): string[] {
  const rate = dueText(perSecond);
  const open = pairs.filter(({ says }) => says === "no-difference");
  return [
    ...pairs.filter(({ says }) => says === "waits-less").map(({ less, more }) =>
      `at ${rate} ${less.cell} waits less than ${more.cell}: p99 of ${range(less)} against ${range(more)}`
    ),
    ...(open.length === 0 ? [] : [
      `no difference found at ${rate} between ${
        open.map(({ less, more }) => `${less.cell} and ${more.cell}`).join(", ")
      }: ${whyOpen(open, pairs.length)}`,
    ]),
  ];
}

/** The chance that each of m values lies below each of n, or above, where none differ. */
function byChance(m: number, n: number): number {
  let ways = 1;
  for (let k = 1; k <= m; k++) ways *= (n + k) / k;
  return 2 / ways;
}

function whyOpen(open: readonly Pair[], pairs: number): string {
  const least = Math.min(...open.flatMap(({ less, more }) => [less.windows, more.windows]));
  return pairs * byChance(least, least) > ALPHA
    ? `${counted(least, "window")} of one ${least === 1 ? "is" : "are"} too few for a verdict`
    : "their windows overlap";
}

const range = ({ p99_least_us: least, p99_most_us: most }: Side) => `${msText(least)} to ${msText(most)}`;
