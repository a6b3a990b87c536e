/** The frame of a drawing: its question and answer, the meaning of colours, its figures, and ways to copy it. */
import * as Plot from "#plot";
import { lookColour, type ValueLook } from "../report/look.ts";
import type { Chart } from "./chart-look.ts";
import { chartPicture, htmlOf } from "./drawn.ts";
import { type Html, markup } from "./html.ts";
import { scrollTable } from "./table-html.ts";

/** The widths of a drawing in pixels, by the classes of the screens that show it; style.css has the screens' limits. */
type Widths = readonly (readonly [screens: string, width: number])[];

/** A drawing as wide as the page: 1180 px and more, less or paper, less than 748 px. */
const PAGE_WIDE: Widths = [["on-wide", 1_132], ["on-middle", 700], ["on-narrow", 332]];
const CARD_WIDE: Widths = [["on-wide", 1_094], ["on-middle", 662], ["on-narrow", 294]];

/** Returns a drawing in each of its widths, of which a screen shows one; null if there is nothing to draw. */
function drawings(draw: Chart["draw"], widths: Widths): Html | null {
  const made = widths.flatMap(([screens, width]) => {
    const drawing = draw(width);
    return drawing === null ? [] : [markup`<div class="${screens}">${htmlOf(drawing)}</div>`];
  });
  return made.length === 0 ? null : markup`<div class="drawing">${made}</div>`;
}

/** Returns the charts that have something to draw. */
export function figures(charts: readonly Chart[]): Html {
  return markup`${
    charts.map((chart) => {
      const drawing = drawings(chart.draw, PAGE_WIDE);
      return drawing === null ? null : chartFigure(chart, drawing);
    })
  }`;
}

/** A chart on a card that has its question. Its explanation, its figures and ways to copy it are folded. */
export function cardFigure(chart: Chart): Html {
  return markup`<figure id="chart-${chart.id}">${drawings(chart.draw, CARD_WIDE)}
<div class="figtools"><details><summary>How to read it, and its data</summary><p>${chart.note}</p>${tableOf(chart)}${
    copyOf(chart)
  }</details></div></figure>`;
}

function chartFigure(chart: Chart, drawing: Html): Html {
  const { id, title, answer = "", note } = chart;
  const short = answer === "" ? null : markup`<p class="short">${answer}</p>`;
  const caption = note === "" ? null : markup`<figcaption>${note}</figcaption>`;
  return markup`<figure id="chart-${id}"><h3>${title}</h3>${short}${
    legendOf(chart)
  }${drawing}${caption}<div class="figtools"><details><summary>Show data</summary>${tableOf(chart)}</details>${
    copyOf(chart)
  }</div></figure>`;
}

function legendOf({ legend }: Chart): Html | null {
  if (legend === undefined || legend.size < 2) return null;
  const keys = [...legend].map(([text, look]) => markup`<li>${keyOf(look)} ${text}</li>`);
  return markup`<ul class="legend">${keys}</ul>`;
}

function keyOf(look: ValueLook): Html {
  const mark = Plot.dot([0], { frameAnchor: "middle", symbol: look.shape, r: 4.5, fill: lookColour(look) });
  const key = chartPicture({ width: 14, height: 14, margin: 0, ariaLabel: "", marks: [mark] });
  key.setAttribute("aria-hidden", "true");
  return htmlOf(key);
}

function tableOf({ title, table }: Chart): Html {
  const { heads, rows } = table();
  return scrollTable(title, heads, rows);
}

const copyOf = ({ title }: Chart): Html =>
  markup`<button type="button" class="scripted" data-copy="svg">Copy SVG<span class="quiet"> of: ${title}</span></button>`;
