/** Longer than a page because each chart is a list of marks; all share one way to name, colour and place cells. */
import type * as PlotModule from "@observablehq/plot";
import { AA, matches, placeOn, placeText, textOf } from "../../core/cell.ts";
import type { PlanAxis } from "../../core/cell-schema.ts";
import type { CellCard } from "../../core/result/cell-card.ts";
import { formatRate, formatUs } from "../../core/units.ts";
import { byPlaces, contrastText, isLogarithmic, type Layout, layoutOf, textsOf } from "../layout.ts";
import { type MetricKey, metricOf, rateText } from "../metrics.ts";
import { type BinnedHistogram, BINS_PER_DECADE, type CellEvidence, evidenceOf, type ShownRun } from "./page-data.ts";

/** The library, which stands in the page before this script. */
declare const Plot: typeof PlotModule;

/** A chart: a question, what answers it, and how to read it. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** Whether it takes the whole width of a wide page. */
  readonly wide: boolean;
  /** Null when there is nothing to draw. */
  readonly draw: (width: number) => SVGSVGElement | HTMLElement | null;
}

/** Bars of one metric: id of the chart, metric, question, note. */
const BARS: readonly (readonly [string, MetricKey, string, string])[] = [
  [
    "memory",
    "peak_rss_bytes",
    "How much memory does it take",
    "Peak resident memory of the server, median over rounds.",
  ],
  [
    "startup",
    "startup_ms",
    "How long until the first reply",
    "Process start until it listens, opening its files included.",
  ],
  ["disk", "disk_bytes", "How large are its files on disk", "Bytes of the files it serves from."],
];

/** All charts of some cards of a run, in the order they are read. */
export function chartsOf(shown: ShownRun, shownCards: readonly CellCard[]): Chart[] {
  const layout = layoutOf(shown.run.plan);
  const look = lookOf(layout, shown.cells);
  const axes = layout.columns === null ? layout.rows : [...layout.rows, layout.columns];
  const measured = shownCards.filter((card) => card.requests_per_second !== null).toSorted(byPlaces(axes));
  const cards = measured.filter(({ cell }) => cell.label !== AA);
  const { scale } = layout;
  const farthest = scale && Math.max(...cards.map(({ cell }) => placeOn(scale, cell.point.at)));
  const atEnd = ({ cell }: CellCard) => scale === null || placeOn(scale, cell.point.at) === farthest;
  const focus = cards.filter(atEnd);
  const at = scale === null || focus.length === 0 ? "" : ` at ${placeText([scale], focus[0]!.cell.point.at)}`;
  const published = shown.run.plan.expectations.flatMap((one) =>
    one.kind === "published" && one.metric === "requests_per_second"
      ? cards.filter(({ cell }) => matches(cell.point.at, one.at)).map((card) => ({ ...look.of(card), published: one }))
      : []
  );
  const sources = [...new Set(published.map(({ published }) => published.source))].join("; ");
  const dotted = sources === ""
    ? ""
    : ` Dotted: published rates, ${sources}; a shape to compare with, another machine.`;
  const limits = "cells that the load generator limited can do more (“≥”).";
  const last = scale === null ? "" : " Like memory, start-up and disk below it shows the last value chosen above.";
  const spots = focus.map(look.of);
  return [
    scale === null
      ? {
        id: "rates",
        title: "How many requests a second?",
        note: `Medians over rounds; ${limits}${dotted}`,
        wide: true,
        draw: (width) => bars(spots, "requests_per_second", look, width, published),
      }
      : {
        id: "scaling",
        title: `How does the rate change with ${scale.title}?`,
        note: `Bars are 95 % intervals, points are hollow where ${limits}${dotted}`,
        wide: true,
        draw: (width) => scaling(scale, cards.map(look.of), published, look, width),
      },
    {
      id: "latency",
      title: `How long do requests take${at}?`,
      note:
        "Service times under full load, all rounds together, the raw histogram; the axis stretches towards the slowest " +
        `requests.${last}`,
      wide: true,
      draw: (width) => percentiles(spots, shown, look, width),
    },
    {
      id: "cpu",
      title: "Who serves more with less CPU?",
      note:
        "To the upper left is better. Where a server is the limit both say the same; where points leave the line, something else was waited for.",
      wide: false,
      draw: (width) => cpuAgainstRate(cards.map(look.of), look, width),
    },
    ...BARS.map(([id, metric, title, note]): Chart => ({
      id,
      title: `${title}${at}?`,
      note,
      wide: false,
      draw: (width) => bars(spots, metric, look, width),
    })),
    {
      id: "rounds",
      title: "How noisy was it, and did it drift?",
      note:
        "Each dot is one round's rate against the median of its cell, darker the later. A cell measured twice (A/A) shows what noise alone does.",
      wide: true,
      draw: (width) => strip(measured.filter((card) => atEnd(card) || card.cell.label === AA), shown, width),
    },
  ];
}

/** A card with what places it in a chart. */
interface Spot {
  readonly card: CellCard;
  readonly name: string;
  /** Texts on the axes that colours and symbols tell apart. */
  readonly colour: string;
  readonly symbol: string;
  /** Equal for points of one line: all that the scale does not tell apart. */
  readonly line: string;
}

type Published = Spot & { readonly published: { readonly value: number; readonly source: string } };

/** How cells are told apart: one contrast axis has colours, another panels and symbols. */
type Look = ReturnType<typeof lookOf>;

/** Colours the page has; more values than that share the wheel. */
const COLOURS = 7;
const SYMBOLS = ["circle", "square", "triangle", "diamond2", "cross"] as const;

function lookOf(layout: Layout, cards: readonly CellCard[]) {
  const { colour, facet, scale } = layout;
  const text = (axis: PlanAxis | null, { cell }: CellCard) => axis === null ? "" : textOf(axis, cell.point.at);
  const domain = (axis: PlanAxis | null) => {
    const seen = new Set(cards.map((card) => text(axis, card)));
    const planned = axis === null ? [] : axis.values.map((value) => value.text).filter((each) => seen.delete(each));
    return [...planned, ...seen];
  };
  const fixed = layout.conditions.filter((axis) => axis !== scale);
  const colours = domain(colour), symbols = domain(facet);
  const paint = (n: number) =>
    colours.length <= COLOURS ? `var(--s${n + 1})` : `hsl(${Math.round(360 * n / colours.length)} 62% 47%)`;
  return {
    layout,
    of: (card: CellCard): Spot => ({
      card,
      name: card.name,
      colour: text(colour, card),
      symbol: text(facet, card),
      line: JSON.stringify([placeText(fixed, card.cell.point.at), contrastText(layout, card.cell)]),
    }),
    color: { domain: colours, range: colours.map((_, n) => paint(n)), legend: colours.length > 1 },
    symbol: {
      domain: symbols,
      range: symbols.map((_, n) => SYMBOLS[n % SYMBOLS.length]!),
      legend: symbols.length > 1,
    },
  };
}

const WIDE = 640;
/** Panels side by side that can still be read on a wide page. */
const PANELS = 5;

/**
 * Panels: a contrast axis side by side on a wide page and one below the other on a narrow one; conditions of several values
 * one below the other. Gives the channels that place a spot in its panel, and what the plot must know of them.
 */
function panelsOf({ layout: { facet, conditions, scale } }: Look, spots: readonly Spot[], width: number) {
  const down = conditions.filter((axis) => axis !== scale && axis.values.length > 1);
  const text = (axes: readonly PlanAxis[]) => ({ card }: Spot) => placeText(axes, card.cell.point.at);
  const domain = (axes: readonly PlanAxis[]) => ({ domain: [...new Set(spots.map(text(axes)))], label: null });
  const beside = facet !== null && width >= WIDE && domain([facet]).domain.length <= PANELS ? [facet] : [];
  const below = beside.length > 0 || facet === null ? down : [facet, ...down];
  const labels = below.length === 0 ? [] : domain(below).domain;
  return {
    channels: {
      ...(beside.length > 0 ? { fx: text(beside) } : {}),
      ...(below.length > 0 ? { fy: text(below) } : {}),
    },
    options: {
      width,
      height: 60 + (width >= WIDE && labels.length <= 1 ? 260 : 200) * Math.max(1, labels.length),
      marginLeft: 52,
      marginRight: Math.min(170, Math.max(20, 7 * Math.max(0, ...labels.map(({ length }) => length)) + 16)),
      ...(beside.length > 0 ? { fx: domain(beside) } : {}),
      ...(below.length > 0 ? { fy: domain(below) } : {}),
      grid: true,
    },
  };
}

/** Ticks of a logarithmic axis: only those that begin with certain digits are named. */
const ticks = (format: (value: number) => string, digits = /^1/) => (value: number) =>
  digits.test(value.toExponential()) ? format(value) : "";

const spotTitle = ({ card }: Spot) =>
  `${card.name}\n${rateText(card)}${card.status === "ok" ? "" : `\n${card.status}`}`;
const rateOf = ({ card }: Spot) => card.requests_per_second;

function scaling(axis: PlanAxis, spots: readonly Spot[], published: readonly Published[], look: Look, width: number) {
  if (spots.length === 0) return null;
  const { channels, options } = panelsOf(look, spots, width);
  const x = ({ card }: Spot) => card.cell.point.at[axis.name]!;
  const values = axis.values.map(({ value }) => value).filter((value) => spots.some((spot) => x(spot) === value));
  const numeric = values.every((value) => typeof value === "number");
  const placed = { x, stroke: "colour", ...channels };
  const paint = new Map(look.color.domain.map((text, n) => [text, look.color.range[n]!]));
  return Plot.plot({
    ...options,
    ariaLabel: `Requests per second over ${axis.title}`,
    x: {
      ...(!numeric ? { type: "point", domain: values } : isLogarithmic(values) ? { type: "log" } : {}),
      label: axis.unit ?? axis.title,
      ticks: numeric && values.length > 6 ? 5 : values,
      tickFormat: (value: string | number) => textOf(axis, { [axis.name]: value }),
      inset: 14,
    },
    y: { type: "log", label: "req/s", tickFormat: ticks(formatRate) },
    color: look.color,
    marks: [
      Plot.line(published, {
        ...placed,
        y: ({ published }: Published) => published.value,
        z: "line",
        strokeDasharray: "1,4",
        strokeLinecap: "round",
        sort: { channel: "x" },
      }),
      Plot.dot(published, { ...placed, y: ({ published }: Published) => published.value, symbol: "times", r: 2.5 }),
      Plot.line(spots, { ...placed, y: rateOf, z: "line" }),
      Plot.ruleX(spots.filter(({ card }) => card.requests_per_second_interval !== null), {
        ...placed,
        y1: ({ card }: Spot) => card.requests_per_second_interval!.low,
        y2: ({ card }: Spot) => card.requests_per_second_interval!.high,
        strokeWidth: 2,
      }),
      Plot.dot(spots, {
        ...placed,
        y: rateOf,
        strokeWidth: 1.5,
        r: 3.5,
        fill: ({ card, colour }: Spot) => card.bound === "generator" ? "var(--page)" : paint.get(colour)!,
        title: spotTitle,
        tip: true,
      }),
    ],
  });
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

function percentiles(spots: readonly Spot[], shown: ShownRun, look: Look, width: number) {
  const points = spots.flatMap((spot) => {
    const histogram = evidenceOf(shown, spot.name)?.histogram ?? { from: 0, counts: [] };
    const count = totalOf(histogram);
    // A share is told only where at least ten requests were slower: less is chance.
    return SHARES.filter((share) => count * (1 - share) >= 10)
      .map((share) => ({ ...spot, share, tail: 1 - share, us: latencyAt(histogram, share) }));
  });
  if (points.length === 0) return null;
  const { channels, options } = panelsOf(look, spots, width);
  const placed = { x: "tail", y: "us", ...channels };
  return Plot.plot({
    ...options,
    ariaLabel: "Service time by share of requests",
    x: {
      type: "log",
      reverse: true,
      label: "share of requests served by then",
      ticks: [0.5, 0.1, 0.01, 0.001, 0.0001],
      tickFormat: (tail: number) => `${Number((100 * (1 - tail)).toFixed(2))} %`,
    },
    y: { type: "log", label: "service time", tickFormat: ticks(formatUs) },
    color: look.color,
    marks: [
      Plot.line(points, { ...placed, stroke: "colour", z: "line" }),
      Plot.dot(points, {
        ...placed,
        fill: "colour",
        r: 2,
        tip: true,
        title: ({ name, share, us }: (typeof points)[number]) =>
          `${name}\n${Number((100 * share).toFixed(2))} % within ${formatUs(us)}`,
      }),
    ],
  });
}

function cpuAgainstRate(spots: readonly Spot[], look: Look, width: number) {
  const known = spots.filter(({ card }) => card.cpu_ns_per_request !== null);
  if (known.length === 0) return null;
  // The line is drawn through what was measured; it must not decide what is shown.
  const around = (values: readonly number[]) => [Math.min(...values) / 1.6, Math.max(...values) * 1.6];
  const cost = ({ card }: Spot) => card.cpu_ns_per_request!;
  const costs = around(known.map(cost));
  const digits = costs[1]! / costs[0]! < 100 ? /^[125]/ : /^1/;
  const formatCpu = (ns: number) => formatUs(ns / 1_000);
  return Plot.plot({
    width,
    height: 340,
    marginLeft: 56,
    grid: true,
    ariaLabel: "Requests per second against CPU time per request",
    x: { type: "log", label: "CPU time per request", domain: costs, tickFormat: ticks(formatCpu, digits) },
    y: {
      type: "log",
      label: "req/s",
      domain: around(known.map((spot) => rateOf(spot)!)),
      tickFormat: ticks(formatRate, digits),
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
        x: cost,
        y: rateOf,
        stroke: "colour",
        symbol: "symbol",
        r: 5,
        strokeWidth: 1.8,
        tip: true,
        title: (spot: Spot) => `${spotTitle(spot)}\n${formatCpu(cost(spot))} CPU per request`,
      }),
    ],
  });
}

/** Rows with names: room for the names, and how they are shortened where they would take more than two fifths. */
function rowsOf(texts: ReadonlyMap<string, string>, width: number) {
  const letters = Math.min(Math.max(...[...texts.values()].map(({ length }) => length)), Math.floor(width / 2.5 / 7));
  const format = (name: string) => {
    const text = texts.get(name)!;
    return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
  };
  return {
    width,
    height: 46 + 22 * texts.size,
    marginLeft: 7 * letters + 12,
    y: { domain: [...texts.keys()], label: null, tickSize: 0, tickFormat: format },
  };
}

function bars(
  spots: readonly Spot[],
  key: MetricKey,
  look: Look,
  width: number,
  published: readonly Published[] = [],
) {
  const { format } = metricOf(key);
  const value = ({ card }: Spot) => card[key];
  const known = spots.filter((spot) => value(spot) !== null);
  const most = Math.max(0, ...known.map((spot) => value(spot)!), ...published.map(({ published }) => published.value));
  if (most === 0) return null;
  const { rows, columns, scale } = look.layout;
  const axes = columns === null || columns === scale ? rows : [...rows, columns];
  return Plot.plot({
    ...rowsOf(new Map(known.map(({ name, card }) => [name, textsOf(look.layout, axes, card.cell).join(" ")])), width),
    marginRight: 68,
    ariaLabel: key.replaceAll("_", " "),
    x: { label: null, domain: [0, most], axis: null },
    color: { ...look.color, legend: false },
    marks: [
      Plot.barX(known, { x: value, y: "name", fill: "colour", insetTop: 2, insetBottom: 2 }),
      Plot.tickX(published, {
        x: ({ published }: Published) => published.value,
        y: "name",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeDasharray: "2,2",
        title: ({ published }: Published) => `${format(published.value)} req/s, ${published.source}`,
      }),
      Plot.text(known, {
        x: value,
        y: "name",
        text: (spot: Spot) => format(value(spot)!),
        textAnchor: "start",
        dx: 5,
        fill: "currentColor",
      }),
    ],
  });
}

function strip(cards: readonly CellCard[], shown: ShownRun, width: number) {
  const dots = cards.flatMap(({ name, requests_per_second: middle }) =>
    (evidenceOf(shown, name)?.rounds ?? []).flatMap(({ round, status, requests_per_second: rate }) =>
      rate === null || !middle ? [] : [{ name, round: round + 1, status, change: 100 * (rate / middle - 1), rate }]
    )
  );
  if (dots.length === 0) return null;
  const place = ({ cell }: CellCard) => cards.findIndex((other) => matches(other.cell.point.at, cell.point.at));
  const texts = new Map(
    cards.toSorted((a, b) => place(a) - place(b))
      .map(({ name, cell }) => [name, cell.label === AA ? `A/A ${name}` : name]),
  );
  type Dot = (typeof dots)[number];
  return Plot.plot({
    ...rowsOf(texts, width),
    grid: true,
    ariaLabel: "Rate of each round against the median of its cell",
    x: { label: "difference from the cell's median", tickFormat: (n: number) => `${n > 0 ? "+" : ""}${n} %`, ticks: 5 },
    opacity: { range: [0.3, 1] },
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
        tip: true,
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
    x: { type: "log", label: "service time", tickFormat: ticks(formatUs) },
    y: { label: "requests", grid: true, tickFormat: (n: number) => n >= 1_000 ? formatRate(n) : String(n), ticks: 4 },
    marks: [
      Plot.rectY(bars, { x1: "from", x2: "to", y: "count", fill: "var(--accent)", insetLeft: 0.5 }),
      Plot.ruleX(lines, { x: "us", stroke: "currentColor", strokeDasharray: "3,3" }),
      Plot.text(lines, { x: "us", text: "name", frameAnchor: "top", dy: -8, fill: "currentColor" }),
    ],
  });
}
