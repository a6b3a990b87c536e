import type { Cell, PlanAxis } from "../../core/cell-schema.ts";
import type { MetricKey } from "../metrics.ts";
import { metricOf } from "../metrics.ts";
import type { PageData } from "./page-data.ts";

type Value = PlanAxis["values"][number]["value"];

/** An axis that has several values in the runs of a page: one group of boxes. */
export interface Filter {
  readonly axis: string;
  readonly title: string;
  readonly values: readonly { readonly value: Value; readonly text: string }[];
}

/** What a reader chose to see. */
export interface View {
  readonly run: number;
  readonly metric: MetricKey;
  /** By place of filter: places of the values shown, or null for all. */
  readonly chosen: readonly (readonly number[] | null)[];
  /** Name of the cell whose evidence is open. */
  readonly cell: string | null;
}

/** The filters of a page, in the order its runs name their axes. */
export function filtersOf({ runs }: Pick<PageData, "runs">): Filter[] {
  const axes = Map.groupBy(runs.flatMap(({ run }) => run.plan.axes), ({ name }) => name);
  return [...axes.values()].flatMap((same) => {
    const { name, title } = same[0]!;
    const known = Map.groupBy(same.flatMap(({ values }) => values), ({ value }) => value);
    const values = [...known].map(([value, [first]]) => ({ value, text: first!.text }));
    return values.length < 2 ? [] : [{ axis: name, title, values }];
  });
}

/** The view before anything is chosen. */
export function fullView(filters: readonly Filter[]): View {
  return { run: 0, metric: metricOf(null).key, chosen: filters.map(() => null), cell: null };
}

/** The view as the part of a link behind `#`; empty for {@link fullView}. Values are told by their places: names may hold anything. */
export function viewToHash(view: View): string {
  const parts = new URLSearchParams();
  if (view.run !== 0) parts.set("run", String(view.run + 1));
  if (view.metric !== metricOf(null).key) parts.set("metric", view.metric);
  view.chosen.forEach((places, n) => {
    if (places !== null) parts.set(`axis${n + 1}`, places.map((place) => place + 1).join(","));
  });
  if (view.cell !== null) parts.set("cell", view.cell);
  return parts.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
}

/** Reads {@link viewToHash} back. What does not fit is as if it were not there: links are typed by people, too. */
export function viewFromHash(hash: string, runs: number, filters: readonly Filter[]): View {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const place = (text: string | null, among: number) => {
    const number = Number(text) - 1;
    return Number.isInteger(number) && number >= 0 && number < among ? number : null;
  };
  return {
    run: place(parts.get("run"), runs) ?? 0,
    metric: metricOf(parts.get("metric")).key,
    chosen: filters.map(({ values }, n) =>
      parts.get(`axis${n + 1}`)?.split(",").flatMap((word) => place(word, values.length) ?? []) ?? null
    ),
    cell: parts.get("cell"),
  };
}

/** Whether a view shows a cell; axes that the cell's suite does not have keep nothing from it. */
export function shows(view: View, filters: readonly Filter[], { cell }: { readonly cell: Cell }): boolean {
  return filters.every(({ axis, values }, n) => {
    const places = view.chosen[n] ?? null;
    return places === null || !Object.hasOwn(cell.point.at, axis) ||
      places.some((place) => values[place]!.value === cell.point.at[axis]);
  });
}
