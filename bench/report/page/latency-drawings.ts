/** The drawings of a page about latency at rates, as marks of Observable Plot. */
import * as Plot from "@observablehq/plot";
import { counted, formatRate, formatUs } from "../../basics/units.ts";
import { type LatencyFigures, type LatencySpot, latencySpots } from "../latency-spots.ts";
import { type Look, paint } from "../look.ts";
import { BELOW, exact, ticks } from "./chart-look.ts";
import { drawn } from "./drawn.ts";
import { type DrawnLimit, KINDS, PERCENTILES } from "./latency-look.ts";
import { TIPS } from "./paper.ts";

type Row = LatencyFigures["connections"][number];

const frame = (width: number) => ({
  width,
  height: 300,
  marginLeft: 62,
  marginTop: 34,
  marginBottom: 46,
  marginRight: 24,
  grid: true,
});

const latencies = { type: "log", label: "latency", tickFormat: ticks(formatUs, /^[125]/) } as const;

/** A dot for each of some points in its own look, with its evidence where it is pointed at. */
function dots(spots: readonly LatencySpot[], look: Look, us: (spot: LatencySpot) => number) {
  return Plot.dot(spots, {
    x: "perSecond",
    y: us,
    symbol: look.shape,
    fill: paint(look),
    stroke: paint(look),
    r: 4.5,
    tip: TIPS,
    title: ({ text, dropped, senderUs }: LatencySpot) =>
      [
        text,
        ...(dropped === null ? [] : [`${dropped} never sent`]),
        ...(senderUs === null ? [] : [`by the sender's clock ${formatUs(senderUs)}`]),
      ].join("\n"),
  });
}

/** Latency over the rate that was due: every point, the limit as a level, the knee and the closed loop's rate upright. */
export function waits(cell: LatencyFigures, limit: DrawnLimit | null, width: number) {
  const spots = latencySpots(cell);
  if (spots.length === 0) return null;
  const knee = cell.knee?.per_second ?? null;
  const capacity = cell.capacity_per_second;
  const most = Math.max(...spots.map(({ perSecond }) => perSecond), knee ?? 0, capacity ?? 0);
  const judged = spots.filter(({ kind }) => kind !== "unknown");
  const sender = spots.filter(({ senderUs }) => senderUs !== null);
  const upright = (rate: number | null, text: string, dashes: string, frameAnchor: "top" | "bottom") =>
    rate === null ? [] : [
      Plot.ruleX([rate], { stroke: "currentColor", strokeDasharray: dashes }),
      Plot.text([rate], { x: (x: number) => x, text: () => text, frameAnchor, dy: -8, fill: "currentColor" }),
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
        Plot.text([limit.us], {
          y: (us: number) => us,
          text: () => limit.text,
          frameAnchor: "left",
          textAnchor: "start",
          dx: 4,
          dy: -7,
          fill: "currentColor",
        }),
      ]),
      Plot.line(judged, {
        x: "perSecond",
        y: "us",
        sort: { channel: "x" },
        stroke: "currentColor",
        strokeOpacity: 0.45,
      }),
      Plot.ruleX(spots.filter(({ interval }) => interval !== null), {
        x: "perSecond",
        y1: ({ interval }: LatencySpot) => interval!.low_us,
        y2: ({ interval }: LatencySpot) => interval!.high_us,
        stroke: paint(KINDS.tail.look),
        strokeWidth: 2,
      }),
      dots(sender, KINDS.sender.look, ({ senderUs }) => senderUs!),
      ...(["tail", "holds", "fails", "unknown"] as const).map((kind) =>
        dots(spots.filter((spot) => spot.kind === kind), KINDS[kind].look, ({ us }) => us)
      ),
    ],
  });
}

const overConnections = (rows: readonly Row[]) => ({
  type: "log",
  label: "connections",
  ticks: rows.map(({ connections }) => connections),
  tickFormat: String,
  ...BELOW,
} as const);

const told = (row: Row) =>
  `${counted(row.connections, "connection")}: ${formatRate(row.requests_per_second ?? 0)} req/s, p50 ${
    formatUs(row.p50_us ?? 0)
  }, p99 ${formatUs(row.p99_us ?? 0)}`;

/** Requests a second of a closed loop over its connections. */
export function connectionRates(all: readonly Row[], width: number) {
  const rows = all.filter(({ requests_per_second: rate }) => (rate ?? 0) > 0);
  if (rows.length === 0) return null;
  const stroke = paint(PERCENTILES.get("p50"));
  return drawn({
    ...frame(width),
    ariaLabel: "Requests a second over connections",
    x: overConnections(rows),
    y: { label: "req/s", zero: true, tickFormat: formatRate },
    marks: [
      Plot.line(rows, { x: "connections", y: "requests_per_second", stroke }),
      Plot.dot(rows, { x: "connections", y: "requests_per_second", fill: stroke, r: 4, tip: TIPS, title: told }),
    ],
  });
}

/** Latencies of a closed loop over its connections. */
export function connectionLatencies(all: readonly Row[], width: number) {
  const rows = all.filter(({ p50_us, p99_us }) => p50_us !== null && p99_us !== null && p50_us > 0);
  if (rows.length === 0) return null;
  return drawn({
    ...frame(width),
    ariaLabel: "Latency over connections",
    x: overConnections(rows),
    y: latencies,
    marks: ([["p50", "p50_us"], ["p99", "p99_us"]] as const).flatMap(([name, y]) => {
      const look = PERCENTILES.get(name)!;
      return [
        Plot.line(rows, { x: "connections", y, stroke: paint(look) }),
        Plot.dot(rows, { x: "connections", y, symbol: look.shape, fill: paint(look), r: 4, tip: TIPS, title: told }),
      ];
    }),
  });
}
