/** The drawings with a row for each thing that is measured: bars, costs and what single rounds did. */
import * as Plot from "@observablehq/plot";
import { formatCpu, formatRate } from "../basics/units.ts";
import { AA, matches } from "../record/cell.ts";
import type { Speed, Subject } from "../record/card.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { inWords } from "../record/in-words.ts";
import { textsOf } from "../report/layout.ts";
import {
  BELOW,
  type ChartScene,
  exact,
  groupsOf,
  isFar,
  rowsOf,
  scalesOf,
  type Spot,
  spotTitle,
  ticks,
  withGaps,
} from "./chart-look.ts";
import { drawn } from "./drawn.ts";
import type { ShownRun } from "./shown-run.ts";
import { type Figure, figureOf } from "../report/figures.ts";

/**
 * CPU time of a request: a row for each value of the one contrast, in it a dot for each of the other, the least first;
 * what is not compared stands apart.
 */
export function costRows(scene: ChartScene, width: number) {
  const { focus, layout, colours, facets, apart } = scene;
  const known = focus.filter(({ card }) => (card.cpu_ns_per_request ?? 0) > 0);
  if (known.length === 0) return null;
  const cost = ({ card }: Spot) => card.cpu_ns_per_request!;
  const axes = layout.colour === null ? apart : [...apart, layout.colour];
  const rowText = ({ card }: Spot) => textsOf(layout, axes, card.cell).join(" ");
  const groups = groupsOf(scene, known).map(({ spots }) =>
    [...Map.groupBy(spots, rowText)].map(([text, members]) => ({
      text,
      least: Math.min(...members.map(cost)),
      most: Math.max(...members.map(cost)),
    })).toSorted((a, b) => a.least - b.least)
  );
  const rows = groups.flat();
  const most = Math.max(...known.map(cost));
  const far = isFar(known.map(cost));
  const decades = most > 100 * Math.min(...known.map(cost));
  const key = layout.facet === null ? "colour" : "facet";
  return drawn({
    ...rowsOf(withGaps(groups.map((group) => group.map(({ text }) => [text, text]))), width),
    marginRight: 30,
    grid: true,
    ariaLabel: scene.words("CPU time per request"),
    x: {
      label: scene.words("CPU time for a request"),
      ...(far ? { type: "log", tickFormat: ticks(formatCpu, decades ? /^1/ : /^[125]/) } : {
        domain: [0, most],
        ticks: Math.max(3, Math.floor(width / 160)),
        tickFormat: exact(formatCpu),
      }),
      ...BELOW,
    },
    ...scalesOf(layout.facet === null ? colours : facets),
    marks: [
      Plot.ruleY(rows, { y: "text", x1: "least", x2: "most", stroke: "currentColor", strokeOpacity: 0.35 }),
      Plot.dot(known, {
        ...{ x: cost, y: rowText, fill: key, symbol: key, r: 5 },
        title: (spot: Spot) => `${spotTitle(spot)}\n${formatCpu(cost(spot))} ${scene.words("CPU per request")}`,
      }),
    ],
  });
}

/** Bars of one metric, the best first; what is not compared stands apart. */
export function bars(scene: ChartScene, key: Figure["key"], width: number) {
  const { focus, layout: { rows, columns, scale }, layout, colours } = scene;
  const { title, format, better } = figureOf(key);
  const value = ({ card }: Spot) => card[key]!;
  const groups = groupsOf(scene, focus.filter(({ card }) => card[key] !== null)).map(({ spots }) =>
    spots.toSorted((a, b) => better === "higher" ? value(b) - value(a) : value(a) - value(b))
  );
  const known = groups.flat();
  const most = Math.max(0, ...known.map(value));
  if (most === 0) return null;
  const axes = columns === null || columns === scale ? rows : [...rows, columns];
  return drawn({
    ...rowsOf(
      withGaps(
        groups.map((group) => group.map(({ name, card }) => [name, textsOf(layout, axes, card.cell).join(" ")])),
      ),
      width,
    ),
    ...{ marginRight: 76, marginTop: 4, marginBottom: 8, ariaLabel: scene.words(title) },
    x: { label: null, domain: [0, most], axis: null },
    color: scalesOf(colours).color,
    marks: [
      Plot.barX(known, { x: value, y: "name", fill: "colour", insetTop: 3, insetBottom: 3 }),
      Plot.text(known, {
        ...{ x: value, y: "name", textAnchor: "start", dx: 5 },
        text: (spot: Spot) => format(value(spot)),
      }),
    ],
  });
}

/** The rounds of some cards, each against the median of its cell in percent. */
export function roundsOf(cards: readonly (Subject & Speed)[], shown: ShownRun) {
  return cards.flatMap(({ name, requests_per_second: middle }) =>
    (shown.solos.get(name) ?? []).flatMap((solo) => {
      const { round, status } = solo;
      const { requests_per_second: rate } = observedFigures(solo);
      return rate === null || !middle
        ? []
        : [{ name, round: round + 1, status, change: 100 * (rate / middle - 1), rate }];
    })
  );
}

/** A dot for each round, a row for each cell; null where no cell has two rounds: one says nothing of noise. */
export function noiseDots(cards: readonly (Subject & Speed)[], shown: ShownRun, width: number) {
  const dots = roundsOf(cards, shown);
  if (new Set(dots.map(({ name }) => name)).size === dots.length) return null;
  const place = ({ cell }: Subject) => cards.findIndex((other) => matches(other.cell.point.at, cell.point.at));
  const inOrder = cards.toSorted((a, b) => place(a) - place(b));
  const most = Math.max(1, ...dots.map(({ change }) => Math.abs(change)));
  type Dot = (typeof dots)[number];
  return drawn({
    ...rowsOf(new Map(inOrder.map(({ name, cell }) => [name, cell.label === AA ? `A/A ${name}` : name])), width),
    // Half of "+100 %" extends beyond the last tick.
    marginRight: 28,
    grid: true,
    ariaLabel: "Rate of each round against the median of its cell",
    x: {
      label: "difference from the cell's median",
      domain: [-most, most],
      tickFormat: (n: number) => `${n > 0 ? "+" : n < 0 ? "−" : ""}${Math.abs(n)} %`,
      ticks: width < 560 ? 2 : 5,
      ...BELOW,
    },
    opacity: { range: [0.35, 1] },
    marks: [
      Plot.ruleX([0], { stroke: "currentColor", strokeOpacity: 0.4 }),
      Plot.dot(dots, {
        ...{ x: "change", y: "name", fill: "var(--accent)", fillOpacity: "round", r: 4, strokeWidth: 2 },
        stroke: ({ status }: Dot) => status === "ok" ? "none" : "var(--bad)",
        title: ({ name, round, rate, status }: Dot) =>
          `${name}\nround ${round}: ${formatRate(rate)} ${inWords(shown.run.plan, "req/s")}${
            status === "ok" ? "" : `, ${status}`
          }`,
      }),
    ],
  });
}
