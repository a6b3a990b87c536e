/** The drawing of two runs: a line from what each cell did in the first to what it did in the second. */
import * as Plot from "@observablehq/plot";
import { formatRate, formatRatio } from "../basics/units.ts";
import type { RunComparison } from "../result/compare-runs.ts";
import { BELOW, ticks } from "./chart-look.ts";
import { drawn } from "./drawn.ts";

const MOST = 60;

/** Rates of A (hollow) and B (filled) on a logarithmic axis, what changed most first; null without a cell in common. */
export function dumbbells(cells: RunComparison["cells"], width: number): SVGSVGElement | null {
  const known = cells.flatMap(({ cell, over: b, under: a, ratio, comparison: { verdict } }) => {
    if (!a || !b) return [];
    const change = ratio ?? b / a;
    const colour = verdict === "faster" ? "good" : verdict === "slower" ? "bad" : "soft";
    const title = `${cell}: ${formatRate(a)} to ${formatRate(b)} a second, ${formatRatio(change)} ×`;
    return [{ cell, a, b, change, colour: `var(--${colour})`, title }];
  }).toSorted((x, y) => Math.abs(Math.log(y.change)) - Math.abs(Math.log(x.change)));
  if (known.length === 0) return null;
  const rows = known.slice(0, MOST);
  const rest = known.length > MOST ? `; ${known.length - MOST} that changed least are left out` : "";
  const rates = rows.flatMap(({ a, b }) => [a, b]);
  return drawn({
    ...rowsOf(rows.map(({ cell }) => cell), width),
    marginRight: 64,
    grid: true,
    ariaLabel: "Rates in both runs",
    x: {
      type: "log",
      domain: [Math.min(...rates) / 1.15, Math.max(...rates) * 1.15],
      label: `a second; hollow: A, filled: B${rest}`,
      tickFormat: ticks(formatRate, width < 560 ? /^1/ : /^[125]/),
      ...BELOW,
    },
    marks: [
      Plot.ruleY(rows, { y: "cell", x1: "a", x2: "b", stroke: "var(--soft)", strokeWidth: 2 }),
      Plot.dot(rows, { y: "cell", x: "a", r: 4, stroke: "var(--soft)", strokeWidth: 2, fill: "var(--page)" }),
      Plot.dot(rows, { y: "cell", x: "b", r: 4.5, fill: "colour", title: "title" }),
      Plot.text(rows, {
        ...{ y: "cell", frameAnchor: "right", textAnchor: "start", dx: 8 },
        text: ({ change }) => `${formatRatio(change)} ×`,
      }),
    ],
  });
}

/** Rows with names: room for the names, and how they are shortened where they would take more than two fifths. */
function rowsOf(names: readonly string[], width: number) {
  const letters = Math.min(Math.max(...names.map(({ length }) => length)), Math.floor(width / 2.5 / 7.6));
  return {
    width,
    height: 52 + 22 * names.length,
    marginLeft: Math.ceil(7.6 * letters) + 14,
    marginBottom: 42,
    y: {
      domain: names,
      label: null,
      tickSize: 0,
      tickFormat: (name: string) => name.length <= letters ? name : `${name.slice(0, letters - 1)}…`,
    },
  };
}
