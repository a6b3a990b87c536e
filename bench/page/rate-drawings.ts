/** Drawings of latency over rates, and of closed loops over their connections, as marks of Observable Plot. */
import * as Plot from "@observablehq/plot";
import { counted, formatRate, formatUs, type Limit } from "../basics/units.ts";
import type { LatencyCell } from "../record/latency-schema.ts";
import type { LatencySpot } from "../report/latency-spots.ts";
import { type Look, paint } from "../report/look.ts";
import { BELOW, exact, ticks } from "./chart-look.ts";
import { drawn } from "./drawn.ts";

type Row = LatencyCell["connections"][number];

/** The limit of a search, as it is drawn. */
type DrawnLimit = Pick<Limit, "us" | "text">;

/** The look of each kind of point, in the order of the legend. */
export const KINDS: Readonly<Record<LatencySpot["kind"] | "sent", { readonly text: string; readonly look: Look }>> = {
  rate: { text: "median over windows", look: { colour: 3, shape: "circle" } },
  sent: { text: "the same by the sender's clock", look: { colour: 2, shape: "diamond" } },
  holds: { text: "step that holds the limit", look: { colour: 4, shape: "triangle" } },
  fails: { text: "step that does not", look: { colour: 1, shape: "cross" } },
  unknown: { text: "step that was not judged", look: { colour: 5, shape: "wye" } },
};

/** A figure of a closed loop, and how it looks. */
export interface Figure {
  readonly key: "requests_per_second" | "p50_us" | "p99_us";
  readonly text: string;
  readonly look: Look;
}

const frame = (width: number) => ({
  ...{ width, height: 300, marginLeft: 62, marginTop: 34, marginBottom: 46, marginRight: 24, grid: true },
});

const latencies = { type: "log", label: "latency", tickFormat: ticks(formatUs, /^[125]/) } as const;

/** A dot for each point in one look, with its evidence as a tooltip. */
const dots = (spots: readonly LatencySpot[], look: Look, y: "us" | "sentUs") =>
  Plot.dot(spots, {
    ...{ x: "perSecond", y, symbol: look.shape, fill: paint(look), stroke: paint(look), r: 4.5 },
    title: ({ text, dropped, sentUs }: LatencySpot) =>
      text + (dropped === null ? "" : `\n${dropped} never sent`) +
      (sentUs === null ? "" : `\nby the sender's clock ${formatUs(sentUs)}`),
  });

/** Latency over the rate that was due: every point, the limit as a level, the knee and the closed loop's rate upright. */
export function waits(
  cell: Pick<LatencyCell, "knee" | "capacity_per_second">,
  spots: readonly LatencySpot[],
  limit: DrawnLimit | null,
  width: number,
) {
  if (spots.length === 0) return null;
  const knee = cell.knee?.per_second ?? null;
  const capacity = cell.capacity_per_second;
  const most = Math.max(...spots.map(({ perSecond }) => perSecond), knee ?? 0, capacity ?? 0);
  const upright = (rate: number | null, text: string, dashes: string, frameAnchor: "top" | "bottom") =>
    rate === null ? [] : [
      Plot.ruleX([rate], { stroke: "currentColor", strokeDasharray: dashes }),
      Plot.text([rate], { x: Plot.identity, text: () => text, frameAnchor, dy: -8 }),
    ];
  return drawn({
    ...frame(width),
    ariaLabel: "Latency over the rate that was due",
    x: { label: "requests a second that were due", domain: [0, 1.05 * most], tickFormat: exact(formatRate), ...BELOW },
    y: latencies,
    marks: [
      ...upright(knee, "knee", "5,3", "top"),
      ...upright(capacity, "closed loop", "1,4", "bottom"),
      ...(limit === null ? [] : [
        Plot.ruleY([limit.us], { stroke: paint(KINDS.fails.look), strokeDasharray: "5,3" }),
        Plot.text([limit], { y: "us", text: "text", frameAnchor: "left", textAnchor: "start", dx: 4, dy: -7 }),
      ]),
      Plot.line(spots.filter(({ kind, us }) => kind !== "unknown" && us !== null), {
        ...{ x: "perSecond", y: "us", sort: { channel: "x" }, stroke: "currentColor", strokeOpacity: 0.45 },
      }),
      Plot.ruleX(spots.filter(({ interval }) => interval !== null), {
        ...{ x: "perSecond", stroke: paint(KINDS.rate.look), strokeWidth: 2 },
        y1: ({ interval }: LatencySpot) => interval!.low_us,
        y2: ({ interval }: LatencySpot) => interval!.high_us,
      }),
      dots(spots.filter(({ sentUs }) => sentUs !== null), KINDS.sent.look, "sentUs"),
      ...(["rate", "holds", "fails", "unknown"] as const).map((kind) =>
        dots(spots.filter((spot) => spot.kind === kind && spot.us !== null), KINDS[kind].look, "us")
      ),
    ],
  });
}

/** Figures of a closed loop over its connections: a line for each that all rows have. */
export function overConnections(all: readonly Row[], figures: readonly Figure[], width: number) {
  const rows = all.filter((row) => figures.every(({ key }) => (row[key] ?? 0) > 0));
  if (rows.length === 0) return null;
  const isRate = figures[0]!.key === "requests_per_second";
  return drawn({
    ...frame(width),
    ariaLabel: `${isRate ? "Requests a second" : "Latency"} over connections`,
    x: {
      type: "log",
      label: "connections",
      ticks: rows.map(({ connections }) => connections),
      tickFormat: String,
      ...BELOW,
    },
    y: isRate ? { label: "req/s", zero: true, tickFormat: formatRate } : latencies,
    marks: figures.flatMap(({ key, look }) => [
      Plot.line(rows, { x: "connections", y: key, stroke: paint(look) }),
      Plot.dot(rows, {
        ...{ x: "connections", y: key, symbol: look.shape, fill: paint(look), r: 4 },
        title: (row: Row) =>
          `${counted(row.connections, "connection")}: ${formatRate(row.requests_per_second ?? 0)} req/s, p50 ${
            formatUs(row.p50_us ?? 0)
          }, p99 ${formatUs(row.p99_us ?? 0)}`,
      }),
    ]),
  });
}
