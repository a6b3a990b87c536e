/** The charts of a page about latency at rates: each a question, what answers it in a drawing and as a table, and how to read it. */
import { dash, formatRate, formatUs, percent } from "../basics/units.ts";
import type { LatencyCell } from "../record/latency-cell.ts";
import { latencySpots } from "../report/latency-spots.ts";
import type { Chart } from "./chart-look.ts";
import { drawnWords } from "./drawn.ts";
import { type DrawnLimit, type Figure, KINDS, overConnections, waits } from "./latency-drawings.ts";

/** What the page shows: a record without its observations. */
export interface LatencyData {
  readonly name: string;
  readonly limit: DrawnLimit | null;
  readonly cells: readonly LatencyCell[];
}

const nothing = (width: number) => drawnWords("No point has a figure that counts.", width);

const JUDGED = { tail: "–", holds: "holds", fails: "does not", unknown: "not judged" } as const;

/** All charts of one cell; their names on the page begin with its place. */
export function latencyCharts({ cells, limit }: LatencyData, place: number): Chart[] {
  const cell = cells[place]!;
  const spots = latencySpots(cell);
  const told = new Set<string>(spots.map(({ kind }) => kind));
  if (spots.some(({ senderUs }) => senderUs !== null)) told.add("sender");
  const legend = new Map(
    Object.entries(KINDS).filter(([kind]) => told.has(kind)).map(([, { text, look }]) => [text, look]),
  );
  return [
    {
      id: `waits-${place}`,
      title: `${cell.name}: how long does somebody wait as the rate grows?`,
      answer: cell.sentence,
      note: `Latency (${
        limit?.text.split("<")[0] ?? "p99"
      }, logarithmic) from when requests were due over the rate that was due. ${
        limit === null
          ? ""
          : `Level dashes: the limit, ${limit.text}. Upright dashes: the knee, the highest rate that held it. `
      }Dots: the closed loop's rate. Bars: where the median over windows lies.`,
      wide: true,
      legend,
      draw: (width) => waits(cell, limit, width) ?? nothing(width),
      table: () => ({
        heads: "point,req/s due,answered,never sent,latency from due,95 % of its median,by the sender's clock,the limit"
          .split(","),
        rows: spots.map((spot) => [
          spot.name,
          formatRate(spot.perSecond),
          dash(spot.answeredShare, percent),
          dash(spot.dropped, String),
          formatUs(spot.us),
          spot.interval === null ? "–" : `${formatUs(spot.interval.low_us)} to ${formatUs(spot.interval.high_us)}`,
          dash(spot.senderUs, formatUs),
          JUDGED[spot.kind],
        ]),
      }),
    },
    {
      id: `rates-${place}`,
      title: `${cell.name}: what do more connections of a closed loop bring?`,
      note: "Requests a second, each connection waiting for its reply before it asks again.",
      ...overConnectionsOf(cell, [
        { key: "requests_per_second", text: "req/s", look: { colour: 3, shape: "circle" } },
      ]),
    },
    {
      id: `closed-${place}`,
      title: `${cell.name}: what do they cost?`,
      note:
        "Latency over connections of a closed loop, by the sender's clock: it forgets what a late server made others wait.",
      ...overConnectionsOf(cell, [
        { key: "p50_us", text: "p50", look: { colour: 3, shape: "circle" } },
        { key: "p99_us", text: "p99", look: { colour: 1, shape: "square" } },
      ]),
    },
  ];
}

function overConnectionsOf(
  { connections }: LatencyCell,
  figures: readonly Figure[],
): Omit<Chart, "id" | "title" | "note"> {
  return {
    wide: false,
    legend: new Map(figures.map(({ text, look }) => [text, look])),
    draw: (width) => overConnections(connections, figures, width) ?? nothing(width),
    table: () => ({
      heads: ["connections", "req/s", "p50", "p99", "marked"],
      rows: connections.map((row) => [
        String(row.connections),
        dash(row.requests_per_second, formatRate),
        dash(row.p50_us, formatUs),
        dash(row.p99_us, formatUs),
        row.reasons.join("; ") || "–",
      ]),
    }),
  };
}
