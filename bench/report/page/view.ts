import type { Cell, PlanAxis } from "../../record/cell-schema.ts";
import type { CellCard } from "../../result/cell-card.ts";
import { type MetricKey, metricOf } from "../metrics.ts";
import { meets, type Needs, noNeeds, type Trait, traitsOf } from "../needs.ts";
import type { PageData } from "./page-data.ts";

type Value = PlanAxis["values"][number]["value"];

/** An axis that has several values in the runs of a page: one group of boxes. */
export interface Filter {
  readonly axis: string;
  readonly title: string;
  readonly values: readonly { readonly value: Value; readonly text: string }[];
}

/** All that can be chosen among on a page. */
export interface Choices {
  readonly runs: number;
  readonly filters: readonly Filter[];
  readonly axes: readonly PlanAxis[];
  readonly traits: readonly Trait[];
}

/** What a reader chose to see. */
export interface View {
  readonly run: number;
  readonly metric: MetricKey;
  /** By place of filter: places of the values shown, or null for all. */
  readonly chosen: readonly (readonly number[] | null)[];
  readonly needs: Needs;
  /** Name of the cell that others are told against; null for the best of each column. */
  readonly baseline: string | null;
  /** Column of the table that orders its rows, from 0, or null for the plan's order. */
  readonly sort: number | null;
  /** Whether published rates stand in the charts. */
  readonly published: boolean;
  /** Name of the cell whose evidence is open. */
  readonly cell: string | null;
}

/** The choices of a page: filters and needs in the order its runs name their axes. */
export function choicesOf({ runs }: Pick<PageData, "runs">): Choices {
  const byName = Map.groupBy(runs.flatMap(({ run }) => run.plan.axes), ({ name }) => name);
  const axes = [...byName.values()].map((same): PlanAxis => {
    const known = Map.groupBy(same.flatMap(({ values }) => values), ({ value }) => value);
    return {
      ...same[0]!,
      shown: same.some(({ shown }) => shown),
      values: [...known.values()].map(([first]) => first!),
    };
  });
  return {
    runs: runs.length,
    filters: axes.flatMap(({ name, title, values }) => values.length < 2 ? [] : [{ axis: name, title, values }]),
    axes,
    traits: traitsOf(axes),
  };
}

/** The view before anything is chosen. */
export function fullView({ filters, traits }: Choices): View {
  return {
    run: 0,
    metric: metricOf(null).key,
    chosen: filters.map(() => null),
    needs: noNeeds(traits),
    baseline: null,
    sort: 0,
    published: false,
    cell: null,
  };
}

const LIMITS = [["memory", "memoryBytes"], ["startup", "startupMs"], ["p99", "p99Us"]] as const;

/** The view as the part of a link behind `#`; empty for {@link fullView}. Values are told by their places: names may hold anything. */
export function viewToHash(view: View): string {
  const parts = new URLSearchParams();
  const places = (name: string, all: readonly (readonly number[] | null)[]) =>
    all.forEach((own, n) => {
      if (own !== null) parts.set(`${name}${n + 1}`, own.map((place) => place + 1).join(","));
    });
  if (view.run !== 0) parts.set("run", String(view.run + 1));
  if (view.metric !== metricOf(null).key) parts.set("metric", view.metric);
  places("axis", view.chosen);
  places("trait", view.needs.traits);
  for (const [name, key] of LIMITS) if (view.needs[key] !== null) parts.set(name, String(view.needs[key]));
  if (view.needs.noCaveat) parts.set("caveats", "no");
  if (view.baseline !== null) parts.set("baseline", view.baseline);
  if (view.sort !== 0) parts.set("sort", view.sort === null ? "plan" : String(view.sort + 1));
  if (view.published) parts.set("published", "yes");
  if (view.cell !== null) parts.set("cell", view.cell);
  return parts.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
}

/** Reads {@link viewToHash} back. What does not fit is as if it were not there: links are typed by people, too. */
export function viewFromHash(hash: string, { runs, filters, traits }: Choices): View {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const place = (text: string | null, among: number) => {
    const number = Number(text) - 1;
    return Number.isInteger(number) && number >= 0 && number < among ? number : null;
  };
  const places = (name: string, among: number) =>
    parts.get(name)?.split(",").flatMap((word) => place(word, among) ?? []) ?? null;
  const limit = (name: string) => {
    const number = Number(parts.get(name) ?? Number.NaN);
    return Number.isFinite(number) && number > 0 ? number : null;
  };
  const [memoryBytes, startupMs, p99Us] = LIMITS.map(([name]) => limit(name));
  return {
    run: place(parts.get("run"), runs) ?? 0,
    metric: metricOf(parts.get("metric")).key,
    chosen: filters.map(({ values }, n) => places(`axis${n + 1}`, values.length)),
    needs: {
      memoryBytes: memoryBytes!,
      startupMs: startupMs!,
      p99Us: p99Us!,
      noCaveat: parts.get("caveats") === "no",
      traits: traits.map(({ kinds }, n) => places(`trait${n + 1}`, kinds.length)),
    },
    baseline: parts.get("baseline"),
    sort: parts.get("sort") === "plan" ? null : place(parts.get("sort"), 1_000) ?? 0,
    published: parts.get("published") === "yes",
    cell: parts.get("cell"),
  };
}

/** Whether a view's filters show a cell; axes that the cell's suite does not have keep nothing from it. */
export function shows(view: View, { filters }: Pick<Choices, "filters">, { cell }: { readonly cell: Cell }): boolean {
  return filters.every(({ axis, values }, n) => {
    const places = view.chosen[n] ?? null;
    return places === null || !Object.hasOwn(cell.point.at, axis) ||
      places.some((place) => values[place]!.value === cell.point.at[axis]);
  });
}

/** Whether a view shows a card: its filters do, and it meets the needs. */
export function showsCard(view: View, choices: Choices, card: CellCard): boolean {
  return shows(view, choices, card) && meets(view.needs, choices.axes, choices.traits, card);
}
