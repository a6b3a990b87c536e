import type { CellCard } from "../../core/result/cell-card.ts";
import { formatSize, parseSize } from "../../core/units.ts";
import { type MetricKey, metricOf } from "./metrics.ts";

/** What a reader chose to see. Null means all. */
export interface View {
  readonly run: number;
  readonly metric: MetricKey;
  readonly runtimes: readonly string[] | null;
  readonly stores: readonly string[] | null;
  readonly sizes: readonly number[] | null;
  readonly suites: readonly string[] | null;
  /** Subject name of the cell whose evidence is open. */
  readonly cell: string | null;
}

/** The view before anything is chosen. */
export const FULL_VIEW: View = {
  run: 0,
  metric: "requests_per_second",
  runtimes: null,
  stores: null,
  sizes: null,
  suites: null,
  cell: null,
};

/** The view as the part of a link behind `#`; empty for {@link FULL_VIEW}. */
export function viewToHash(view: View): string {
  const parts = new URLSearchParams();
  if (view.run !== 0) parts.set("run", String(view.run + 1));
  if (view.metric !== FULL_VIEW.metric) parts.set("metric", view.metric);
  if (view.runtimes !== null) parts.set("runtime", view.runtimes.join(","));
  if (view.stores !== null) parts.set("store", view.stores.join(","));
  if (view.sizes !== null) parts.set("size", view.sizes.map(formatSize).join(","));
  if (view.suites !== null) parts.set("suite", view.suites.join(","));
  if (view.cell !== null) parts.set("cell", view.cell);
  return parts.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%40", "@");
}

/** Reads {@link viewToHash} back. What does not fit is as if it were not there: links are typed by people, too. */
export function viewFromHash(hash: string, runs: number): View {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const list = (name: string) => parts.get(name)?.split(",").filter((word) => word !== "") ?? null;
  const run = Number(parts.get("run") ?? 1) - 1;
  return {
    run: Number.isInteger(run) && run >= 0 && run < runs ? run : 0,
    metric: metricOf(parts.get("metric")).key,
    runtimes: list("runtime"),
    stores: list("store"),
    sizes: list("size")?.flatMap((size) => parseSize(size) ?? []) ?? null,
    suites: list("suite"),
    cell: parts.get("cell"),
  };
}

/** Whether a view shows a card. */
export function shows(view: View, { cell }: Pick<CellCard, "cell">): boolean {
  const within = <T>(chosen: readonly T[] | null, value: T) => chosen === null || chosen.includes(value);
  return within(view.runtimes, cell.runtime) && within(view.stores, cell.store) && within(view.sizes, cell.size) &&
    within(view.suites, `${cell.suite}/${cell.workload}`);
}
