/** Places of cells in tables and charts: decided here once, from the axes of a plan alone. */
import { MAIN, placeOnAxis, placeText, shownAxes } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import type { Plan } from "../record/plan.ts";

/** The axes of a plan by their role in tables and charts. */
export interface Layout {
  /** The scale axis that charts draw from left to right; null without one of several values. */
  readonly scale: PlanAxis | null;
  /** Across in tables: the scale, else the contrast with the fewest values; null where no axis has several. */
  readonly columns: PlanAxis | null;
  /** Down in tables, the outermost first: conditions of several values, then contrasts, the first declared innermost. */
  readonly rows: readonly PlanAxis[];
  /** The axes that are compared: contrasts of several values, or all contrasts if none has several. */
  readonly contrasts: readonly PlanAxis[];
  /** All other axes: those that are equal within a comparison. */
  readonly conditions: readonly PlanAxis[];
  /** The contrast axis shown by colours in charts, and the one shown by panels and symbols. */
  readonly colour: PlanAxis | null;
  readonly facet: PlanAxis | null;
  /** The name of a cell without any contrast. */
  readonly suite: string;
}

const several = (axis: PlanAxis) => axis.values.length > 1;

/** The layout of a plan's cells. */
export function layoutOf({ axes, suite }: Pick<Plan, "axes" | "suite">): Layout {
  const shown = shownAxes(axes);
  const contrast = shown.filter(({ role }) => role === "contrast");
  const compared = contrast.filter(several);
  const contrasts = compared.length > 0 ? compared : contrast;
  const conditions = shown.filter((axis) => !contrasts.includes(axis));
  const fewest = compared.toSorted((a, b) => a.values.length - b.values.length)[0] ?? null;
  const scale = conditions.find((axis) => axis.role === "scale" && several(axis)) ?? null;
  const columns = scale ?? fewest;
  const facet = compared.length > 1 ? fewest : null;
  return {
    scale,
    columns,
    rows: [...conditions.filter(several), ...contrasts.toReversed()].filter((axis) => axis !== columns),
    contrasts,
    conditions,
    colour: compared.find((axis) => axis !== facet) ?? contrasts[0] ?? null,
    facet,
    suite: suite.name,
  };
}

/** Equal for cells that may be compared with each other. */
export function conditionKey({ conditions }: Layout, { point }: Cell): string {
  return JSON.stringify(conditions.map(({ name }) => point.at[name]));
}

/** `10k rows`: the values that comparable cells share; the suite's name if nothing varies. */
export function conditionText({ conditions, suite }: Layout, { point }: Cell): string {
  return placeText(conditions, point.at) || suite;
}

/** `10k rows`: values of axes that have only one in the whole plan and are not compared; empty if there are none. */
export function fixedText({ conditions }: Layout, { point }: Cell): string {
  return placeText(conditions.filter((axis) => !several(axis)), point.at);
}

/** The name of a cell among those under the same conditions: `deno with map`, `deno with map@after`. */
export function contrastText(layout: Layout, cell: Cell): string {
  return textsOf(layout, layout.contrasts, cell).join(" with ");
}

/** The texts of a cell on some axes, its label at the last; the suite's name where there are no axes. */
export function textsOf({ suite }: Layout, axes: readonly PlanAxis[], { point, label }: Cell): string[] {
  const texts = axes.length === 0 ? [suite] : axes.map((axis) => placeText([axis], point.at));
  return label === MAIN ? texts : [...texts.slice(0, -1), `${texts.at(-1)}@${label}`];
}

/** Titles over the texts that {@link textsOf} gives. */
export function headsOf(axes: readonly PlanAxis[]): string[] {
  return axes.length === 0 ? ["Suite"] : axes.map(({ title }) => title);
}

/** Orders cells by their places on some axes, the first axis first. */
export function byPlaces(axes: readonly PlanAxis[]) {
  return (a: { readonly cell: Cell }, b: { readonly cell: Cell }): number =>
    axes.map((axis) => placeOnAxis(axis, a.cell.point.at) - placeOnAxis(axis, b.cell.point.at))
      .find((difference) => difference !== 0) ?? 0;
}

/** True if values along a scale are numbers of different magnitudes, which a logarithmic axis shows best. */
export function isLogarithmic(values: readonly (string | number)[]): boolean {
  const numbers = values.filter((value) => typeof value === "number" && value > 0) as number[];
  return numbers.length > 0 && numbers.length === values.length && Math.max(...numbers) >= 10 * Math.min(...numbers);
}

/** Lays cells out as a table: a row for each combination of row values and label, a column for each value across. */
export function gridOf<T extends { readonly cell: Cell }>(layout: Layout, things: readonly T[]) {
  const { columns, rows } = layout;
  const column = ({ cell }: T) => columns === null ? "" : JSON.stringify(cell.point.at[columns.name]);
  const across = columns === null ? [""] : [...new Set(things.toSorted(byPlaces([columns])).map(column))];
  const down = Map.groupBy(
    things.toSorted(byPlaces(rows)),
    ({ cell }) => JSON.stringify([rows.map(({ name }) => cell.point.at[name]), cell.label]),
  );
  return {
    heads: headsOf(rows),
    columns: across.map((key) =>
      columns === null ? "" : placeText([columns], things.find((thing) => column(thing) === key)!.cell.point.at)
    ),
    rows: [...down.values()].map((row) => ({
      texts: textsOf(layout, rows, row[0]!.cell),
      cells: across.map((key) => row.find((thing) => column(thing) === key)),
    })),
  };
}
