/** Charts of a run along the axis `rate`: waits of each server over its rates. */
import { formatRate, formatUs, orDash, parseLimit, percent } from "../basics/units.ts";
import { lostTexts, ratesOfServer, rateTexts, windowHints } from "../report/rate-table.ts";
import { scheduleText, windowsText } from "../result/latency/wait-sentence.ts";
import { figures } from "./chart-figure.ts";
import type { Chart } from "./chart-look.ts";
import { drawnWords } from "./drawn.ts";
import { type Html, markup } from "./html.ts";
import type { ShownRun } from "./shown-run.ts";
import { latencyOverRate, latencySpots, SPOT_KINDS } from "./rate-drawings.ts";
import { listOf, marksOf } from "./table-html.ts";

type RatedRun = Pick<ShownRun, "run" | "summary" | "cells">;

const JUDGED = { rate: "–", holds: "holds", fails: "does not", unknown: "not judged" } as const;

/** Returns a page's section on servers at rates: charts, and windows that do not count; nothing for any other run. */
export function rateSection(shown: RatedRun, idOf: (name: string) => string): Html {
  const { run: { plan, further_generators = [] }, summary } = shown;
  const { further } = plan;
  if (further === undefined) return markup``;
  const generators = further_generators.map(({ name, version }) => `${name} ${version}`).join(", ");
  const limit = further.limit === null ? "" : `, limit ${further.limit}`;
  const servers = (summary.latency ?? []).map((cell, place) => {
    const server = ratesOfServer(cell, summary, shown.cells);
    const chart = chartOf(shown, place);
    const schedule = scheduleText(server.atRates, further.generator);
    const notes = [
      `By ${generators}, ${windowsText(plan, further)}${limit}`,
      ...(schedule === null ? [] : [schedule]),
      ...lostTexts(server),
      ...windowHints(server.atRates),
    ];
    return markup`<h2>${cell.name}</h2>${marksOf("record", server.contradictions)}${
      listOf("notes", notes)
    }<div class="charts">${figures([{ ...chart, id: idOf(chart.id) }])}</div>`;
  });
  const texts = rateTexts(summary);
  const compared = texts.length === 0 ? null : markup`<h2>At the same rates</h2>${listOf("notes", texts)}`;
  return markup`${compared}${servers}`;
}

/** Returns the charts of all servers of a run along the axis `rate`; none of any other run. */
export const rateCharts = (shown: RatedRun): Chart[] =>
  (shown.summary.latency ?? []).map((_, place) => chartOf(shown, place));

function limitOf({ plan: { further } }: ShownRun["run"]) {
  return further === undefined || further.limit === null ? null : parseLimit(further.limit) ?? null;
}

function chartOf({ run, summary, cells }: RatedRun, place: number): Chart {
  const cell = summary.latency![place]!;
  const limit = limitOf(run);
  const spots = latencySpots(cell, ratesOfServer(cell, summary, cells).atRates);
  const kinds = new Set<string>(spots.map(({ kind }) => kind));
  if (spots.some(({ sentUs }) => sentUs !== null)) kinds.add("sent");
  return {
    id: `waits-${place}`,
    title: `${cell.name}: how long does a user wait as the rate grows?`,
    answer: cell.sentence,
    note: `Latency (${
      limit?.text.split("<")[0] ?? "p99"
    }, logarithmic) from when requests were due over the rate that was due. ${
      limit === null
        ? ""
        : `Level dashes: the limit, ${limit.text}. Upright dashes: the knee, the highest rate that held it. `
    }Dots: the closed loop's rate. Bars: the interval of the median over windows.`,
    legend: new Map(
      Object.entries(SPOT_KINDS).filter(([kind]) => kinds.has(kind)).map(([, { text, look }]) => [text, look]),
    ),
    draw: (width) =>
      latencyOverRate(cell, spots, limit, width) ??
        drawnWords("No point has a figure that counts.", width),
    table: () => ({
      heads: "point,req/s due,answered,never sent,latency from due,95 % of its median,by the sender's clock,the limit"
        .split(","),
      rows: spots.map((spot) => [
        spot.name,
        formatRate(spot.perSecond),
        orDash(spot.answeredShare, percent),
        orDash(spot.dropped, String),
        orDash(spot.us, formatUs),
        spot.interval === null ? "–" : `${formatUs(spot.interval.low_us)} to ${formatUs(spot.interval.high_us)}`,
        orDash(spot.sentUs, formatUs),
        JUDGED[spot.kind],
      ]),
    }),
  };
}
