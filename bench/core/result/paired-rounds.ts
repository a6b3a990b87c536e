import { AA, cellKey, pointKey } from "../cell.ts";
import type { Cell } from "../cell-schema.ts";
import type { Plan } from "../plan.ts";
import { compare, type RoundPair } from "../statistics/compare.ts";
import { type NoiseFloor, noiseFloor } from "../statistics/noise-floor.ts";
import { type Lines, rateOf, type Together } from "./lines.ts";
import type { Member, Observation } from "./observation-record.ts";

const LEVEL = 0.95;

/** Rates of two cells, each measured alone: one pair a round, null where a round has no valid one. */
export function soloRounds(a: readonly Observation[], b: readonly Observation[]): RoundPair[] {
  const rounds = [...new Set([...a, ...b].map(({ round }) => round))].sort((x, y) => x - y);
  const of = (observations: readonly Observation[], round: number) => {
    const own = observations.find((one) => one.round === round);
    return own === undefined ? null : rateOf(own);
  };
  return rounds.map((round) => ({ round, a: of(a, round), b: of(b, round) }));
}

/** The observations, of two cells or more, that hold both of these. */
export function holding({ together }: Lines, a: string, b: string): Together[] {
  return together.filter(({ members }) => members.has(a) && members.has(b));
}

/** Both cells in every ok observation of the given ones. */
export function okMembers(shared: readonly Together[], a: string, b: string): [Member, Member][] {
  return shared.filter(({ ok }) => ok).map(({ members }) => [members.get(a)!, members.get(b)!]);
}

/**
 * CPU time per request of two cells that were measured together, one pair a round. Where a round holds them more than
 * once, in different company, it is the geometric mean: then its ratio is that of its ratios.
 *
 * @param shared see {@link holding}
 */
export function duetRounds(shared: readonly Together[], a: string, b: string): RoundPair[] {
  return [...Map.groupBy(shared, ({ round }) => round)].map(([round, own]) => {
    const costs = okMembers(own, a, b).map((pair) => pair.map(({ cpu_ns_per_request }) => cpu_ns_per_request))
      .filter((pair) => pair.every((cost) => cost !== null)) as [number, number][];
    const of = (n: 0 | 1) => {
      if (costs.length <= 1) return costs[0]?.[n] ?? null;
      return Math.exp(costs.reduce((sum, pair) => sum + Math.log(pair[n]), 0) / costs.length);
    };
    return { round, a: of(0), b: of(1) };
  });
}

/** The A/A twins of a plan, each with the cell it is the same as. */
function twinsOf(cells: readonly Cell[]): [string, string][] {
  return cells.filter(({ label }) => label === AA).flatMap((twin): [string, string][] => {
    const own = pointKey(twin.point);
    const base = cells.find(({ point, label }) => label !== AA && pointKey(point) === own);
    return base === undefined ? [] : [[cellKey(base), cellKey(twin)]];
  });
}

/** The noise floor of the run's A/A pairs that were measured together. */
export function duetFloor(plan: Plan, lines: Lines): NoiseFloor {
  const pairs = twinsOf(plan.cells).map(([a, b]) => duetRounds(holding(lines, a, b), a, b));
  return noiseFloor(pairs.filter(({ length }) => length > 0).map((rounds) => compare(rounds, "lower", LEVEL)));
}

/** The noise floor of the run's A/A pairs that were measured alone. */
export function soloFloor(plan: Plan, { solo }: Lines): NoiseFloor {
  return noiseFloor(
    twinsOf(plan.cells).filter(([_, twin]) => solo.has(twin))
      .map(([base, twin]) => compare(soloRounds(solo.get(base) ?? [], solo.get(twin)!), "higher", LEVEL)),
  );
}
