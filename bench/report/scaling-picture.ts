import { AA, matches, placeText, textOf } from "../core/cell.ts";
import type { Cell, PlanAxis } from "../core/cell-schema.ts";
import type { Plan } from "../core/plan.ts";
import { formatRate } from "../core/units.ts";
import { isLogarithmic, layoutOf } from "./layout.ts";
import { escapeHtml } from "./page/escape-html.ts";
import type { RunFiles } from "./shown-run.ts";

const WIDTH = 860, HEIGHT = 330, LEFT = 50, TOP = 36, BOTTOM = 44, GAP = 18;
const LIGHT = ["#7a5195", "#d45087", "#b86e00", "#1f6fb2", "#2a8261", "#6b6f76"];
const DARK = ["#c79be8", "#f58ab5", "#f2b04f", "#6fb7f2", "#6bcfa5", "#b5bac2"];

/** What the picture shows, in words. */
export function pictureTitle(plan: Pick<Plan, "axes" | "suite">): string {
  const { scale } = layoutOf(plan);
  return `Requests per second${scale === null ? "" : ` over ${scale.unit ?? scale.title.toLowerCase()}`}`;
}

/**
 * Rates over the scale axis as an SVG file: a panel a value of one contrast axis, a line a value of the other, intervals as
 * bars, hollow points for lower bounds, published rates dotted; without a scale axis a point beside the other. Of several
 * conditions it shows the first. It stands in README.md, where no script runs, so it is drawn here without a browser; it
 * follows the reader's light or dark.
 */
export function scalingPicture({ run: { plan }, cells }: Pick<RunFiles, "run" | "cells">): string {
  const { scale, colour, facet, conditions } = layoutOf(plan);
  const measured = cells.filter((card) => card.cell.label !== AA && (card.requests_per_second ?? 0) > 0);
  const others = conditions.filter((axis) => axis !== scale);
  const fixed = Object.fromEntries(others.map(({ name }) => [name, measured[0]?.cell.point.at[name] ?? ""]));
  const cards = measured.filter(({ cell }) => matches(cell.point.at, fixed));
  const published = plan.expectations.flatMap((one) =>
    one.kind === "published" && one.metric === "requests_per_second" ? [one] : []
  );
  const points = cards.flatMap(({ cell, requests_per_second: rate, requests_per_second_interval: interval, bound }) => [
    { cell, rate: rate!, interval, kind: bound === "generator" ? "bound" as const : "ours" as const },
    ...published.filter(({ at }) => matches(cell.point.at, at))
      .map(({ value }) => ({ cell, rate: value, interval: null, kind: "published" as const })),
  ]);
  const text = (axis: PlanAxis | null, cell: Cell) => axis === null ? "" : textOf(axis, cell.point.at);
  const textsOn = (axis: PlanAxis | null) => {
    const seen = new Set(cards.map(({ cell }) => text(axis, cell)));
    return axis === null ? [...seen] : axis.values.map((value) => value.text).filter((each) => seen.has(each));
  };
  const panels = textsOn(facet), lines = textsOn(colour);
  const across = scale ?? colour;
  const { ticks, placeOf, logarithmic } = placesOf(across, cards.map(({ cell }) => cell));
  const right = 34 + 7 * Math.max(0, ...lines.map((line) => line.length));
  const rates = points.map(({ rate }) => rate);
  const low = Math.floor(Math.log10(Math.min(...rates))), high = Math.ceil(Math.log10(Math.max(...rates)));
  const panel = (WIDTH - LEFT - right - GAP * (panels.length - 1)) / Math.max(1, panels.length);
  const x = (column: number, place: number) => LEFT + column * (panel + GAP) + 10 + place * (panel - 20);
  const y = (rate: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (Math.log10(rate) - low) / Math.max(1, high - low));
  const at = (value: number) => value.toFixed(1);

  const drawn = panels.map((name, column) => {
    const left = LEFT + column * (panel + GAP);
    const decades = rates.length === 0 ? [] : Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
    const grid = decades.map((rate) =>
      `<path class="grid" d="M${at(left)} ${at(y(rate))}h${at(panel)}"/>` +
      (column === 0 ? `<text x="${LEFT - 6}" y="${at(y(rate) + 4)}" text-anchor="end">${formatRate(rate)}</text>` : "")
    ).join("");
    const shown = scale === null ? [] : ticks.length > 5 ? [ticks[0]!, ticks.at(-1)!] : ticks;
    const labels = shown.map((tick) =>
      `<text x="${at(x(column, tick.place))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${
        escapeHtml(tick.text)
      }</text>`
    ).join("");
    const marks = lines.map((line, index) => {
      const own = points.filter(({ cell }) => text(facet, cell) === name && text(colour, cell) === line)
        .toSorted((a, b) => placeOf(a.cell) - placeOf(b.cell));
      // A line of one point would not be seen.
      const path = (kept: typeof own) =>
        kept.map(({ cell, rate }, n) => `${n === 0 ? "M" : "L"}${at(x(column, placeOf(cell)))} ${at(y(rate))}`).join(
          "",
        ) +
        (kept.length === 1 ? "h.1" : "");
      const ours = own.filter(({ kind }) => kind !== "published");
      const dots = ours.map(({ cell, rate, interval, kind }) => {
        const cx = at(x(column, placeOf(cell)));
        const bar = interval === null
          ? ""
          : `<path d="M${cx} ${at(y(Math.max(interval.low, 10 ** low)))}V${at(y(interval.high))}"/>`;
        return `${bar}<circle cx="${cx}" cy="${at(y(rate))}" r="3.2"${kind === "bound" ? ' class="open"' : ""}/>`;
      }).join("");
      return `<g class="s${index % LIGHT.length}"><path class="dots" d="${
        path(own.filter(({ kind }) => kind === "published"))
      }"/><path d="${path(ours)}"/>${dots}</g>`;
    }).join("");
    return `${grid}<text class="head" x="${at(left + panel / 2)}" y="${TOP - 12}" text-anchor="middle">${
      escapeHtml(name)
    }</text>${labels}${marks}`;
  });
  const legend = lines.map((line, index) =>
    `<g class="s${index % LIGHT.length}"><circle cx="${WIDTH - right + 14}" cy="${
      TOP + 8 + 20 * index
    }" r="4"/></g><text x="${WIDTH - right + 23}" y="${TOP + 12 + 20 * index}">${escapeHtml(line)}</text>`
  ).join("");
  const colours = (palette: readonly string[]) =>
    palette.map((colour, index) => `.s${index}{stroke:${colour};fill:${colour}}`).join("");
  const title = pictureTitle(plan);
  const note = [
    `${title.toLowerCase()}, ${logarithmic ? "both" : "rates"} logarithmic`,
    ...(others.length === 0 ? [] : [placeText(others, fixed)]),
    ...(points.some(({ kind }) => kind === "published") ? ["dotted: published rates of another machine"] : []),
  ].join("; ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${
    escapeHtml(title)
  }">
<style>text{font:12px system-ui,sans-serif;fill:#3b424c}.head{font-weight:600}.grid{stroke:#8888;stroke-width:.4}path{fill:none;stroke-width:1.8}.dots{stroke-dasharray:1 4;stroke-linecap:round}.open{fill:#fff}${
    colours(LIGHT)
  }@media(prefers-color-scheme:dark){text{fill:#d5d9df}.open{fill:#14161a}${colours(DARK)}}</style>
${drawn.join("\n")}
${legend}
<text x="${LEFT}" y="${HEIGHT - 6}">${escapeHtml(note)}</text>
</svg>
`;
}

/** Where values of an axis stand from left to right, 0 to 1; in the middle where there is one. */
function placesOf(axis: PlanAxis | null, cells: readonly Cell[]) {
  const values = (axis?.values ?? []).filter(({ value }) => cells.some(({ point }) => point.at[axis!.name] === value));
  const logarithmic = isLogarithmic(values.map(({ value }) => value));
  const numbers = values.map(({ value }, n) => logarithmic ? Math.log10(value as number) : n);
  const first = Math.min(...numbers), last = Math.max(...numbers);
  const ticks = values.map(({ text }, n) => ({
    text,
    place: first === last ? 0.5 : (numbers[n]! - first) / (last - first),
  }));
  const placeOf = ({ point }: Cell) =>
    ticks[values.findIndex(({ value }) => value === point.at[axis?.name ?? ""])]?.place ?? 0.5;
  return { ticks, placeOf, logarithmic };
}
