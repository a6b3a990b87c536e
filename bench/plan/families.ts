import { AA, atWithout, pointKey } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import type { Plan, PlanSteps } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";

interface Family {
  readonly kind: "axis" | "label";
  /** The contrast axis they differ in; null if they differ in their label. */
  readonly axis: string | null;
  readonly at: Cell["point"]["at"];
  readonly cells: readonly Cell[];
}

/** Every two of the items, in order. */
export function everyTwo<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]));
}

/**
 * All families of at least two cells: for each contrast axis those that agree on all other axes and the label, then those
 * that agree on all axes. The A/A twin is in none: it is the same again.
 */
export function familiesOf(axes: readonly PlanAxis[], cells: readonly Cell[]): Family[] {
  const ranked = cells.filter(({ label }) => label !== AA);
  const grouped = (key: (cell: Cell) => unknown) =>
    [...Map.groupBy(ranked, (cell) => JSON.stringify(key(cell))).values()].filter((group) => group.length > 1);
  const contrasts = axes.filter(({ role }) => role === "contrast");
  return [
    ...contrasts.flatMap(({ name }): Family[] =>
      grouped(({ point, label }) => [pointKey({ ...point, at: atWithout(point.at, name) }), label])
        .map((group) => ({ kind: "axis", axis: name, at: atWithout(group[0]!.point.at, name), cells: group }))
    ),
    ...grouped(({ point }) => pointKey(point))
      .map((group): Family => ({ kind: "label", axis: null, at: group[0]!.point.at, cells: group })),
  ];
}

/**
 * Returns the pairs of an ensemble whose waits at the same rates are compared, by their places in the plan: those that
 * differ in one thing only, and of cells named by hand every two.
 */
export function comparedPairs(
  { axes, cells }: Pick<Plan, "axes" | "cells">,
  { purpose, cells: places }: Plan["ensembles"][number],
): [number, number][] {
  const ranked = places.filter((place) => cells[place]!.label !== AA);
  if (purpose === "pair") return everyTwo(ranked);
  const placeOf = new Map(ranked.map((place) => [cells[place]!, place]));
  return familiesOf(axes, [...placeOf.keys()]).flatMap((family) => everyTwo(family.cells))
    .map(([a, b]) => [placeOf.get(a)!, placeOf.get(b)!]);
}

/** Returns the number of rounds in which a plan measures a cell, by its index. */
function plannedRounds({ solo, ensembles }: PlanSteps, place: number): number {
  return Math.max(
    0,
    ...solo.filter(({ cell }) => cell === place).map(({ rounds }) => rounds),
    ...ensembles.filter(({ cells }) => cells.includes(place)).map(({ rounds }) => rounds),
  );
}

/** Returns whether a plan has enough rounds for a verdict on some two of the cells: in one ensemble, or each alone. */
export function plansVerdict({ solo, ensembles }: PlanSteps, places: readonly number[]): boolean {
  const least = thresholds.leastRounds.value;
  const two = (measured: (place: number) => boolean) => places.filter(measured).length > 1;
  return two((place) => solo.some(({ cell, rounds }) => cell === place && rounds >= least)) ||
    ensembles.some(({ cells, rounds }) => rounds >= least && two((place) => cells.includes(place)));
}

/** The cells of a plan's questions: those with enough rounds for verdicts; all of them if there are none. */
export function judgedCells(plan: PlanSteps): Cell[] {
  const judged = plan.cells.filter((_, place) => plannedRounds(plan, place) >= thresholds.leastRounds.value);
  return judged.length > 0 ? judged : plan.cells;
}
