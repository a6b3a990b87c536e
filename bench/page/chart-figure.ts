/** What stands around a drawing: its question and answer, what colours mean, its figures, and ways to take it away. */
import * as Plot from "@observablehq/plot";
import { type Look, paint } from "../report/look.ts";
import { markdownTable, markdownText } from "../report/markdown-table.ts";
import type { Chart } from "./chart-look.ts";
import { drawn, htmlOf } from "./drawn.ts";
import { type Html, markup } from "./html.ts";
import { scrollTable } from "./table-html.ts";

type Framed = Pick<Chart, "id" | "title" | "answer" | "note" | "wide" | "legend" | "table">;

/** Charts that have something to draw, before any script has measured their place. */
export function stillFigures(charts: readonly Chart[], width = 1_130): Html {
  return markup`${
    charts.map((chart) => {
      const drawing = chart.draw(chart.wide ? width : width / 2);
      return drawing === null ? null : chartFigure(chart, htmlOf(drawing));
    })
  }`;
}

/** A drawing on a card, which says what it asks. How to read it, its figures and ways to take it away are folded. */
export function cardFigure(chart: Framed, drawing: Html | null = null): Html {
  const { id, note } = chart;
  return markup`<figure id="chart-${id}"><div class="drawing">${drawing}</div>
<div class="figtools"><details><summary>How to read it, and its data</summary><p>${note}</p>${tableOf(chart)}${
    copiesOf(chart)
  }</details></div></figure>`;
}

/** A figure with room for its drawing, or with one that is there already. */
export function chartFigure(chart: Framed, drawing: Html | null = null): Html {
  const { id, title, answer = "", note, wide } = chart;
  const short = answer === "" ? null : markup`<p class="short">${answer}</p>`;
  const caption = note === "" ? null : markup`<figcaption>${note}</figcaption>`;
  return markup`<figure id="chart-${id}" class="${wide ? "wide" : "half"}"><h3>${title}</h3>${short}${legendOf(chart)}
<div class="drawing">${drawing}</div>${caption}${toolsOf(chart)}</figure>`;
}

function legendOf({ legend }: Framed): Html | null {
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

function toolsOf({ id, title, table }: Framed): Html {
  return markup`<div class="figtools"><details><summary>Show data</summary>${tableOf({ title, table })}</details>${
    copiesOf({ id, title })
  }</div>`;
}

function tableOf({ title, table }: Pick<Framed, "title" | "table">): Html {
  const { heads, rows } = table();
  return scrollTable(title, heads, rows);
}

function copiesOf({ id, title }: Pick<Framed, "id" | "title">): Html[] {
  return ([["svg", "Copy SVG"], ["markdown", "Copy Markdown"]] as const).map(([kind, text]) =>
    markup`<button type="button" data-copy="${kind}" data-chart="${id}">${text}<span class="quiet"> of: ${title}</span></button>`
  );
}

/** A chart's figures in Markdown, its question above them. */
export function chartMarkdown({ title, note, table }: Pick<Chart, "title" | "note" | "table">): string {
  const { heads, rows } = table();
  return [
    `**${markdownText(title)}**`,
    "",
    ...markdownTable([heads, ...rows], (n) => n < heads.length),
    "",
    markdownText(note),
    "",
  ].join("\n");
}
