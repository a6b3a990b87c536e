/** The histogram of one cell: how often each latency was seen. */
import * as Plot from "@observablehq/plot";
import { formatRate, formatUs } from "../basics/units.ts";
import type { CellCard } from "../record/card.ts";
import { BELOW, ticks } from "./chart-look.ts";
import { drawn } from "./drawn.ts";
import { BINS_PER_DECADE, type CellEvidence } from "./page-data.ts";

/** The histogram of one cell with its percentiles; null where no request was counted. */
export function histogram({ histogram: { from, counts } }: CellEvidence, card: CellCard, width: number) {
  const edge = (place: number) => 10 ** ((from + place) / BINS_PER_DECADE);
  const bins = counts.map((count, place) => ({ from: edge(place), to: edge(place + 1), count }))
    .filter(({ count }) => count > 0);
  if (bins.length === 0) return null;
  const told = ([["p50", card.p50_us], ["p90", card.p90_us], ["p99", card.p99_us]] as const).flatMap(([name, us]) =>
    us === null ? [] : [{ name, us }]
  );
  // Names of lines that would stand on each other stand one above the other.
  const span = Math.log(bins.at(-1)!.to / bins[0]!.from);
  const near = (a: number, b: number) => Math.abs(Math.log(a / b)) / span * (width - 80) < 30;
  const levelOf = (n: number) => told.slice(0, n).filter(({ us }, k) => near(told[k + 1]!.us, us)).length;
  return drawn({
    ...{ width, height: 214, marginLeft: 62, marginTop: 48, marginBottom: 44 },
    ariaLabel: "Histogram of service times",
    x: { type: "log", label: "service time", tickFormat: ticks(formatUs, span > 5 ? /^1/ : /^[125]/), ...BELOW },
    y: { label: "requests", grid: true, tickFormat: (n: number) => n >= 1_000 ? formatRate(n) : String(n), ticks: 4 },
    marks: [
      Plot.rectY(bins, { x1: "from", x2: "to", y: "count", fill: "var(--accent)", insetLeft: 0.5 }),
      Plot.ruleX(told, { x: "us", stroke: "currentColor", strokeDasharray: "3,3" }),
      ...told.map((line, n) =>
        Plot.text([line], { x: "us", text: "name", frameAnchor: "top", dy: -8 - 13 * levelOf(n) })
      ),
    ],
  });
}
