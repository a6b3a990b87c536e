import { RATE } from "../../record/cell.ts";
import { BOUNDS } from "../../record/bounds.ts";
import type { LatencyBetween } from "../../record/latency-schema.ts";
import { mark } from "../../record/mark.ts";
import type { Mark } from "../../record/outcome-schema.ts";
import type { Plan } from "../../record/plan.ts";
import type { At } from "../../../suites/suite.ts";
import { counted } from "../../basics/units.ts";
import { median } from "../../statistics/median.ts";
import { dueText, msText } from "./wait-sentence.ts";

/** The chance of a wrong verdict among all of a run. */
const ALPHA = 0.05;

type Pair = LatencyBetween["pairs"][number];
type Side = Pair["less"];

/** A server as pairs of it are compared. */
export interface RatedCell {
  /** Its name without a rate. */
  readonly name: string;
  readonly at: At;
  readonly marks: readonly Mark[];
  /** Waits of 99 % in µs, one for each window that counts, by requests per second. */
  readonly waits: ReadonlyMap<number, readonly number[]>;
}

/**
 * Returns what may be said between servers under the same conditions: of their waits at each rate that all had. One waits
 * less than another if each of its windows does; by chance that happens in 2 of all ways to share out the windows. Nothing
 * for one server.
 */
export function betweenCells({ axes }: Pick<Plan, "axes">, cells: readonly RatedCell[]): LatencyBetween[] {
  if (cells.length < 2) return [];
  const conditions = axes.filter(({ name, role }) => name !== RATE && role !== "contrast").map(({ name }) => name);
  const alike = Map.groupBy(cells, ({ at }) => JSON.stringify(conditions.map((name) => at[name])));
  const groups = [...alike.values()].some(({ length }) => length > 1) ? [...alike.values()] : [cells];
  const rates = [...cells[0]!.waits.keys()];
  const made = rates.flatMap((perSecond) =>
    groups.map((group) => ({ perSecond, sides: group.flatMap((one) => sideOf(one, perSecond)) }))
  );
  const count = made.reduce((sum, { sides }) => sum + sides.length * (sides.length - 1) / 2, 0);
  const none = rates.length === 0
    ? "each was given rates of its own; --rate N gives all the same"
    : count === 0
    ? "fewer than two have windows at the same rate that count"
    : count > BOUNDS.comparisons
    ? "they are too many to compare each with each"
    : null;
  if (none !== null) {
    const sentences = [`cells are not compared: ${none}`];
    return [{ per_second: null, none: mark("rates-not-compared", none), pairs: [], sentences }];
  }
  return made.filter(({ sides }) => sides.length > 1).map(({ perSecond, sides }) => {
    const pairs = sides.flatMap((one, n) => sides.slice(n + 1).map((other) => pairOf(one, other, count)));
    return { per_second: perSecond, none: null, pairs, sentences: sentencesOf(perSecond, pairs, count) };
  });
}

function sideOf({ name: cell, marks, waits }: RatedCell, perSecond: number): Side[] {
  const atRate = waits.get(perSecond) ?? [];
  return atRate.length === 0 || marks.some(({ code }) => code === "rates-contradict") ? [] : [{
    cell,
    windows: atRate.length,
    ...{ p99_us: median(atRate), p99_least_us: Math.min(...atRate), p99_most_us: Math.max(...atRate) },
  }];
}

function pairOf(one: Side, other: Side, pairs: number): Pair {
  const [less, more] = one.p99_us <= other.p99_us ? [one, other] : [other, one];
  const chance = less.p99_most_us < more.p99_least_us
    ? Math.min(1, pairs * byChance(less.windows, more.windows))
    : null;
  return { says: chance !== null && chance <= ALPHA ? "waits-less" : "no-difference", less, more, chance };
}

function sentencesOf(perSecond: number, pairs: readonly Pair[], count: number): string[] {
  const rate = dueText(perSecond);
  const open = pairs.filter(({ says }) => says === "no-difference");
  return [
    ...pairs.filter(({ says }) => says === "waits-less").map(({ less, more }) =>
      `at ${rate} ${less.cell} waits less than ${more.cell}: p99 of ${range(less)} against ${range(more)}`
    ),
    ...(open.length === 0 ? [] : [
      `no difference found at ${rate} between ${
        open.map(({ less, more }) => `${less.cell} and ${more.cell}`).join(", ")
      }: ${whyOpen(open, count)}`,
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
