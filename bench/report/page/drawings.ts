/** The drawings of charts: each a list of marks of Observable Plot. */
import * as Plot from "@observablehq/plot";
import { isLowerBound } from "../../judge/bound.ts";
import { placeOn, textOf } from "../../record/cell.ts";
import type { PlanAxis } from "../../record/cell-schema.ts";
import { formatRate, formatUs } from "../../basics/units.ts";
import { isLogarithmic, textsOf } from "../layout.ts";
import { paint } from "../look.ts";
import { type MetricKey, metricOf } from "../metrics.ts";
import {
  BELOW,
  type ChartScene,
  exact,
  formatCpu,
  groupsOf,
  isFar,
  panelsOf,
  rowsOf,
  scalesOf,
  type Spot,
  spotTitle,
  ticks,
  withGaps,
} from "./chart-look.ts";
import { drawn } from "./drawn.ts";
import { endLabels } from "./end-labels.ts";
import { type BinnedHistogram, BINS_PER_DECADE, evidenceOf, type ShownRun } from "./page-data.ts";
import { TIPS } from "./paper.ts";

/** A spot with what somebody else published of it. */
export type Published = Spot & { readonly published: { readonly value: number; readonly source: string } };

const rateOf = ({ card }: Spot) => card.requests_per_second;

/** Rates over the scale: a line for each combination of the other axes. */
export function scaling(axis: PlanAxis, scene: ChartScene, published: readonly Published[], width: number) {
  const { spots, colours } = scene;
  if (spots.length === 0) return null;
  const { channels, options, panel } = panelsOf(scene, spots, width);
  const x = ({ card }: Spot) => card.cell.point.at[axis.name]!;
  const lines = [...Map.groupBy(spots, ({ line }) => line).values()];
  const place = ({ card }: Spot) => placeOn(axis, card.cell.point.at);
  const ends = lines.map((own) => own.reduce((last, spot) => place(spot) > place(last) ? spot : last));
  const names = endLabels(scene, ends, { channels, panel, y: rateOf });
  const values = axis.values.map(({ value }) => value).filter((value) => spots.some((spot) => x(spot) === value));
  const numeric = values.every((value) => typeof value === "number");
  const placed = { x, stroke: "colour", ...channels };
  const { color, symbol } = scalesOf(colours);
  return drawn({
    ...options,
    ariaLabel: `Requests per second over ${axis.title}`,
    x: {
      ...(!numeric ? { type: "point", domain: values } : isLogarithmic(values) ? { type: "log" } : {}),
      label: axis.unit ?? axis.title,
      ticks: numeric && values.length > 6 ? 5 : values,
      tickFormat: (value: string | number) => textOf(axis, { [axis.name]: value }),
      insetLeft: 16,
      insetRight: Math.max(16, names.room),
      ...BELOW,
    },
    y: { type: "log", label: "req/s", tickFormat: ticks(formatRate) },
    color,
    symbol,
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
        symbol: "colour",
        strokeWidth: 1.5,
        r: 4,
        fill: ({ card, colour }: Spot) => isLowerBound(card.bound) ? "var(--page)" : paint(colours.get(colour)),
        title: spotTitle,
        tip: TIPS,
      }),
      ...names.marks,
    ],
  });
}

/** The 99th percentile over rates that were due: a line for each combination of the other axes, hollow by the sender's clock. */
export function waitsOver(axis: PlanAxis, scene: ChartScene, width: number) {
  const due = ({ card }: Spot) => card.p99_us;
  const sent = ({ card }: Spot) => card.open_loop?.sender_p99_us ?? null;
  const spots = scene.spots.filter(({ card }) => card.open_loop !== undefined);
  const [byDue, bySender] = [due, sent].map((of) => spots.filter((spot) => of(spot) !== null));
  if (byDue!.length + bySender!.length === 0) return null;
  const { channels, options } = panelsOf(scene, spots, width);
  const placed = { x: ({ card }: Spot) => card.cell.point.at[axis.name]!, stroke: "colour", ...channels };
  const dots = { ...placed, symbol: "colour", strokeWidth: 1.5, r: 4, tip: TIPS } as const;
  const told = (of: (spot: Spot) => number | null, clock: string) => (spot: Spot) =>
    `${spot.name}\np99 ${formatUs(of(spot)!)} ${clock}`;
  return drawn({
    ...options,
    ariaLabel: "99th percentile over the rate that was due",
    x: { label: "requests a second that were due", tickFormat: exact(formatRate), inset: 16, ...BELOW },
    y: { type: "log", label: "p99", tickFormat: ticks(formatUs, /^[125]/) },
    ...scalesOf(scene.colours),
    marks: [
      Plot.line(byDue!, { ...placed, y: due, z: "line" }),
      Plot.dot(bySender!, { ...dots, y: sent, fill: "var(--page)", title: told(sent, "by the sender's clock") }),
      Plot.dot(byDue!, { ...dots, y: due, fill: "colour", title: told(due, "from when it was due") }),
    ],
  });
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999];
/** Width that the name of a share takes, in pixels. */
const SHARE_NAME = 56;
const NAMED_SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

const totalOf = ({ counts }: BinnedHistogram) => counts.reduce((sum, count) => sum + count, 0);

/** Latency in microseconds at a share of requests: the middle of its bin on the bins' logarithmic scale. NaN without requests. */
export function latencyAt(histogram: BinnedHistogram, share: number): number {
  const wanted = Math.max(1, share * totalOf(histogram));
  let seen = 0;
  const place = histogram.counts.findIndex((count) => (seen += count) >= wanted);
  return place < 0 ? Number.NaN : 10 ** ((histogram.from + place + 0.5) / BINS_PER_DECADE);
}

/** Latencies of a spot at some shares of its requests; a share is told only where at least ten were slower: less is chance. */
export function sharesOf(spot: Spot, shown: ShownRun) {
  const histogram = evidenceOf(shown, spot.name)?.histogram ?? { from: 0, counts: [] };
  const count = totalOf(histogram);
  return SHARES.filter((share) => count * (1 - share) >= 10)
    .map((share) => ({ ...spot, share, step: -Math.log10(1 - share), us: latencyAt(histogram, share) }));
}

/** Service time over the share of requests served by then; a step to the right leaves a tenth of them. */
export function percentiles(scene: ChartScene, shown: ShownRun, width: number) {
  const points = scene.focus.flatMap((spot) => sharesOf(spot, shown));
  if (points.length === 0) return null;
  const { channels, options, panel } = panelsOf({ ...scene, scale: scene.layout.scale }, scene.focus, width);
  const placed = { x: "step", y: "us", ...channels };
  const farthest = Math.max(...points.map(({ step }) => step));
  const ends = [...Map.groupBy(points, ({ line }) => line).values()].map((own) => own.at(-1)!);
  const names = endLabels(scene, ends, { channels, panel, y: ({ us }) => us });
  const wide = (panel.width - names.room) / farthest;
  const named = NAMED_SHARES.map((share) => -Math.log10(1 - share)).filter((step) => step <= farthest + 0.01)
    .reduceRight<number[]>(
      (kept, step) => (kept[0] ?? Infinity) - step < SHARE_NAME / wide ? kept : [step, ...kept],
      [],
    );
  return drawn({
    ...options,
    ariaLabel: "Service time by share of requests",
    x: {
      label: "share of requests served by then",
      domain: [0, farthest],
      ticks: named,
      tickFormat: (step: number) => `${Number((100 * (1 - 10 ** -step)).toFixed(2))} %`,
      insetLeft: 6,
      insetRight: Math.max(6, names.room),
      ...BELOW,
    },
    y: { type: "log", label: "service time", tickFormat: ticks(formatUs) },
    ...scalesOf(scene.colours),
    marks: [
      Plot.line(points, { ...placed, stroke: "colour", z: "line" }),
      Plot.dot(points, {
        ...placed,
        fill: "colour",
        symbol: "colour",
        r: 2.6,
        tip: TIPS,
        title: ({ name, share, us }: (typeof points)[number]) =>
          `${name}\n${Number((100 * share).toFixed(2))} % within ${formatUs(us)}`,
      }),
      ...names.marks,
    ],
  });
}

/**
 * CPU time of a request: a row for each value of the one contrast, in it a dot for each of the other, the least first;
 * what is not compared stands apart.
 */
export function costs(scene: ChartScene, width: number) {
  const { focus, layout, colours, facets, apart } = scene;
  const known = focus.filter(({ card }) => (card.cpu_ns_per_request ?? 0) > 0);
  if (known.length === 0) return null;
  const cost = ({ card }: Spot) => card.cpu_ns_per_request!;
  const { colour } = layout;
  const rowText = ({ card }: Spot) =>
    textsOf(layout, [...apart, ...(colour === null ? [] : [colour])], card.cell).join(" ");
  const groups = groupsOf(scene, known).map(({ spots }) =>
    [...Map.groupBy(spots, rowText)].toSorted(([, a], [, b]) => Math.min(...a.map(cost)) - Math.min(...b.map(cost)))
  );
  const rows = groups.flat();
  const looks = layout.facet === null ? colours : facets;
  const most = Math.max(...known.map(cost)), least = Math.min(...known.map(cost));
  const far = isFar(known.map(cost));
  const key = layout.facet === null ? "colour" : "facet";
  return drawn({
    ...rowsOf(withGaps(groups.map((own) => own.map(([text]) => [text, text]))), width),
    marginRight: 30,
    grid: true,
    ariaLabel: "CPU time per request",
    x: {
      ...(far ? { type: "log" } : {}),
      label: "CPU time for a request",
      ...(far ? { tickFormat: ticks(formatCpu, most > 100 * least ? /^1/ : /^[125]/) } : {
        domain: [0, most],
        ticks: Math.max(3, Math.floor(width / 160)),
        tickFormat: exact(formatCpu),
      }),
      ...BELOW,
    },
    ...scalesOf(looks),
    marks: [
      Plot.ruleY(rows, {
        y: ([text]: (typeof rows)[number]) => text,
        x1: ([, own]: (typeof rows)[number]) => Math.min(...own.map(cost)),
        x2: ([, own]: (typeof rows)[number]) => Math.max(...own.map(cost)),
        stroke: "currentColor",
        strokeOpacity: 0.35,
      }),
      Plot.dot(known, {
        x: cost,
        y: rowText,
        fill: key,
        symbol: key,
        r: 5,
        tip: TIPS,
        title: (spot: Spot) => `${spotTitle(spot)}\n${formatCpu(cost(spot))} CPU per request`,
      }),
    ],
  });
}

/** Bars of one metric, the best first; what is not compared stands apart. */
export function bars(
  spots: readonly Spot[],
  key: MetricKey,
  scene: ChartScene,
  width: number,
  published: readonly Published[] = [],
) {
  const { layout, colours } = scene;
  const { format, better } = metricOf(key);
  const value = ({ card }: Spot) => card[key];
  const groups = groupsOf(scene, spots.filter((spot) => value(spot) !== null)).map((group) =>
    group.spots.toSorted((a, b) => better === "higher" ? value(b)! - value(a)! : value(a)! - value(b)!)
  );
  const known = groups.flat();
  const most = Math.max(0, ...known.map((spot) => value(spot)!), ...published.map(({ published }) => published.value));
  if (most === 0) return null;
  const { rows, columns, scale } = layout;
  const axes = columns === null || columns === scale ? rows : [...rows, columns];
  return drawn({
    ...rowsOf(
      withGaps(groups.map((own) => own.map(({ name, card }) => [name, textsOf(layout, axes, card.cell).join(" ")]))),
      width,
    ),
    marginRight: 76,
    marginTop: 4,
    marginBottom: 8,
    ariaLabel: metricOf(key).title,
    x: { label: null, domain: [0, most], axis: null },
    color: scalesOf(colours).color,
    marks: [
      Plot.barX(known, { x: value, y: "name", fill: "colour", insetTop: 3, insetBottom: 3 }),
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
