/** Names at the ends of lines, moved apart where they would stand on each other. */
import * as Plot from "@observablehq/plot";
import { textsOf } from "../layout.ts";
import type { ChartScene, Spot } from "./chart-look.ts";

/** What a name takes, in pixels: its line, a letter, and what keeps it off its line. */
const LINE = 14, LETTER = 7.6, GAP = 8;

/** Names may take so much of a panel's width. */
const MOST = 0.4;

/** A panel's room for lines and names, in pixels. */
export interface Panel {
  readonly width: number;
  readonly height: number;
}

/**
 * Places moved apart to a least distance: in their order, between two ends, and together as little as that takes (least
 * squares: the places less what stands before them, made to rise by averaging neighbours that fall).
 */
export function spread(places: readonly number[], least: number, from: number, to: number): number[] {
  const order = places.map((_, n) => n).toSorted((a, b) => places[a]! - places[b]!);
  const blocks: { sum: number; count: number }[] = [];
  for (const [rank, n] of order.entries()) {
    let block = { sum: places[n]! - rank * least, count: 1 };
    for (
      let before = blocks.at(-1);
      before !== undefined && before.sum / before.count > block.sum / block.count;
      before = blocks.at(-1)
    ) {
      blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count };
    }
    blocks.push(block);
  }
  const last = to - (places.length - 1) * least;
  const moved = blocks.flatMap(({ sum, count }) =>
    Array<number>(count).fill(Math.max(from, Math.min(last, sum / count)))
  );
  const result: number[] = [];
  for (const [rank, n] of order.entries()) result[n] = moved[rank]! + rank * least;
  return result;
}

/**
 * The names of the lines of a chart: what they take to the right of the lines, in pixels, and the mark that draws them.
 * Nothing where there are too many for a panel, where they are too long, or where lines of a panel share a name: the
 * legend says it all.
 * @param ends the last place of each line
 */
export function endLabels<T extends Spot>(
  { layout, colours }: ChartScene,
  ends: readonly T[],
  { channels, panel, y }: {
    readonly channels: Readonly<Record<string, (spot: Spot) => string>>;
    readonly panel: Panel;
    readonly y: (end: T) => number | null;
  },
) {
  const nameOf = ({ card }: Spot) => textsOf(layout, layout.colour === null ? [] : [layout.colour], card.cell).join("");
  const panels = [...Map.groupBy(ends, (end) => JSON.stringify(Object.values(channels).map((of) => of(end)))).values()];
  const width = LETTER * Math.max(0, ...ends.map((end) => nameOf(end).length));
  const fits = width <= MOST * panel.width &&
    panels.every((own) => own.length * LINE <= panel.height && new Set(own.map(nameOf)).size === own.length);
  if (colours.size < 2 || !fits) return { room: 0, marks: [] };
  const apart = (
    _data: unknown,
    facets: number[][],
    { y }: { readonly y?: { readonly value: ArrayLike<number> } },
    scales: { readonly y?: (value: number) => number },
    { height, marginTop, marginBottom }: Plot.Dimensions,
  ) => {
    const value = Float64Array.from(y!.value, (each) => scales.y!(each));
    for (const own of facets) {
      const moved = spread(own.map((n) => value[n]!), LINE, marginTop + LINE / 2, height - marginBottom - LINE / 2);
      own.forEach((n, k) => value[n] = moved[k]!);
    }
    return { channels: { y: { value, source: null } } };
  };
  return {
    room: width + GAP,
    marks: [
      Plot.text(
        ends,
        Plot.initializer({
          ...channels,
          y,
          text: nameOf,
          fill: "colour",
          stroke: "var(--page)",
          strokeWidth: 4,
          frameAnchor: "right",
          textAnchor: "start",
          dx: -width,
        } as Plot.TextOptions, apart as unknown as Plot.InitializerFunction),
      ),
    ],
  };
}
