/** Positions and looks of a chart's parts: the same for all charts. */
import { AA, placeOnAxis, placeText, textOf } from "../record/cell.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import type { CellFigures } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import { byPlaces, contrastText, type Layout, layoutOf } from "../report/layout.ts";
import { axisLooks, type ValueLook } from "../report/look.ts";
import { rateText } from "../report/metrics.ts";
import type { Table } from "../report/table.ts";
import type { ShownRun } from "./shown-run.ts";

/** A card with its place in a chart. */
export interface Spot {
  /** Its rate, in the run's word for requests. */
  readonly rate: string;
  readonly card: CellFigures;
  readonly name: string;
  /** Its value on the axis that colours show. */
  readonly colour: string;
  /** Equal for all points of one line: the values on all axes except the scale. */
  readonly line: string;
}

/** The facts that the charts of a run have in common. */
export interface ChartScene {
  readonly layout: Layout;
  readonly colours: ReadonlyMap<string, ValueLook>;
  /** Shown cells with a rate, in the plan's order. */
  readonly spots: readonly Spot[];
  /** Spots at the last shown value of the scale. */
  readonly focus: readonly Spot[];
  /** ` at 1m rows`, the place of the focus; empty without a scale. */
  readonly at: string;
  /** The scale, if several of its values are shown; else null. */
  readonly scale: PlanAxis | null;
  /** Conditions other than the scale that have more than one value. */
  readonly apart: readonly PlanAxis[];
  words(text: string): string;
}

/** The scene of a run. */
export function sceneOf(shown: ShownRun): ChartScene {
  const layout = layoutOf(shown.run.plan);
  const { colour, scale, conditions } = layout;
  const axes = layout.columns === null ? layout.rows : [...layout.rows, layout.columns];
  const ranked = shown.cells.filter((card) => card.requests_per_second !== null && card.cell.label !== AA).toSorted(
    byPlaces(axes),
  );
  const fixed = conditions.filter((axis) => axis !== scale);
  const spots = ranked.map((card): Spot => ({
    card,
    rate: inWords(shown.run.plan, rateText(card)),
    name: card.name,
    colour: colour === null ? "" : textOf(colour, card.cell.point.at),
    line: JSON.stringify([placeText(fixed, card.cell.point.at), contrastText(layout, card.cell)]),
  }));
  const place = ({ card }: Spot) => scale === null ? 0 : placeOnAxis(scale, card.cell.point.at);
  const farthest = Math.max(...spots.map(place));
  const focus = spots.filter((spot) => place(spot) === farthest);
  return {
    layout,
    words: (text) => inWords(shown.run.plan, text),
    colours: axisLooks(colour),
    spots,
    focus,
    at: scale === null || focus.length === 0 ? "" : ` at ${placeText([scale], focus[0]!.card.cell.point.at)}`,
    scale: new Set(spots.map(place)).size > 1 ? scale : null,
    apart: fixed.filter(({ name }) => new Set(spots.map(({ card }) => card.cell.point.at[name])).size > 1),
  };
}

const WIDE = 640;
const MARGIN = { marginLeft: 62, marginTop: 34, marginBottom: 46 };
/** Panels side by side that can still be read on a wide page. */
const PANELS = 5;

/**
 * Panels: a contrast axis side by side on a wide page and one below the other on a narrow one; conditions of several values
 * one below the other. Gives the channels that place a spot in its panel, what the plot must know of them, and their size.
 */
export function chartPanelsOf(
  { layout: { facet, conditions }, scale }: ChartScene,
  spots: readonly Spot[],
  width: number,
) {
  const textOn = (axes: readonly PlanAxis[]) => ({ card }: Spot) => placeText(axes, card.cell.point.at);
  const labelsOf = (axes: readonly PlanAxis[]) => [
    ...new Set(spots.toSorted((a, b) => byPlaces(axes)(a.card, b.card)).map(textOn(axes))),
  ];
  const columns = facet !== null && width >= WIDE && labelsOf([facet]).length <= PANELS ? [facet] : [];
  const below = [...(facet === null || columns.length > 0 ? [] : [facet]), ...conditions]
    .filter((axis) => axis !== scale && labelsOf([axis]).length > 1);
  const rows = labelsOf(below).length;
  const height = 70 + (width >= WIDE && rows === 1 ? 260 : 200) * rows;
  const marginRight = Math.min(190, 24 + 8 * Math.max(0, ...labelsOf(below).map(({ length }) => length - 1)));
  const facets = Object.entries({ fx: columns, fy: below }).filter(([, axes]) => axes.length > 0);
  return {
    // A tenth of a panel separates them.
    panelWidth: 0.9 * (width - MARGIN.marginLeft - marginRight) / labelsOf(columns).length,
    channels: Object.fromEntries(facets.map(([key, axes]) => [key, textOn(axes)])),
    options: {
      ...{ width, height, ...MARGIN, marginRight, grid: true },
      ...Object.fromEntries(facets.map(([key, axes]) => [key, { domain: labelsOf(axes), label: null }])),
    },
  };
}

/** Options that put the name of a horizontal axis below its ticks, in the middle. */
export const NAME_BELOW = { labelAnchor: "center", labelArrow: "none", labelOffset: 38 } as const;

/** Shortens labels of ticks, which are exact: `10k` for `10.0k`, `0` for `0.00µs`. */
export const exactTicks = (format: (value: number) => string) => (value: number): string =>
  value === 0 ? "0" : format(value).replace(/\.0+(?!\d)/, "");

/** Ticks of a logarithmic axis: only those that begin with certain digits are named. */
export const logTicks = (format: (value: number) => string, digits = /^1/) => (value: number) =>
  digits.test(value.toExponential()) ? exactTicks(format)(value) : "";

/** A chart. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  /** The verdicts about it in a sentence; left out without any. */
  readonly answer?: string;
  readonly note: string;
  /** The meaning of its colours; left out if they have none. */
  readonly legend?: ReadonlyMap<string, ValueLook>;
  readonly draw: (width: number) => SVGSVGElement | null;
  /** Its figures: the head, then a row for each mark. */
  readonly table: () => Pick<Table, "heads" | "rows">;
}
