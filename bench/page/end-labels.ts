/** Names at the ends of lines, moved apart where they would stand on each other. */
import * as Plot from "@observablehq/plot";
import { textsOf } from "../report/layout.ts";
import type { ChartScene, Spot } from "./chart-look.ts";

/** The size of a name, in pixels: its line, a letter, and the gap to its line. */
const LINE = 14, LETTER = 7.6, GAP = 8;

/** Names may take so much of a panel's width. */
const MOST = 0.4;

/** Places moved apart to a least distance, in their order and between two ends: halfway between all down and all up. */
export function spread(places: readonly number[], least: number, from: number, to: number): number[] {
  const order = places.map((_, n) => n).toSorted((a, b) => places[a]! - places[b]!);
  const down = (moved: number[], next = from) => {
    for (const n of order) next = (moved[n] = Math.max(moved[n]!, next)) + least;
    return moved;
  };
  const up = (moved: number[], next = to) => {
    for (const n of order.toReversed()) next = (moved[n] = Math.min(moved[n]!, next)) - least;
    return moved;
  };
  const low = up(down([...places])), high = down(up([...places]));
  return low.map((place, n) => (place + high[n]!) / 2);
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
    readonly panel: { readonly width: number; readonly height: number };
    readonly y: (end: T) => number | null;
  },
) {
  const nameOf = ({ card }: Spot) => textsOf(layout, layout.colour === null ? [] : [layout.colour], card.cell).join("");
  const panels = [...Map.groupBy(ends, (end) => JSON.stringify(Object.values(channels).map((of) => of(end)))).values()];
  const width = LETTER * Math.max(0, ...ends.map((end) => nameOf(end).length));
  const fits = width <= MOST * panel.width &&
    panels.every((facet) => facet.length * LINE <= panel.height && new Set(facet.map(nameOf)).size === facet.length);
  if (colours.size < 2 || !fits) return { room: 0, marks: [] };
  const apart: Plot.InitializerFunction = (_data, facets, channels, scales, { height, marginTop, marginBottom }) => {
    const value = Array.from(channels!["y"]!.value as Iterable<number>, (each) => scales["y"]!(each) as number);
    for (const facet of facets as number[][]) {
      const moved = spread(facet.map((n) => value[n]!), LINE, marginTop + LINE / 2, height - marginBottom - LINE / 2);
      facet.forEach((n, k) => value[n] = moved[k]!);
    }
    return { channels: { y: { value, source: null } } } as unknown as ReturnType<Plot.InitializerFunction>;
  };
  const words = { text: nameOf, fill: "colour", stroke: "var(--page)", strokeWidth: 4 };
  const place = { ...channels, y, frameAnchor: "right", textAnchor: "start", dx: -width } as const;
  return {
    room: width + GAP,
    marks: [Plot.text(ends, Plot.initializer({ ...words, ...place } as Plot.TextOptions, apart))],
  };
}
