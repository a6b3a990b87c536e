/** The drawings of what single rounds and requests did. */
import * as Plot from "@observablehq/plot";
import { AA, matches } from "../../record/cell.ts";
import type { CellCard } from "../../result/cell-card.ts";
import { formatRate, formatUs } from "../../basics/units.ts";
import { BELOW, rowsOf, ticks } from "./chart-look.ts";
import { drawn } from "./drawn.ts";
import { BINS_PER_DECADE, type CellEvidence, evidenceOf, type ShownRun } from "./page-data.ts";
import { TIPS } from "./paper.ts";

/** The rounds of some cards, each against the median of its cell in percent. */
export function roundsOf(cards: readonly CellCard[], shown: ShownRun) {
  return cards.flatMap(({ name, requests_per_second: middle }) =>
    (evidenceOf(shown, name)?.rounds ?? []).flatMap(({ round, status, requests_per_second: rate }) =>
      rate === null || !middle ? [] : [{ name, round: round + 1, status, change: 100 * (rate / middle - 1), rate }]
    )
  );
}

/** A dot for each round, a row for each cell; null where no cell has two rounds: one says nothing of noise. */
export function noiseDots(cards: readonly CellCard[], shown: ShownRun, width: number) {
  const dots = roundsOf(cards, shown);
  if (new Set(dots.map(({ name }) => name)).size === dots.length) return null;
  const place = ({ cell }: CellCard) => cards.findIndex((other) => matches(other.cell.point.at, cell.point.at));
  const texts = new Map(
    cards.toSorted((a, b) => place(a) - place(b))
      .map(({ name, cell }) => [name, cell.label === AA ? `A/A ${name}` : name]),
  );
  const most = Math.max(1, ...dots.map(({ change }) => Math.abs(change)));
  type Dot = (typeof dots)[number];
  return drawn({
    ...rowsOf(texts, width),
    // Half of "+100 %" stands beyond the last tick.
    marginRight: 28,
    grid: true,
    ariaLabel: "Rate of each round against the median of its cell",
    x: {
      label: "difference from the cell's median",
      domain: [-most, most],
      tickFormat: (n: number) => `${n > 0 ? "+" : n < 0 ? "−" : ""}${Math.abs(n)} %`,
      ticks: width < 560 ? 2 : 5,
      ...BELOW,
    },
    opacity: { range: [0.35, 1] },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      Plot.dot(dots, {
        x: "change",
        y: "name",
        fill: "var(--accent)",
        fillOpacity: "round",
        r: 4,
        stroke: ({ status }: Dot) => status === "ok" ? "none" : "var(--bad)",
        strokeWidth: 2,
        tip: TIPS,
        title: ({ name, round, rate, status }: Dot) =>
          `${name}\nround ${round}: ${formatRate(rate)} req/s${status === "ok" ? "" : `, ${status}`}`,
      }),
    ],
  });
}

/** The histogram of one cell: how often each latency was seen. */
export function histogramChart({ histogram }: CellEvidence, card: CellCard, width: number) {
  const { from, counts } = histogram;
  if (counts.length === 0) return null;
  const bins = counts.map((count, place) => ({
    from: 10 ** ((from + place) / BINS_PER_DECADE),
    to: 10 ** ((from + place + 1) / BINS_PER_DECADE),
    count,
  })).filter(({ count }) => count > 0);
  const told = ([["p50", card.p50_us], ["p90", card.p90_us], ["p99", card.p99_us]] as const).flatMap(([name, us]) =>
    us === null ? [] : [{ name, us }]
  );
  // Names of lines that would stand on each other stand one above the other.
  const span = Math.log(bins.at(-1)!.to / bins[0]!.from);
  const near = (a: number, b: number) => Math.abs(Math.log(a / b)) / span * (width - 80) < 30;
  const lines = told.map((line, n) => ({
    ...line,
    level: told.slice(0, n).filter(({ us }, k) => near(told[k + 1]!.us, us)).length,
  }));
  return drawn({
    width,
    height: 214,
    marginLeft: 62,
    marginTop: 48,
    marginBottom: 44,
    ariaLabel: "Histogram of service times",
    x: { type: "log", label: "service time", tickFormat: ticks(formatUs, span > 5 ? /^1/ : /^[125]/), ...BELOW },
    y: { label: "requests", grid: true, tickFormat: (n: number) => n >= 1_000 ? formatRate(n) : String(n), ticks: 4 },
    marks: [
      Plot.rectY(bins, { x1: "from", x2: "to", y: "count", fill: "var(--accent)", insetLeft: 0.5 }),
      Plot.ruleX(lines, { x: "us", stroke: "currentColor", strokeDasharray: "3,3" }),
      ...[0, 1, 2].map((level) =>
        Plot.text(lines.filter((line) => line.level === level), {
          x: "us",
          text: "name",
          frameAnchor: "top",
          dy: -8 - 13 * level,
          fill: "currentColor",
        })
      ),
    ],
  });
}
