/** The picture of what a request costs by layer: a bar for each cell. */
import { meanOfUs, shownCosts } from "../why/balanced.ts";
import type { CostLayer, ExplainedCell } from "../record/explanation-schema.ts";
import { LAYER_TITLES, usText } from "../why/difference-sentence.ts";
import { cutToWidth, printable } from "../report/align.ts";
import { LETTER_PX } from "./drawn.ts";
import { type Html, markup } from "./html.ts";

const WIDTH = 1_100;
/** Height of a bar, and of one with its title. */
const ROW = 20;
const BAR = 50;

const COLOURS: Readonly<Record<CostLayer, string>> = {
  "app": "s3",
  "template": "s1",
  "data": "s4",
  "driver": "s8",
  "framework": "s2",
  "adapter": "s6",
  "runtime-http": "s0",
  "runtime": "s9",
  "native-call": "good",
  "native": "s5",
  "garbage-collection": "s7",
  "compiling": "accent",
  "kernel": "ink",
  "unknown": "warn",
};

interface Part {
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly layer: CostLayer;
  readonly name: string;
  /** The rest of its tooltip, after its name. */
  readonly more: string;
}

function drawnPart({ x, y, wide, layer, name, more }: Part): Html {
  const letters = Math.floor((wide - 8) / LETTER_PX);
  const text = markup`<text x="${(x + 4).toFixed(1)}" y="${y + 14}" fill="var(--panel)">${
    cutToWidth(name, letters)
  }</text>`;
  return markup`<g><title>${printable(`${name}${more}`)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${
    Math.max(0, wide - 1).toFixed(1)
  }" height="${ROW - 1}" fill="var(--${COLOURS[layer]})"/>${letters < 3 ? null : text}</g>`;
}

const picture = (height: number, label: string, body: Html[]): Html =>
  markup`<svg class="plot" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-size="12">${body}</svg>`;

/** Bars of layers, one a cell, on one scale, per request or per call. */
export function layerBars(cells: readonly ExplainedCell[], each: string): Html {
  const most = Math.max(1e-9, ...cells.map((cell) => shownCosts(cell).whole));
  const rows = cells.map((cell, n) => {
    const { whole, of } = shownCosts(cell);
    const y = n * BAR;
    let x = 0;
    const parts = cell.layers.map(({ layer, us }) => {
      const wide = WIDTH * meanOfUs(us) / most;
      const title = `${LAYER_TITLES[layer]} ${usText(of(layer))}`;
      return drawnPart({ x: (x += wide) - wide, y: y + 18, wide, layer, name: title, more: ` µs ${each}` });
    });
    const title = cutToWidth(`${cell.name}: ${usText(whole)} µs of CPU time ${each}`, 140);
    return markup`<text x="0" y="${y + 12}" fill="currentColor">${title}</text>${parts}`;
  });
  return picture(cells.length * BAR, `CPU time of ${each} by layer`, rows);
}
