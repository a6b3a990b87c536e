/** Pictures of what a request costs by layer: a bar for each cell, and an icicle of the functions of one. */
import type { CostLayer, ExplainedCell, ExplainedNode } from "../../record/explanation-schema.ts";
import { LAYER_TITLES, usText } from "../../result/explain/difference-sentence.ts";
import { meanOfUs } from "../../core/explain/explain-cell.ts";
import { fitted, printable } from "../align.ts";
import { LETTER } from "./drawn.ts";
import { type Html, markup } from "./html.ts";

const WIDTH = 1_100;
const BAR = 26;
const ROW = 20;
/** Rows of an icicle, and the narrowest part that is drawn, in pixels. */
const DEEPEST = 40;
const NARROWEST = 2;

const COLOURS: Readonly<Record<CostLayer, string>> = {
  "app": "s3",
  "template": "s1",
  "data": "s4",
  "driver": "s8",
  "framework": "s2",
  "adapter": "s6",
  "runtime-http": "s0",
  "runtime": "s9",
  "native": "s5",
  "garbage-collection": "s7",
  "compiling": "accent",
  "kernel": "ink",
  "unknown": "warn",
};

/** A part with its words as far as they fit, and all of them where it is pointed at. */
function part(
  at: { readonly x: number; readonly y: number; readonly wide: number; readonly high: number },
  layer: CostLayer,
  words: string,
  whole: string,
): Html {
  const { x, y, wide, high } = at;
  const letters = Math.floor((wide - 8) / LETTER);
  const text = letters < 3
    ? null
    : markup`<text x="${(x + 4).toFixed(1)}" y="${y + high / 2 + 4}" fill="var(--panel)">${
      fitted(words, letters)
    }</text>`;
  return markup`<g><title>${printable(whole)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${
    Math.max(0, wide - 1).toFixed(1)
  }" height="${high - 1}" fill="var(--${COLOURS[layer]})"/>${text}</g>`;
}

const picture = (height: number, label: string, body: Html[]): Html =>
  markup`<svg class="plot" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-size="12">${body}</svg>`;

/** A bar of layers for each cell, all to one scale. */
export function layerBars(cells: readonly ExplainedCell[]): Html {
  const sums = cells.map(({ layers }) => layers.reduce((sum, { us }) => sum + meanOfUs(us), 0));
  const most = Math.max(1e-9, ...sums);
  const rows = cells.map(({ name, layers }, n) => {
    const y = n * (BAR + 24);
    let x = 0;
    const parts = layers.map(({ layer, us }) => {
      const wide = WIDTH * meanOfUs(us) / most;
      const words = `${LAYER_TITLES[layer]} ${usText(meanOfUs(us))}`;
      const drawn = part({ x, y: y + 18, wide, high: BAR }, layer, words, `${words} µs a request`);
      x += wide;
      return drawn;
    });
    return markup`<text x="0" y="${y + 12}" fill="currentColor">${
      fitted(`${name}: ${usText(sums[n]!)} µs of CPU time a request`, 140)
    }</text>${parts}`;
  });
  return picture(cells.length * (BAR + 24), "CPU time of a request by layer", rows);
}

/** What each function and all it calls cost a request: who calls stands above. Null of a cell without a profile. */
export function icicle({ name, tree }: ExplainedCell): Html | null {
  const whole = tree.filter(({ parent }) => parent === null).reduce((sum, { us }) => sum + us, 0);
  if (whole === 0) return null;
  const placed: { readonly x: number; readonly row: number; wide: number; used: number }[] = [];
  let end = 0, rows = 0;
  const parts = tree.map((node) => {
    const above = node.parent === null ? null : placed[node.parent]!;
    const wide = Math.min(WIDTH * node.us / whole, above === null ? WIDTH - end : above.wide - above.used);
    const at = {
      x: above === null ? end : above.x + above.used,
      row: above === null ? 0 : above.row + 1,
      wide,
      used: 0,
    };
    if (above === null) end += wide;
    else above.used += wide;
    placed.push(at);
    if (wide < NARROWEST || at.row >= DEEPEST) return markup``;
    rows = Math.max(rows, at.row + 1);
    return part({ x: at.x, y: at.row * ROW, wide, high: ROW }, node.layer, node.name, toldWhole(node));
  });
  return picture(rows * ROW, `Functions of ${name} and what they call, as wide as they cost`, parts);
}

const toldWhole = ({ name, file, layer, us }: ExplainedNode) =>
  `${name}${file === null ? "" : ` (${file})`}: ${usText(us)} µs a request, ${LAYER_TITLES[layer]}`;
