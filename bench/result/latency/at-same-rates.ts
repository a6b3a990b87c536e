import { comparedPairs } from "../../plan/families.ts";
import { ratesOf } from "../../plan/rate-windows.ts";
import { dueLatency, lateMark } from "../../judge/open-loop.ts";
import type { Solo } from "../../judge/lines.ts";
import { AA, atRateOf, cellKey, isAtRate } from "../../record/cell.ts";
import { fasterFirst } from "../../record/inverse.ts";
import type { RatesCompared } from "../../record/latency-schema.ts";
import { mark, markOf } from "../../record/mark.ts";
import type { Mark } from "../../record/outcome-schema.ts";
import type { Plan } from "../../record/plan.ts";
import type { Value } from "../../../suites/suite.ts";
import { medianOfKnown } from "../../statistics/median.ts";
import { type NoiseFloor, noiseFloor } from "../../statistics/noise-floor.ts";
import { thresholds } from "../../statistics/thresholds.ts";
import { type ComparisonInput, judgeFamily } from "../../statistics/verdict.ts";
import { statusMarks } from "../cell-card.ts";
import { OF_SERVER, twinsOf } from "../judged-families.ts";
import type { MeasuredCell } from "../measured-cells.ts";
import { rateSentences, winnerSentences } from "./compared-text.ts";

type Quantile = "p50" | "p99";

/** A cell at a rate, and its closed loop. */
interface AtRate {
  readonly atRate: MeasuredCell;
  readonly closed: MeasuredCell;
}

/** The cells of one ensemble at one rate, and those of them that are compared. */
interface Group {
  readonly ensemble: number;
  readonly rate: Value;
  readonly cells: readonly AtRate[];
  readonly pairs: readonly (readonly [AtRate, AtRate])[];
}

/** Compares cells whose windows at the same rates were made by turns, by p50 and by p99 from when requests were due. */
export function comparedAtRates(plan: Plan, cells: readonly MeasuredCell[]): RatesCompared | undefined {
  const byKey = new Map(cells.map((cell) => [cellKey(cell.cell), cell]));
  const groups = plan.ensembles.flatMap((ensemble, n) =>
    ratesOf(plan).map((rate): Group => {
      const at = (place: number): AtRate => {
        const closed = cells[place]!;
        return { atRate: byKey.get(cellKey(atRateOf(closed.cell, rate)))!, closed };
      };
      return {
        ensemble: n,
        rate,
        cells: ensemble.cells.filter((place) => plan.cells[place]!.label !== AA).map(at),
        pairs: comparedPairs(plan, ensemble).map(([a, b]) => [at(a), at(b)]),
      };
    })
  ).filter(({ pairs }) => pairs.length > 0);
  if (groups.length === 0) return undefined;
  const twins = twinsOf(cells.filter(({ cell }) => isAtRate(cell.point.at)));
  const judged = (quantile: Quantile) => {
    const floor = floorOf(twins, quantile);
    const inputs = groups.flatMap(({ pairs }) => pairs.map(([over, under]) => inputOf(over, under, quantile)));
    const { comparisons } = judgeFamily(inputs, { waits: floor });
    let next = 0;
    return { floor, made: groups.map(({ pairs }) => comparisons.slice(next, next += pairs.length).map(fasterFirst)) };
  };
  const [p50, p99] = [judged("p50"), judged("p99")];
  const compared = groups.map(({ rate, cells: members, ensemble }, n) => ({
    ensemble,
    rate,
    perSecond: medianOfKnown(members.map(({ atRate: { card } }) => card?.open_loop?.offered_per_second)),
    cells: members.map(({ atRate: { name, cell, card } }) => ({
      name,
      cell,
      due: card?.open_loop?.by_clock.due ?? null,
    })),
    ...{ p50: p50.made[n]!, p99: p99.made[n]! },
  })).toSorted((a, b) => a.ensemble - b.ensemble || (a.perSecond ?? Infinity) - (b.perSecond ?? Infinity));
  return {
    noise_floor: { p50: p50.floor, p99: p99.floor },
    rates: compared.map((one) => ({
      ...{ rate: one.rate, per_second: one.perSecond, p50: [...one.p50], p99: [...one.p99] },
      sentences: rateSentences(plan.axes, one, compared),
    })),
    sentences: winnerSentences(plan.axes, compared),
  };
}

/** The floor of a quantile from A/A pairs; without any a difference counts from the least that ever does. */
function floorOf(twins: readonly (readonly [MeasuredCell, MeasuredCell])[], quantile: Quantile): NoiseFloor {
  if (twins.length === 0) return { kind: "agree", delta: thresholds.leastDelta.value, bound: 0, p: 1, pairs: 0 };
  return noiseFloor(twins.map(([over, under]) => ({
    ...{ over: over.name, under: under.name },
    evidence: { kind: "quantiles", pairs: roundsOf(over.solo, under.solo, quantile), better: "lower" },
  })));
}

function inputOf(over: AtRate, under: AtRate, quantile: Quantile): ComparisonInput {
  const both = [over, under];
  const values = both.flatMap(({ atRate: { card } }) => card?.open_loop?.by_clock.due[quantile]?.us ?? []);
  return {
    ...{ over: over.atRate.name, under: under.atRate.name, basis: "waits" },
    marks: both.flatMap((one) => marksAgainst(one, quantile)),
    evidence: { kind: "quantiles", pairs: roundsOf(over.atRate.solo, under.atRate.solo, quantile), better: "lower" },
    // Histograms have whole microseconds.
    resolution: 1 / Math.min(...values, Infinity),
  };
}

function marksAgainst({ atRate: { card, name }, closed }: AtRate, quantile: Quantile): Mark[] {
  if (card === null) return [markOf(name, mark("not-measured", "it was not measured"))];
  const late = lateMark(card.open_loop!.by_clock, quantile);
  return [
    ...statusMarks(card),
    ...(late === null ? [] : [markOf(name, late)]),
    ...closed.marks.filter(({ code }) => code === "rates-contradict" || OF_SERVER.includes(code))
      .map((one) => markOf(name, one)),
  ];
}

/** The values of two cells round by round, in microseconds; null if a window does not count or was late. */
function roundsOf(over: readonly Solo[], under: readonly Solo[], quantile: Quantile) {
  const usOf = (solo: readonly Solo[]) =>
    new Map(solo.map((one) => [one.round, one.status === "ok" ? dueLatency(one)?.[`${quantile}_us`] ?? null : null]));
  const [waits, other] = [usOf(over), usOf(under)];
  return [...waits].filter(([round]) => other.has(round))
    .map(([round, us]) => ({ round, over: us, under: other.get(round)! }));
}
