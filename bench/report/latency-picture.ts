import { parseLimit } from "../result/latency/knee.ts";
import type { LatencyCell, LatencyRecord } from "../record/latency-record.ts";
import { formatRate, formatUs } from "../basics/units.ts";
import { latencySpots } from "./latency-spots.ts";
import { type Html, markup, markupText } from "./page/html.ts";

const WIDTH = 860, PANEL = 260, LEFT = 64, RIGHT = 24, TOP = 40, BOTTOM = 40;

/**
 * Latency over the rate that was due, as an SVG file with a panel for each cell: tails, every step of the search for the knee,
 * the limit as a line and the knee as another. Each point says its evidence as its title. It needs no script and follows the
 * reader's light or dark.
 */
export function latencyPicture({ cells, limit }: Pick<LatencyRecord, "cells" | "limit">): string {
  const height = PANEL * Math.max(1, cells.length);
  const svg = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img"
 aria-label="Latency over the rate that was due">
<style>
text{font:12px system-ui,sans-serif;fill:#3b424c}.head{font-weight:600}.grid{stroke:#8888;stroke-width:.4}
path{fill:none;stroke:#1f6fb2;stroke-width:1.5}.limit{stroke:#d45087;stroke-dasharray:4 3}
.knee{stroke:#2a8261;stroke-dasharray:2 3}.tail{fill:#1f6fb2}.holds{fill:#2a8261}.fails{fill:#d45087}
.unknown{fill:none;stroke:#6b6f76}@media(prefers-color-scheme:dark){text{fill:#d5d9df}path{stroke:#6fb7f2}
.tail{fill:#6fb7f2}.holds{fill:#6bcfa5}.fails{fill:#f58ab5}}
</style>
${cells.map((cell, n) => panel(cell, limit, n * PANEL))}
</svg>
`;
  return markupText(svg);
}

function panel(cell: LatencyCell, limitText: string | null, top: number): Html {
  const limit = limitText === null ? undefined : parseLimit(limitText);
  const spots = latencySpots(cell);
  const title = markup`<text class="head" x="${LEFT}" y="${top + 18}">${cell.name} ${cell.sentence}</text>`;
  if (spots.length === 0) {
    return markup`${title}<text x="${LEFT}" y="${top + 60}">no rate was measured soundly</text>\n`;
  }
  const knee = cell.knee?.per_second ?? null;
  const most = Math.max(...spots.map(({ perSecond }) => perSecond), knee ?? 0) * 1.05;
  const all = [...spots.map(({ us }) => Math.max(1, us)), ...(limit === undefined ? [] : [limit.us])];
  const low = Math.floor(Math.log10(Math.min(...all))), high = Math.ceil(Math.log10(Math.max(...all)) + 1e-9);
  const inner = PANEL - TOP - BOTTOM;
  const right = WIDTH - RIGHT;
  const x = (perSecond: number) => (LEFT + (right - LEFT) * perSecond / most).toFixed(1);
  const y = (us: number) =>
    (top + TOP + inner * (1 - (Math.log10(Math.max(1, us)) - low) / Math.max(1, high - low))).toFixed(1);
  const decades = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
  const grid = decades.map((us) =>
    markup`<path class="grid" d="M${LEFT} ${y(us)}H${right}"/>
<text x="${LEFT - 6}" y="${Number(y(us)) + 4}" text-anchor="end">${formatUs(us)}</text>`
  );
  const ticks = [0.25, 0.5, 0.75, 1].map((share) => share * most / 1.05).map((rate) =>
    markup`<text x="${x(rate)}" y="${top + PANEL - BOTTOM + 16}" text-anchor="middle">${formatRate(rate)}</text>`
  );
  const sound = spots.filter(({ kind }) => kind !== "unknown").toSorted((a, b) => a.perSecond - b.perSecond);
  const line = sound.map(({ perSecond, us }, n) => `${n === 0 ? "M" : "L"}${x(perSecond)} ${y(us)}`).join("");
  const dots = spots.map(({ perSecond, us, kind, text }) =>
    markup`<circle class="${kind}" cx="${x(perSecond)}" cy="${y(us)}" r="4"><title>${text}</title></circle>`
  );
  const marks = [
    limit === undefined ? null : markup`<path class="limit" d="M${LEFT} ${y(limit.us)}H${right}"/>`,
    knee === null ? null : markup`<path class="knee" d="M${x(knee)} ${top + TOP}V${top + PANEL - BOTTOM}"/>`,
  ];
  const percentile = limit === undefined ? "p99" : limit.text.split("<")[0]!;
  const note = `requests a second that were due; latency from when they were due, ${percentile}, logarithmic`;
  return markup`${title}${grid}${ticks}${marks}<path d="${line}"/>${dots}
<text x="${LEFT}" y="${top + PANEL - 6}">${note}</text>
`;
}
