/** The frame of a drawing: its question and answer, the meaning of colours, its figures, and ways to copy it. */
import * as Plot from "@observablehq/plot";
import { type Look, paint } from "../report/look.ts";
import { BLANK, markdownFile, markdownTable, type MarkdownText, md } from "../report/markdown.ts";
import type { Chart } from "./chart-look.ts";
import { drawn, htmlOf } from "./drawn.ts";
import { type Html, markup } from "./html.ts";
import { scrollTable } from "./table-html.ts";

/** Charts that have something to draw, for a place so many pixels wide: two of the narrow ones share a wide row. */
export function figures(charts: readonly Chart[], width: number): Html {
  const half = width >= 980 ? Math.floor((width - 32) / 2) : width;
  return markup`${
    charts.map((chart) => {
      const drawing = chart.draw(Math.max(280, chart.wide ? width : half));
      return drawing === null ? null : chartFigure(chart, htmlOf(drawing));
    })
  }`;
}

/** A chart on a card that has its question. Its explanation, its figures and ways to copy it are folded. */
export function cardFigure(chart: Chart, width: number): Html {
  const drawing = chart.draw(width);
  return markup`<figure id="chart-${chart.id}"><div class="drawing">${drawing === null ? null : htmlOf(drawing)}</div>
<div class="figtools"><details><summary>How to read it, and its data</summary><p>${chart.note}</p>${tableOf(chart)}${
    copiesOf(chart)
  }</details></div></figure>`;
}

function chartFigure(chart: Chart, drawing: Html): Html {
  const { id, title, answer = "", note, wide } = chart;
  const short = answer === "" ? null : markup`<p class="short">${answer}</p>`;
  const caption = note === "" ? null : markup`<figcaption>${note}</figcaption>`;
  return markup`<figure id="chart-${id}" class="${wide ? "wide" : "half"}"><h3>${title}</h3>${short}${legendOf(chart)}
<div class="drawing">${drawing}</div>${caption}<div class="figtools"><details><summary>Show data</summary>${
    tableOf(chart)
  }</details>${copiesOf(chart)}</div></figure>`;
}

function legendOf({ legend }: Chart): Html | null {
  if (legend === undefined || legend.size < 2) return null;
  const keys = [...legend].map(([text, look]) => markup`<li>${keyOf(look)} ${text}</li>`);
  return markup`<ul class="legend">${keys}</ul>`;
}

function keyOf(look: Look): Html {
  const mark = Plot.dot([0], { frameAnchor: "middle", symbol: look.shape, r: 4.5, fill: paint(look) });
  const key = drawn({ width: 14, height: 14, margin: 0, ariaLabel: "", marks: [mark] });
  key.setAttribute("aria-hidden", "true");
  return htmlOf(key);
}

function tableOf({ title, table }: Chart): Html {
  const { heads, rows } = table();
  return scrollTable(title, heads, rows);
}

function copiesOf({ id, title }: Chart): Html[] {
  return ([["svg", "Copy SVG"], ["markdown", "Copy Markdown"]] as const).map(([kind, text]) =>
    markup`<button type="button" data-copy="${kind}" data-chart="${id}">${text}<span class="quiet"> of: ${title}</span></button>`
  );
}

/** A chart's figures in Markdown, its question above them. */
export function chartMarkdown({ title, note, table }: Pick<Chart, "title" | "note" | "table">): MarkdownText {
  const { heads, rows } = table();
  return markdownFile([
    md`**${title}**`,
    BLANK,
    ...markdownTable({ heads, rows, isText: () => true }),
    BLANK,
    md`${note}`,
    BLANK,
  ]);
}
