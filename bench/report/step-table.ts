import { dash } from "../basics/units.ts";
import type { Summary } from "../record/summary.ts";
import { metricOf } from "./metrics.ts";
import type { TitledTable } from "./table.ts";

const times = (ratio: number) => `${ratio.toFixed(2)}×`;
/**
 * The cost or gain of each step, wherever it was measured: steps of one name in one table. A place where only one step was
 * measured is left out: it is over nothing.
 */
export function stepTables({ steps }: Pick<Summary, "steps">): TitledTable[] {
  const reported = steps.filter(({ rows }) => rows.filter(({ value }) => value !== null).length > 1);
  return [...Map.groupBy(reported, ({ name }) => name).values()].map((same) => {
    const { name, why, metric } = same[0]!;
    const { unit, format } = metricOf(metric);
    const measured = metric === "cpu_ns_per_request" ? `CPU ${unit}` : unit;
    const places = apartOnly(same.map(({ title }) => title));
    return {
      title: name,
      remark: why,
      isText: (column) => column < 2,
      heads: ["at", "step", measured, "over the one before", "over the first"],
      rows: same.flatMap(({ rows }, n) =>
        rows.map(({ text, value, over_previous, over_first, over_first_interval: ends }) => [
          places[n]! || "–",
          text,
          dash(value, format),
          dash(over_previous, times),
          dash(over_first, times) + (ends === undefined ? "" : ` (${ends[0].toFixed(2)} to ${ends[1].toFixed(2)})`),
        ])
      ),
    };
  });
}

/** Places without the values that all of them share. */
function apartOnly(titles: readonly string[]): string[] {
  const parts = titles.map((title) => title.split(", "));
  if (parts.length < 2 || parts.some(({ length }) => length !== parts[0]!.length)) return [...titles];
  return parts.map((each) => each.filter((text, n) => parts.some((other) => other[n] !== text)).join(", "));
}
