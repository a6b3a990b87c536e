import { comparisonOf } from "../record/inverse.ts";
import { isDecided, isJudged, OPEN_WORD, shownInterval } from "../record/verdicts.ts";
import { orDash } from "../basics/units.ts";
import type { Comparison } from "../record/comparison.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { Summary } from "../record/summary.ts";
import type { TitledTable } from "./table.ts";
import { figureOf } from "./figures.ts";

const times = (ratio: number) => `${ratio.toFixed(2)}×`;

type Row = Summary["steps"][number]["rows"][number];

/** Steps of one name in one table, their ratios by verdicts or rounds; a place with only one step is left out. */
export function stepTables(
  { steps, families }: Pick<Summary, "steps"> & {
    readonly families: readonly { readonly comparisons: readonly Comparison[] }[];
  },
  plan: WordedPlan = {},
): TitledTable[] {
  const reported = steps.filter(({ rows }) => rows.filter(({ value }) => value !== null).length > 1);
  const comparisons = families.flatMap((family) => family.comparisons);
  return [...Map.groupBy(reported, ({ name }) => name).values()].map((same) => {
    const { name, why, metric } = same[0]!;
    const { unit, format, better, basis } = figureOf(metric);
    const measured = metric === "cpu_ns_per_request" ? `CPU ${unit}` : unit;
    const places = apartOnly(same.map(({ title }) => title));
    const over = (row: Row, other: Row | undefined, seen: Seen) => {
      if (other === undefined) return "–";
      const judged = comparisonOf(row.cell, other.cell, comparisons);
      return (judged !== undefined && judged.basis === basis ? judgedText(judged, better) : null) ?? seenText(seen);
    };
    return {
      title: name,
      remark: why,
      isText: (column) => column < 2,
      heads: ["at", "step", inWords(plan, measured), "over the one before", "over the first"],
      rows: same.flatMap(({ rows }, n) =>
        rows.map((row, place) => [
          places[n]! || "–",
          row.text,
          orDash(row.value, format),
          over(row, rows[place - 1], { ratio: row.over_previous, ends: row.over_previous_interval }),
          over(row, place === 0 ? undefined : rows[0], { ratio: row.over_first, ends: row.over_first_interval }),
        ])
      ),
    };
  });
}

const endsText = (low: number, high: number) => ` (${low.toFixed(2)} to ${high.toFixed(2)})`;

function judgedText(judged: Comparison, better: "higher" | "lower"): string | null {
  if (!isJudged(judged)) return null;
  const { ratio } = judged, { low, high } = shownInterval(judged);
  const ends = better === "higher" ? endsText(low, high) : endsText(1 / high, 1 / low);
  return `${isDecided(judged) ? times(better === "higher" ? ratio : 1 / ratio) : OPEN_WORD}${ends}`;
}

interface Seen {
  readonly ratio: number | null;
  readonly ends: readonly [number, number] | undefined;
}

/** Returns a ratio by rounds alone. A step is held for dearer or better only if the interval says so. */
function seenText({ ratio, ends }: Seen): string {
  if (ratio === null) return "–";
  if (ends === undefined) return ratio < 1 ? `${OPEN_WORD}, one sample` : `${times(ratio)}, one sample`;
  const [low, high] = ends;
  return `${low <= 1 && high >= 1 ? OPEN_WORD : times(ratio)}${endsText(low, high)}`;
}

function apartOnly(titles: readonly string[]): string[] {
  const parts = titles.map((title) => title.split(", "));
  if (parts.length < 2 || parts.some(({ length }) => length !== parts[0]!.length)) return [...titles];
  return parts.map((each) => each.filter((text, n) => parts.some((other) => other[n] !== text)).join(", "));
}
