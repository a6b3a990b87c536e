/** Layers that sum to the cost of a request, and their faults. */
import type { CostLayer, ExplainedCell } from "../record/explanation-schema.ts";

/** Mean of some figures; 0 of none. */
export const meanOfUs = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** CPU time a request in µs without the profiler's own, in each pass with a profile; in all if none has one. */
export function plainUs({ passes }: Pick<ExplainedCell, "passes">): number[] {
  const profiled = passes.filter((pass) => pass.profiled !== null);
  return (profiled.length === 0 ? passes : profiled).map(({ plain: { user_us, system_us, threads } }) =>
    // System time is not known by thread: it is one layer.
    user_us + system_us - (threads.profiler?.user_us ?? 0)
  );
}

/** A cell whose layers sum to its CPU time without the profiler in each pass; functions are scaled by the mean. */
export function balanceLayers<C extends Pick<ExplainedCell, "passes" | "layers">>(cell: C): C {
  const { layers } = cell;
  const whole = plainUs(cell);
  const sums = whole.map((_, pass) => layers.reduce((sum, { us }) => sum + (us[pass] ?? 0), 0));
  const ratio = (plain: number, sum: number) => sum > 0 ? plain / sum : 1;
  const mean = ratio(meanOfUs(whole), meanOfUs(sums));
  return {
    ...cell,
    layers: layers.map((layer) => ({
      ...layer,
      us: layer.us.map((us, pass) => us * (pass < whole.length ? ratio(whole[pass]!, sums[pass]!) : mean)),
      functions: layer.functions.map((each) => ({ ...each, us: each.us * mean })),
    })),
  };
}

/** The figures of a cell as they are shown, in µs: layers sum to the whole. */
interface ShownCosts {
  readonly whole: number;
  readonly of: (layer: CostLayer) => number;
}

/** The shown figures of a balanced cell, layers rounded by largest remainder: tenths of µs, below 1 hundredths. */
export function shownCosts(cell: Pick<ExplainedCell, "passes" | "layers">): ShownCosts {
  const us = meanOfUs(plainUs(cell));
  const per = us < 1 ? 100 : 10;
  const layers = cell.layers.map(({ layer, us }) => ({ layer, exact: per * meanOfUs(us) }));
  const whole = Math.round(per * us);
  const left = whole - layers.reduce((sum, { exact }) => sum + Math.floor(exact), 0);
  const byRest = layers.toSorted((a, b) => b.exact % 1 - a.exact % 1).slice(0, Math.max(0, left));
  const shown = new Map(
    layers.map((one) => [one.layer, (Math.floor(one.exact) + (byRest.includes(one) ? 1 : 0)) / per]),
  );
  return { whole: whole / per, of: (layer) => shown.get(layer) ?? 0 };
}

type Marked = Pick<ExplainedCell, "name" | "marks">;

/** Returns the marks that void passes of some cells, as a part of a sentence; empty without any. */
export const voidText = (cells: readonly Marked[]): string => textOf(cells, (effect) => effect === "voids");

/** Returns all other marks of some cells, as a part of a sentence; empty without any. */
export const weakText = (cells: readonly Marked[]): string => textOf(cells, (effect) => effect !== "voids");

function textOf(cells: readonly Marked[], is: (effect: ExplainedCell["marks"][number]["effect"]) => boolean): string {
  const texts = cells.flatMap(({ name, marks }) =>
    marks.filter(({ effect }) => is(effect)).map(({ text }) => ({ name, text }))
  );
  return [...Map.groupBy(texts, ({ text }) => text)]
    .map(([text, same]) => `${[...new Set(same.map(({ name }) => name))].join(" and ")}: ${text}`).join("; ");
}
