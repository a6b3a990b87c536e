/** Longer than a page because each chart is a list of marks; all share one way to name and colour cells. */
import type * as PlotModule from "@observablehq/plot";
import { AA, MAIN, subjectName } from "../../core/plan.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { formatBytes, formatRate, formatSize, formatUs } from "../../core/units.ts";
import { TUTORIAL, TUTORIAL_SOURCE } from "../../core/published-references.ts";
import { cardLabel } from "../rerun-command.ts";
import { formatMs } from "./metrics.ts";
import { type BinnedHistogram, BINS_PER_DECADE, type CellEvidence, type ShownRun } from "./page-data.ts";
import { shows, type View } from "./view.ts";

/** The library, which stands in the page before this script. */
declare const Plot: typeof PlotModule;

/** A chart: a question, what answers it, and how to read it. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** Null when there is nothing to draw. */
  readonly draw: (width: number) => SVGSVGElement | HTMLElement | null;
}

const STORE_COLOURS = ["--s1", "--s2", "--s3", "--s4", "--s5", "--s6", "--s7"];
const SYMBOLS = ["circle", "square", "triangle", "diamond2", "cross"] as const;

/** All charts of a run under a view, in the order they are read. */
export function chartsOf(shown: ShownRun, view: View): Chart[] {
  const cards = shown.cells.filter((card) =>
    shows(view, card) && card.label !== AA && card.requests_per_second !== null
  );
  const all = shown.cells;
  const stores = [...new Set(all.map(({ cell }) => cell.store))];
  const runtimes = [...new Set(all.map(({ cell }) => cell.runtime))];
  const look = {
    color: {
      domain: stores,
      range: stores.map((_, n) => `var(${STORE_COLOURS[n % STORE_COLOURS.length]})`),
      legend: true,
    },
    symbol: { domain: runtimes, range: runtimes.map((_, n) => SYMBOLS[n % SYMBOLS.length]!), legend: true },
    runtimes: runtimes.filter((name) => cards.some(({ cell }) => cell.runtime === name)),
  };
  const largest = Math.max(...cards.map(({ cell }) => cell.size));
  const focus = cards.filter(({ cell }) => cell.size === largest);
  const at = `at ${formatSize(largest)} users`;
  return [
    {
      id: "scaling",
      title: "How does the rate change with the number of users?",
      note:
        `Both axes logarithmic. Bars are 95 % intervals; hollow points are lower bounds (“≥”). Dotted: published rates, ${TUTORIAL_SOURCE}; a shape to compare with, another machine.`,
      draw: (width) => scaling(cards, look, width),
    },
    {
      id: "latency",
      title: `How long do requests take ${at}?`,
      note:
        "Service times under full load, all trials together, the raw histogram; the axis stretches towards the slowest requests. " +
        "Like memory, start-up and disk below it shows the largest size chosen above.",
      draw: (width) => percentiles(focus, shown.evidence, look, width),
    },
    {
      id: "cpu",
      title: "Who serves more with less CPU?",
      note:
        "To the upper left is better. Where a server is the limit both say the same; where points leave the line, something else was waited for.",
      draw: (width) => cpuAgainstRate(cards, look, width),
    },
    {
      id: "memory",
      title: `How much memory does it take ${at}?`,
      note: "Peak resident memory of the server, median over rounds.",
      draw: (width) => bars(focus, "peak_rss_bytes", (card) => card.peak_rss_bytes, formatBytes, look, width),
    },
    {
      id: "startup",
      title: `How long until the first reply ${at}?`,
      note: "Process start until it listens, opening or loading the store included.",
      draw: (width) => bars(focus, "startup_ms", (card) => card.startup_ms, formatMs, look, width),
    },
    {
      id: "disk",
      title: `How large is the store on disk ${at}?`,
      note: "Bytes of the store's own files.",
      draw: (width) => bars(focus, "disk_bytes", (card) => card.disk_bytes, formatBytes, look, width),
    },
    {
      id: "rounds",
      title: "How noisy was it, and did it drift?",
      note:
        "Each dot is one round's rate against the median of its cell, darker the later. A cell measured twice (A/A) shows what noise alone does.",
      draw: (width) =>
        strip(
          all.filter((card) => shows(view, card) && (card.cell.size === largest || card.label === AA)),
          shown.evidence,
          width,
        ),
    },
  ];
}

interface Look {
  readonly color: { domain: string[]; range: string[]; legend: boolean };
  readonly symbol: { domain: string[]; range: (typeof SYMBOLS)[number][]; legend: boolean };
  readonly runtimes: readonly string[];
}

const WIDE = 640;
const store = (card: CellCard) => card.cell.store;
const runtime = (card: CellCard) => card.cell.runtime;

/** Runtimes side by side on a wide page, one below the other on a narrow one. */
function facet(width: number, { runtimes }: Look) {
  return width >= WIDE
    ? { key: "fx" as const, scale: { fx: { domain: runtimes, label: null } }, height: 320 }
    : { key: "fy" as const, scale: { fy: { domain: runtimes, label: null } }, height: 60 + 200 * runtimes.length };
}

function scaling(cards: readonly CellCard[], look: Look, width: number) {
  if (cards.length === 0) return null;
  const { key, scale, height } = facet(width, look);
  const within = { [key]: runtime };
  const sizes = [...new Set(cards.map(({ cell }) => cell.size))].sort((a, b) => a - b);
  const shown = new Set(cards.map(store));
  const references = look.runtimes.flatMap((name) =>
    TUTORIAL.filter((point) => shown.has(point.store) && sizes[0]! <= point.size && point.size <= sizes.at(-1)!).map((
      point,
    ) => ({ ...point, runtime: name }))
  );
  const bounded = cards.filter((card) => card.requests_per_second_interval !== null);
  return Plot.plot({
    width,
    height,
    marginLeft: 52,
    ...scale,
    grid: true,
    ariaLabel: "Requests per second over number of users",
    x: {
      type: "log",
      label: "users",
      ticks: sizes.length > 6 ? 5 : sizes,
      tickFormat: (n: number) => formatSize(Math.round(n)),
      inset: 14,
    },
    y: { type: "log", label: "req/s", tickFormat: (n: number) => /^1/.test(n.toExponential()) ? formatRate(n) : "" },
    color: look.color,
    marks: [
      Plot.line(references, {
        x: "size",
        y: "requests_per_second",
        stroke: "store",
        strokeDasharray: "1,4",
        strokeLinecap: "round",
        [key]: "runtime",
      }),
      Plot.line(cards, {
        x: (c: CellCard) => c.cell.size,
        y: "requests_per_second",
        stroke: store,
        z: (c: CellCard) => `${c.cell.store}@${c.label}`,
        ...within,
      }),
      Plot.ruleX(bounded, {
        x: (c: CellCard) => c.cell.size,
        y1: (c: CellCard) => c.requests_per_second_interval!.low,
        y2: (c: CellCard) => c.requests_per_second_interval!.high,
        stroke: store,
        strokeWidth: 2,
        ...within,
      }),
      Plot.dot(cards, {
        x: (c: CellCard) => c.cell.size,
        y: "requests_per_second",
        stroke: store,
        strokeWidth: 1.5,
        r: 3.5,
        fill: (c: CellCard) =>
          c.bound === "generator"
            ? "var(--page)"
            : `var(${STORE_COLOURS[look.color.domain.indexOf(c.cell.store) % STORE_COLOURS.length]})`,
        title: cardTitle,
        tip: true,
        ...within,
      }),
    ],
  });
}

function cardTitle(card: CellCard): string {
  const bound = card.bound === "generator" ? "≥ " : "";
  const interval = card.requests_per_second_interval;
  return `${cardLabel(card)}\n${bound}${formatRate(card.requests_per_second!)} req/s` +
    `${interval === null ? "" : ` [${formatRate(interval.low)}, ${formatRate(interval.high)}]`}` +
    `${card.status === "ok" ? "" : `\n${card.status}`}`;
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999];

const totalOf = ({ counts }: BinnedHistogram) => counts.reduce((sum, count) => sum + count, 0);

/** Latency in microseconds at a share of requests: the middle of its bin on the bins' logarithmic scale. NaN without requests. */
export function latencyAt(histogram: BinnedHistogram, share: number): number {
  const wanted = Math.max(1, share * totalOf(histogram));
  let seen = 0;
  const place = histogram.counts.findIndex((count) => (seen += count) >= wanted);
  return place < 0 ? Number.NaN : 10 ** ((histogram.from + place + 0.5) / BINS_PER_DECADE);
}

function percentiles(cards: readonly CellCard[], evidence: ShownRun["evidence"], look: Look, width: number) {
  const points = cards.flatMap((card) => {
    const histogram = evidence[subjectName(card)]?.histogram ?? { from: 0, counts: [] };
    const count = totalOf(histogram);
    // A share is told only where at least ten requests were slower: less is chance.
    return SHARES.filter((share) => count * (1 - share) >= 10).map((share) => ({
      store: card.cell.store,
      runtime: card.cell.runtime,
      label: card.label,
      share,
      tail: 1 - share,
      us: latencyAt(histogram, share),
    }));
  });
  if (points.length === 0) return null;
  const { key, scale, height } = facet(width, look);
  return Plot.plot({
    width,
    height,
    marginLeft: 52,
    ...scale,
    grid: true,
    ariaLabel: "Service time by share of requests",
    x: {
      type: "log",
      reverse: true,
      label: "share of requests served by then",
      ticks: [0.5, 0.1, 0.01, 0.001, 0.0001],
      tickFormat: (tail: number) => `${Number((100 * (1 - tail)).toFixed(2))} %`,
    },
    y: {
      type: "log",
      label: "service time",
      tickFormat: (n: number) => /^1/.test(n.toExponential()) ? formatUs(n) : "",
    },
    color: look.color,
    marks: [
      Plot.line(points, {
        x: "tail",
        y: "us",
        stroke: "store",
        z: (p: { store: string; label: string }) => `${p.store}@${p.label}`,
        [key]: "runtime",
      }),
      Plot.dot(points, {
        x: "tail",
        y: "us",
        fill: "store",
        r: 2,
        [key]: "runtime",
        tip: true,
        title: (p: (typeof points)[number]) =>
          `${p.store} on ${p.runtime}\n${Number((100 * p.share).toFixed(2))} % within ${formatUs(p.us)}`,
      }),
    ],
  });
}

function cpuAgainstRate(cards: readonly CellCard[], look: Look, width: number) {
  const known = cards.filter((card) => card.cpu_ns_per_request !== null);
  if (known.length === 0) return null;
  // The line is drawn through what was measured; it must not decide what is shown.
  const around = (values: readonly number[]) => [Math.min(...values) / 1.6, Math.max(...values) * 1.6];
  const costs = around(known.map((card) => card.cpu_ns_per_request!));
  const narrow = costs[1]! / costs[0]! < 100;
  return Plot.plot({
    width,
    height: 340,
    marginLeft: 56,
    grid: true,
    ariaLabel: "Requests per second against CPU time per request",
    x: {
      type: "log",
      label: "CPU time per request",
      domain: costs,
      tickFormat: (n: number) =>
        /^[125]/.test(n.toExponential()) && (narrow || /^1/.test(n.toExponential())) ? formatUs(n / 1_000) : "",
    },
    y: {
      type: "log",
      label: "req/s",
      domain: around(known.map((card) => card.requests_per_second!)),
      tickFormat: (n: number) =>
        /^[125]/.test(n.toExponential()) && (narrow || /^1/.test(n.toExponential())) ? formatRate(n) : "",
    },
    color: look.color,
    symbol: look.symbol,
    marks: [
      // One core busy all the time: rate times CPU time is a second.
      Plot.line([1_000, 1e9].map((ns) => ({ ns, rate: 1e9 / ns })), {
        x: "ns",
        y: "rate",
        stroke: "currentColor",
        strokeOpacity: 0.35,
        strokeDasharray: "3,3",
        clip: true,
      }),
      Plot.dot(known, {
        x: "cpu_ns_per_request",
        y: "requests_per_second",
        stroke: store,
        symbol: runtime,
        r: 5,
        strokeWidth: 1.8,
        tip: true,
        title: (card: CellCard) => `${cardTitle(card)}\n${formatUs(card.cpu_ns_per_request! / 1_000)} CPU per request`,
      }),
    ],
  });
}

function bars(
  cards: readonly CellCard[],
  name: string,
  value: (card: CellCard) => number | null,
  format: (value: number) => string,
  look: Look,
  width: number,
) {
  const known = cards.filter((card) => value(card) !== null);
  if (known.length === 0 || known.every((card) => value(card) === 0)) return null;
  const most = Math.max(...known.map((card) => value(card)!));
  return Plot.plot({
    width,
    height: 40 + 22 * known.length,
    marginLeft: 118,
    marginRight: 68,
    ariaLabel: name.replaceAll("_", " "),
    x: { label: null, ticks: 4, tickFormat: format, domain: [0, most], axis: null },
    y: { label: null, domain: known.map(barName), tickSize: 0 },
    color: { ...look.color, legend: false },
    marks: [
      Plot.barX(known, { x: value, y: barName, fill: store, insetTop: 2, insetBottom: 2 }),
      Plot.text(known, {
        x: value,
        y: barName,
        text: (card: CellCard) => format(value(card)!),
        textAnchor: "start",
        dx: 5,
        fill: "currentColor",
      }),
    ],
  });
}

const barName = ({ cell, label }: CellCard) => `${cell.store} ${cell.runtime}${label === MAIN ? "" : `@${label}`}`;

function strip(cards: readonly CellCard[], evidence: ShownRun["evidence"], width: number) {
  const dots = cards.flatMap((card) => {
    const middle = card.requests_per_second;
    if (middle === null || middle === 0) return [];
    return (evidence[subjectName(card)]?.rounds ?? []).flatMap((round) =>
      round.requests_per_second === null ? [] : [{
        name: card.label === AA ? `A/A ${cardLabel(card)}` : cardLabel(card),
        round: round.round + 1,
        status: round.status,
        change: 100 * (round.requests_per_second / middle - 1),
        rate: round.requests_per_second,
      }]
    );
  });
  if (dots.length === 0) return null;
  const names = [...new Set(dots.map(({ name }) => name))].sort((a, b) =>
    a.replace("A/A ", "").localeCompare(b.replace("A/A ", ""))
  );
  return Plot.plot({
    width,
    height: 50 + 22 * names.length,
    marginLeft: 168,
    grid: true,
    ariaLabel: "Rate of each round against the median of its cell",
    x: { label: "difference from the cell's median", tickFormat: (n: number) => `${n > 0 ? "+" : ""}${n} %`, ticks: 5 },
    y: { domain: names, label: null, tickSize: 0 },
    opacity: { range: [0.3, 1] },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      Plot.dot(dots, {
        x: "change",
        y: "name",
        fill: "var(--accent)",
        fillOpacity: "round",
        r: 4,
        stroke: (d: { status: string }) => d.status === "ok" ? "none" : "var(--bad)",
        strokeWidth: 2,
        tip: true,
        title: (d: (typeof dots)[number]) =>
          `${d.name}\nround ${d.round}: ${formatRate(d.rate)} req/s${d.status === "ok" ? "" : `, ${d.status}`}`,
      }),
    ],
  });
}

/** The histogram of one cell: how often each latency was seen. */
export function histogramChart({ histogram }: CellEvidence, card: CellCard, width: number) {
  const { from, counts } = histogram;
  if (counts.length === 0) return null;
  const bars = counts.map((count, place) => ({
    from: 10 ** ((from + place) / BINS_PER_DECADE),
    to: 10 ** ((from + place + 1) / BINS_PER_DECADE),
    count,
  })).filter(({ count }) => count > 0);
  const lines = ([["p50", card.p50_us], ["p90", card.p90_us], ["p99", card.p99_us]] as const).flatMap(([name, us]) =>
    us === null ? [] : [{ name, us }]
  );
  return Plot.plot({
    width,
    height: 190,
    marginLeft: 52,
    ariaLabel: "Histogram of service times",
    x: {
      type: "log",
      label: "service time",
      tickFormat: (n: number) => /^1/.test(n.toExponential()) ? formatUs(n) : "",
    },
    y: { label: "requests", grid: true, tickFormat: (n: number) => n >= 1_000 ? formatRate(n) : String(n), ticks: 4 },
    marks: [
      Plot.rectY(bars, { x1: "from", x2: "to", y: "count", fill: "var(--accent)", insetLeft: 0.5 }),
      Plot.ruleX(lines, { x: "us", stroke: "currentColor", strokeDasharray: "3,3" }),
      Plot.text(lines, { x: "us", text: "name", frameAnchor: "top", dy: -8, fill: "currentColor" }),
    ],
  });
}
