/** The drawings of what changes along an axis: a line for each combination of the other axes, in panels. */
import * as Plot from "#plot";
import { formatRate, formatUs } from "../basics/units.ts";
import { isLowerBound } from "../judge/bound.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { textOf } from "../record/cell.ts";
import { isLogarithmic } from "../report/layout.ts";
import { lookColour } from "../report/look.ts";
import { countOf, percentileUs } from "../statistics/latency-histogram.ts";
import { chartPanelsOf, type ChartScene, logTicks, NAME_BELOW, type Spot } from "./chart-look.ts";
import { chartPicture } from "./drawn.ts";
import { latenciesOf } from "./evidence.ts";
import type { ShownRun } from "./shown-run.ts";

interface Lines<T extends Spot> {
  readonly label: string;
  readonly x: (point: T) => number | string;
  readonly y: (point: T) => number | null;
  /** The axes; that from left to right by the pixels it has. */
  readonly along: (room: number) => Plot.ScaleOptions;
  readonly up: Plot.ScaleOptions;
  readonly dots: Plot.DotOptions;
  /** Marks below the lines, with the same scales. */
  readonly below?: (shared: object) => Plot.Markish[];
}

function lines<T extends Spot>(scene: ChartScene, points: readonly T[], width: number, series: Lines<T>) {
  if (points.length === 0) return null;
  const { label, x, y, along, up, dots, below } = series;
  const { channels, options, panelWidth } = chartPanelsOf(scene, points, width);
  const shared = { x, stroke: "colour", ...channels };
  const domain = [...scene.colours.keys()];
  return chartPicture({
    ...options,
    ariaLabel: label,
    x: { insetLeft: 16, insetRight: 16, ...NAME_BELOW, ...along(panelWidth) },
    y: { type: "log", ...up },
    color: { domain, range: domain.map((text) => lookColour(scene.colours.get(text))) },
    symbol: { domain, range: domain.map((text) => scene.colours.get(text)!.shape) },
    marks: [
      ...(below?.(shared) ?? []),
      Plot.line(points, { ...shared, y, z: "line" }),
      Plot.dot(points, { ...shared, y, symbol: "colour", strokeWidth: 1.5, r: 4, ...dots }),
    ],
  });
}

/** Rates over the scale. */
export function scaling(axis: PlanAxis, scene: ChartScene, width: number) {
  const { spots, colours } = scene;
  const x = ({ card }: Spot) => card.cell.point.at[axis.name]!;
  const values = axis.values.map(({ value }) => value).filter((value) => spots.some((spot) => x(spot) === value));
  const numeric = values.every((value) => typeof value === "number");
  return lines(scene, spots, width, {
    label: `${scene.words("Requests per second")} over ${axis.title}`,
    x,
    y: ({ card }) => card.requests_per_second,
    along: () => ({
      ...(!numeric ? { type: "point", domain: values } : isLogarithmic(values) ? { type: "log" } : {}),
      label: axis.unit ?? axis.title,
      ticks: numeric && values.length > 6 ? 5 : values,
      tickFormat: (value: string | number) => textOf(axis, { [axis.name]: value }),
    }),
    up: { label: scene.words("req/s"), tickFormat: logTicks(formatRate) },
    dots: {
      fill: ({ card, colour }: Spot) => isLowerBound(card.bound) ? "var(--page)" : lookColour(colours.get(colour)),
      title: ({ card, rate }: Spot) => `${card.name}\n${rate}${card.status === "ok" ? "" : `\n${card.status}`}`,
    },
    below: (shared) => [
      Plot.ruleX(spots.filter(({ card }) => card.requests_per_second_interval !== null), {
        ...shared,
        y1: ({ card }: Spot) => card.requests_per_second_interval!.low,
        y2: ({ card }: Spot) => card.requests_per_second_interval!.high,
        strokeWidth: 2,
      }),
    ],
  });
}

const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999];
const SHARE_NAME = 56;
const NAMED_SHARES = [0.5, 0.9, 0.99, 0.999, 0.9999];

/** A share as words. */
export const percentText = (share: number): string => `${Number((100 * share).toFixed(2))} %`;

/** Steps along the axis of shares: each to the right leaves a tenth of the requests. */
const stepOf = (share: number) => -Math.log10(1 - share);

/** Latencies of spots at shares of their requests. A share needs at least ten slower requests: fewer are chance. */
export function sharesOf(spots: readonly Spot[], shown: ShownRun) {
  return spots.flatMap((spot) => {
    const latencies = latenciesOf(shown.solos.get(spot.name) ?? []);
    const count = countOf(latencies);
    return SHARES.filter((share) => count * (1 - share) >= 10)
      .map((share) => ({ ...spot, share, us: percentileUs(latencies, share) }));
  });
}

/** Service time over the share of requests served by then. */
export function percentileChart(scene: ChartScene, points: ReturnType<typeof sharesOf>, width: number) {
  const farthest = Math.max(...points.map(({ share }) => stepOf(share)));
  return lines(scene, points, width, {
    label: "Service time by share of requests",
    x: ({ share }) => stepOf(share),
    y: ({ us }) => us,
    along: (room) => ({
      label: "share of requests served by then",
      domain: [0, farthest],
      ticks: NAMED_SHARES.map(stepOf).filter((step) => step <= farthest + 0.01).reduceRight<number[]>(
        (kept, step) => ((kept[0] ?? Infinity) - step) * room / farthest < SHARE_NAME ? kept : [step, ...kept],
        [],
      ),
      tickFormat: (step: number) => percentText(1 - 10 ** -step),
      insetLeft: 6,
    }),
    up: { label: "service time", tickFormat: logTicks(formatUs) },
    dots: {
      ...{ fill: "colour", r: 2.6, strokeWidth: 0 },
      title: ({ name, share, us }: (typeof points)[number]) => `${name}\n${percentText(share)} within ${formatUs(us)}`,
    },
  });
}
