/** The drawing of versions in their order: speed over the oldest with intervals, a step only where one is proven. */
import * as Plot from "#plot";
import { formatRatio } from "../basics/units.ts";
import { type VersionRow, versionRows, VERSIONS_NOTE, versionTable } from "../report/version-table.ts";
import type { Chart } from "./chart-look.ts";
import { chartPicture } from "./drawn.ts";
import type { ShownRun } from "./shown-run.ts";

/** The most places with a chart; the first place's table has all. */
const MOST_PLACES = 4;

/** A chart for each runtime of which several versions are shown, at each place. */
export function versionCharts({ run, summary, cells }: ShownRun): Chart[] {
  return versionRows(run, summary, cells).flatMap(({ runtime, rows }) => {
    const places = [...Map.groupBy(rows, ({ place }) => place)];
    return places.filter(([, atPlace]) => atPlace.length > 1).slice(0, MOST_PLACES).map(
      ([place, atPlace], n): Chart => {
        const title = `Versions of ${runtime}${place === "" ? "" : ` at ${place}`}: speed, ${rows[0]!.label} = 1`;
        return {
          id: `versions-${runtime}-${n + 1}`,
          title,
          note: VERSIONS_NOTE,
          draw: (width) => drawVersions(atPlace.filter(({ ratio }) => ratio !== null), width, title),
          table: () => versionTable({ runtime, rows: n === 0 ? places.flatMap(([, all]) => all) : atPlace }),
        };
      },
    );
  });
}

function drawVersions(rows: readonly VersionRow[], width: number, label: string): SVGSVGElement | null {
  if (rows.length < 2) return null;
  const x = "label";
  return chartPicture({
    ...{ width, height: 260, marginLeft: 62, marginBottom: 46, grid: true, ariaLabel: label },
    x: { type: "point", domain: rows.map((row) => row.label), label: null, padding: 0.5 },
    y: { label: "speed", ticks: 5, tickFormat: formatRatio },
    marks: [
      Plot.line(rows, { x, y: "level", curve: "step", stroke: "var(--soft)", strokeWidth: 2 }),
      Plot.ruleX(rows.filter(({ interval }) => interval !== null), {
        x,
        y1: ({ interval }: VersionRow) => interval!.low,
        y2: ({ interval }: VersionRow) => interval!.high,
        stroke: "var(--ink)",
        strokeWidth: 2,
      }),
      Plot.dot(rows, {
        ...{ x, y: "ratio", r: 4, stroke: "var(--ink)", strokeWidth: 1.5 },
        fill: ({ step }: VersionRow) => step === null ? "var(--page)" : "var(--ink)",
        title: ({ label, ratio, step }: VersionRow) =>
          `${label}\n${formatRatio(ratio!)}${step === null ? "" : `\n${step} than the one before`}`,
      }),
    ],
  });
}
