import { parseLimit } from "../../basics/units.ts";
import { heldByAll } from "../../plan/knee.ts";
import { comparedPairs } from "../../plan/families.ts";
import { type RateAxis, ratesOf, searchedIn } from "../../plan/rate-windows.ts";
import { dueLatency, lateMark } from "../../judge/open-loop.ts";
import type { Solo } from "../../judge/lines.ts";
import { AA, atRateOf, cellKey, cellName, isAtRate, RATE } from "../../record/cell.ts";
import { fasterFirst } from "../../record/inverse.ts";
import type { LatencyCell, RatesCompared } from "../../record/latency-schema.ts";
import { mark, markOf, rowOf } from "../../record/mark.ts";
import type { Mark } from "../../record/outcome-schema.ts";
import type { Plan } from "../../record/plan.ts";
import { medianOfKnown } from "../../statistics/median.ts";
import { type NoiseFloor, noiseFloor } from "../../statistics/noise-floor.ts";
import { thresholds } from "../../statistics/thresholds.ts";
import { type ComparisonInput, judgeFamily } from "../../statistics/verdict.ts";
import { statusMarks } from "../cell-card.ts";
import { twinsOf } from "../judged-families.ts";
import type { MeasuredCell } from "../measured-cells.ts";
import { rateSentence, shortCellNames, winnerSentences } from "./compared-text.ts";
import { dueText, waitSentence } from "./wait-sentence.ts";
import { isOfServer } from "../../judge/status.ts";
import type { Summary } from "../../record/summary.ts";

type Quantile = "p50" | "p99";

interface AtRate {
  readonly atRate: MeasuredCell;
  readonly closed: MeasuredCell;
}

/** Compares cells whose windows at the same rates were made by turns, by p50 and by p99 from when requests were due. */
export function comparedAtRates(plan: Plan, cells: readonly MeasuredCell[]): RatesCompared | undefined {
  const byKey = new Map(cells.map((cell) => [cellKey(cell.cell), cell]));
  const groups = plan.ensembles.flatMap((ensemble) =>
    ratesOf(plan).map((rate) => {
      const at = (place: number): AtRate => {
        const closed = cells[place]!;
        return { atRate: byKey.get(cellKey(atRateOf(closed.cell, rate)))!, closed };
      };
      const members = ensemble.cells.filter((place) => plan.cells[place]!.label !== AA).map((place) =>
        at(place).atRate
      );
      const perSecond = medianOfKnown(members.map(({ card }) => card?.open_loop?.offered_per_second));
      return {
        rate,
        members,
        perSecond,
        pairs: comparedPairs(plan, ensemble).map(([a, b]) => [at(a), at(b)] as const),
      };
    }).toSorted((a, b) => (a.perSecond ?? Infinity) - (b.perSecond ?? Infinity))
  ).filter(({ pairs }) => pairs.length > 0);
  if (groups.length === 0) {
    const closed = cells.filter(({ cell }) => !isAtRate(cell.point.at));
    const text = "cells are not compared: none has its windows in turn with another";
    const unknown = { kind: "unknown", mark: mark("noise-floor-unknown", text) } as const;
    return closed.length < 2
      ? undefined
      : { noise_floor: { p50: unknown, p99: unknown }, rates: [], sentences: [text] };
  }
  const twins = twinsOf(cells.filter(({ cell }) => isAtRate(cell.point.at)));
  const judged = (quantile: Quantile) => {
    const floor = floorOf(twins, quantile);
    const inputs = groups.flatMap(({ pairs }) => pairs.map(([over, under]) => inputOf(over, under, quantile)));
    const { comparisons } = judgeFamily(inputs, { waits: floor });
    let next = 0;
    return { floor, made: groups.map(({ pairs }) => comparisons.slice(next, next += pairs.length).map(fasterFirst)) };
  };
  const [p50, p99] = [judged("p50"), judged("p99")];
  const compared = groups.map(({ rate, perSecond, members }, n) => ({
    rate: perSecond === null ? String(rate) : dueText(perSecond),
    cells: members.map(({ name, cell, card }) => ({ name, cell, due: card?.open_loop?.by_clock.due ?? null })),
    ...{ p50: p50.made[n]!, p99: p99.made[n]! },
  }));
  const names = shortCellNames(plan.axes, compared);
  return {
    noise_floor: { p50: p50.floor, p99: p99.floor },
    rates: groups.map(({ rate, perSecond }, n) => {
      const at = compared[n]!;
      return { rate, per_second: perSecond, p50: at.p50, p99: at.p99, sentence: rateSentence(at, names) };
    }),
    sentences: winnerSentences(compared, names),
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
  const ofServer = closed.marks.filter((one) => rowOf(one).contradicts || isOfServer(one));
  return [...statusMarks(card), ...[...(late === null ? [] : [late]), ...ofServer].map((one) => markOf(name, one))];
}

/** The values of two cells round by round, in microseconds; null if a window does not count or was late. */
function roundsOf(over: readonly Solo[], under: readonly Solo[], quantile: Quantile) {
  const usOf = (one: Solo) => one.status === "ok" ? dueLatency(one)?.[`${quantile}_us`] ?? null : null;
  const others = new Map(under.map((one) => [one.round, one]));
  return over.filter(({ round }) => others.has(round))
    .map((one) => ({ round: one.round, over: usOf(one), under: usOf(others.get(one.round)!) }));
}

/** Returns findings of a run along the axis `rate` on its cells and between them; nothing for any other run. */
export function ratesSummary(plan: Plan, cells: readonly MeasuredCell[]): Pick<Summary, "latency" | "open_loop"> {
  const { further } = plan;
  if (further === undefined) return {};
  const byKey = new Map(cells.map((cell) => [cellKey(cell.cell), cell]));
  const openLoop = comparedAtRates(plan, cells);
  return {
    latency: cells.filter(({ cell }) => !isAtRate(cell.point.at) && cell.label !== AA).map((closed) =>
      latencyCell(plan, further, closed, ratesOf(plan).map((rate) => byKey.get(cellKey(atRateOf(closed.cell, rate)))!))
    ),
    ...(openLoop === undefined ? {} : { open_loop: openLoop }),
  };
}

function latencyCell(plan: Plan, axis: RateAxis, closed: MeasuredCell, atRates: readonly MeasuredCell[]): LatencyCell {
  const searched = searchedIn(plan, axis, closed.solo);
  const contradiction = closed.marks.find((one) => rowOf(one).contradicts);
  const cards = atRates.flatMap(({ card }) => card ?? []);
  const knee = searched.knee && heldByAll(searched.knee, cards, parseLimit(axis.limit!)!);
  const found = { ...searched, knee };
  return {
    name: cellName(plan.axes.filter(({ name }) => name !== RATE), closed.cell),
    closed: closed.name,
    at_rates: atRates.map(({ name }) => name),
    ...found,
    sentence: waitSentence({ ...found, cards, contradiction, limit: axis.limit }),
  };
}
