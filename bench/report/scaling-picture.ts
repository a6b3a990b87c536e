import { AA } from "../core/plan.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import { formatRate, formatSize } from "../core/units.ts";
import { escapeHtml } from "./page/escape-html.ts";
import { TUTORIAL } from "../core/published-references.ts";

const WIDTH = 860, HEIGHT = 330, LEFT = 50, RIGHT = 74, TOP = 36, BOTTOM = 44, GAP = 18;
const LIGHT = ["#7a5195", "#d45087", "#b86e00", "#1f6fb2", "#2a8261", "#6b6f76"];
const DARK = ["#c79be8", "#f58ab5", "#f2b04f", "#6fb7f2", "#6bcfa5", "#b5bac2"];

/**
 * Rates over the number of users as an SVG file: a panel a runtime, a line a store, both axes logarithmic, intervals as
 * bars, hollow points for lower bounds, published rates dotted. It stands in README.md, where no script runs, so it is
 * drawn here without a browser; it follows the reader's light or dark.
 */
export function scalingPicture(all: readonly CellCard[]): string {
  const cards = all.filter((card) => card.label !== AA && (card.requests_per_second ?? 0) > 0);
  const unique = <T>(values: readonly T[]) => [...new Set(values)];
  const runtimes = unique(cards.map(({ cell }) => cell.runtime));
  const stores = unique(cards.map(({ cell }) => cell.store));
  const sizes = unique(cards.map(({ cell }) => cell.size)).sort((a, b) => a - b);
  const references = TUTORIAL.filter((point) => stores.includes(point.store) && sizes.includes(point.size));
  const rates = [
    ...cards.map((card) => card.requests_per_second!),
    ...references.map((point) => point.requests_per_second),
  ];
  const low = Math.floor(Math.log10(Math.min(...rates))), high = Math.ceil(Math.log10(Math.max(...rates)));
  const panel = (WIDTH - LEFT - RIGHT - GAP * (runtimes.length - 1)) / Math.max(1, runtimes.length);
  const [first, last] = [Math.log10(sizes[0] ?? 1), Math.log10(sizes.at(-1) ?? 10)];
  const x = (column: number, size: number) =>
    LEFT + column * (panel + GAP) + 10 +
    (last === first ? 0.5 : (Math.log10(size) - first) / (last - first)) * (panel - 20);
  const y = (rate: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (Math.log10(rate) - low) / Math.max(1, high - low));
  const at = (value: number) => value.toFixed(1);
  const path = (column: number, points: readonly { size: number; rate: number }[]) =>
    [...points].sort((a, b) => a.size - b.size)
      .map(({ size, rate }, index) => `${index === 0 ? "M" : "L"}${at(x(column, size))} ${at(y(rate))}`).join("");

  const panels = runtimes.map((runtime, column) => {
    const left = LEFT + column * (panel + GAP);
    const decades = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
    const grid = decades.map((rate) =>
      `<path class="grid" d="M${at(left)} ${at(y(rate))}h${at(panel)}"/>` +
      (column === 0 ? `<text x="${LEFT - 6}" y="${at(y(rate) + 4)}" text-anchor="end">${formatRate(rate)}</text>` : "")
    ).join("");
    const ticks = sizes.length > 5 ? [sizes[0]!, sizes.at(-1)!] : sizes;
    const labels = ticks.map((size) =>
      `<text x="${at(x(column, size))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${formatSize(size)}</text>`
    ).join("");
    const lines = stores.map((store, index) => {
      const own = cards.filter(({ cell }) => cell.runtime === runtime && cell.store === store);
      if (own.length === 0) return "";
      const published = references.filter((point) => point.store === store)
        .map((point) => ({ size: point.size, rate: point.requests_per_second }));
      const points = own.map((card) => {
        const cx = at(x(column, card.cell.size)), interval = card.requests_per_second_interval;
        const bar = interval === null
          ? ""
          : `<path d="M${cx} ${at(y(Math.max(interval.low, 10 ** low)))}V${at(y(interval.high))}"/>`;
        return `${bar}<circle cx="${cx}" cy="${at(y(card.requests_per_second!))}" r="3.2"${
          card.bound === "generator" ? ' class="open"' : ""
        }/>`;
      }).join("");
      return `<g class="s${index % LIGHT.length}"><path class="dots" d="${path(column, published)}"/><path d="${
        path(column, own.map((card) => ({ size: card.cell.size, rate: card.requests_per_second! })))
      }"/>${points}</g>`;
    }).join("");
    return `${grid}<text class="head" x="${at(left + panel / 2)}" y="${TOP - 12}" text-anchor="middle">${
      escapeHtml(runtime)
    }</text>${labels}${lines}`;
  });
  const legend = stores.map((store, index) =>
    `<g class="s${index % LIGHT.length}"><circle cx="${WIDTH - RIGHT + 14}" cy="${
      TOP + 8 + 20 * index
    }" r="4"/></g><text x="${WIDTH - RIGHT + 23}" y="${TOP + 12 + 20 * index}">${escapeHtml(store)}</text>`
  ).join("");
  const colours = (palette: readonly string[]) =>
    palette.map((colour, index) => `.s${index}{stroke:${colour};fill:${colour}}`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Requests per second over number of users">
<style>text{font:12px system-ui,sans-serif;fill:#3b424c}.head{font-weight:600}.grid{stroke:#8888;stroke-width:.4}path{fill:none;stroke-width:1.8}.dots{stroke-dasharray:1 4;stroke-linecap:round}.open{fill:#fff}${
    colours(LIGHT)
  }@media(prefers-color-scheme:dark){text{fill:#d5d9df}.open{fill:#14161a}${colours(DARK)}}</style>
${panels.join("\n")}
${legend}
<text x="${LEFT}" y="${
    HEIGHT - 6
  }">requests per second over number of users, both logarithmic; dotted: published rates of another machine</text>
</svg>
`;
}
