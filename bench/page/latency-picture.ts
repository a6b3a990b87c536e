/** The histogram of a cell's latencies, small enough for a page with a thousand of them. */
import { formatUs } from "../basics/units.ts";
import type { CellLatency } from "../record/card.ts";
import type { LatencyHistogram } from "../statistics/latency-histogram.ts";
import { exactTicks } from "./chart-look.ts";
import { type Html, markup } from "./html.ts";

/** Resolution of the picture: a bin is 7.5 % wide. */
const BINS_PER_DECADE = 32;

/** The size in pixels, and the room above and below the bins for names. A phone shows it whole. */
const WIDTH = 300, HEIGHT = 150, TOP = 46, BOTTOM = 20, EDGE = 22;
/** The distance in pixels below which names of percentiles are put on separate lines. */
const NEAR = 30;

/** Returns counts by bin on a logarithmic axis, the first bin first; latencies below 1 µs are in bin 0. */
export function binsOf(latencies: LatencyHistogram): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [us, count] of latencies) {
    const bin = us < 1 ? 0 : Math.floor(Math.log10(us) * BINS_PER_DECADE + 1e-9);
    counts.set(bin, (counts.get(bin) ?? 0) + count);
  }
  return counts;
}

/** Returns the histogram with its percentiles; null where no request was counted. */
export function latencyPicture(latencies: LatencyHistogram, card: CellLatency): Html | null {
  const bins = binsOf(latencies);
  if (bins.size === 0) return null;
  const from = Math.min(...bins.keys()), to = Math.max(...bins.keys()) + 1, most = Math.max(...bins.values());
  const base = HEIGHT - BOTTOM;
  const x = (bin: number) => Math.round(EDGE + (WIDTH - 2 * EDGE) * (bin - from) / (to - from));
  const y = (count: number) => Math.round(10 * (base - (base - TOP) * count / most)) / 10;
  const outline = Array.from({ length: to - from }, (_, n) => `V${y(bins.get(from + n) ?? 0)}H${x(from + n + 1)}`);
  const text = (at: number, line: number, words: string) => markup`<text x="${at}" y="${line}">${words}</text>`;
  const decades = Array.from({ length: 12 }, (_, n) => n).filter((n) =>
    n * BINS_PER_DECADE >= from && n * BINS_PER_DECADE <= to
  );
  const places = ([["p50", card.p50_us], ["p90", card.p90_us], ["p99", card.p99_us]] as const).flatMap(([name, us]) =>
    us === null ? [] : [{ name, at: x(Math.log10(Math.max(1, us)) * BINS_PER_DECADE) }]
  );
  const lineOf = (n: number): number =>
    n > 0 && Math.abs(places[n]!.at - places[n - 1]!.at) < NEAR ? lineOf(n - 1) + 1 : 0;
  return markup`<svg class="plot" role="img" aria-label="Histogram of service times" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-size="12" text-anchor="middle" fill="currentColor"><path fill="var(--accent)" d="M${
    x(from)
  } ${base}${outline.join("")}V${base}Z"/><path stroke="currentColor" stroke-dasharray="3" d="${
    places.map(({ at }) => `M${at} ${TOP}V${base}`).join("")
  }"/>${places.map(({ name, at }, n) => text(at, TOP - 4 - 13 * lineOf(n), name))}${
    decades.map((n) => text(x(n * BINS_PER_DECADE), HEIGHT - 5, exactTicks(formatUs)(10 ** n)))
  }</svg>`;
}
