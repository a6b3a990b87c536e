/** What stands around a drawing: its question and answer, what colours mean, its figures, and ways to take it away. */
import { shapePath } from "../look.ts";
import { markdownTable, markdownText } from "../markdown-table.ts";
import type { Chart } from "./charts.ts";
import { type Html, markup } from "./html.ts";
import { scrollTable } from "./table-html.ts";

type Framed = Pick<Chart, "id" | "title" | "answer" | "note" | "wide" | "legend" | "table">;

/** A figure with room for its drawing, or with one that is there already. */
export function chartFigure(chart: Framed, drawing: Html | null = null): Html {
  const { id, title, answer, note, wide, legend } = chart;
  return markup`<figure id="chart-${id}" class="${wide ? "wide" : "half"}"><h3>${title}</h3>${
    answer === "" ? null : markup`<p class="short">${answer}</p>`
  }${
    legendOf(
      legend,
    )
  }<div class="drawing">${drawing}</div>${note === "" ? null : markup`<figcaption>${note}</figcaption>`}${
    toolsOf(chart)
  }</figure>`;
}

function legendOf(legend: Framed["legend"]): Html | null {
  if (legend.size < 2) return null;
  const keys = [...legend].map(([text, { colour, shape }]) =>
    markup`<li><svg class="key" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true"><path class="s${colour} decided" d="${
      shapePath(shape, 7, 7, 4.5)
    }"/></svg> ${text}</li>`
  );
  return markup`<ul class="legend">${keys}</ul>`;
}

function toolsOf({ id, title, table }: Framed): Html {
  const { heads, rows } = table();
  return markup`<div class="figtools"><details><summary>Show data</summary>${
    scrollTable(
      title,
      heads,
      rows.map((row) => [...row]),
    )
  }</details><button type="button" data-copy="svg" data-chart="${id}">Copy SVG<span class="quiet"> of: ${title}</span></button><button type="button" data-copy="markdown" data-chart="${id}">Copy Markdown<span class="quiet"> of: ${title}</span></button></div>`;
}

/** A chart's figures in Markdown, its question above them. */
export function chartMarkdown({ title, note, table }: Pick<Chart, "title" | "note" | "table">): string {
  const { heads, rows } = table();
  const lines = [heads, ...rows].map((row) => row.map(markdownText));
  return [
    `**${markdownText(title)}**`,
    "",
    ...markdownTable(lines, (n) => n < heads.length),
    "",
    markdownText(note),
    "",
  ]
    .join("\n");
}

/** What a drawing outside the page needs of how it looks here. */
const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

/** A drawing of the page as an SVG file that looks the same elsewhere. Runs in the browser only. */
export function standaloneSvg(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const own = [drawing, ...drawing.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  copies.forEach((element, n) => {
    const style = getComputedStyle(own[n]!);
    element.removeAttribute("style");
    element.removeAttribute("class");
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value !== "") element.setAttribute(name, value);
    }
  });
  for (const style of copy.querySelectorAll("style")) style.remove();
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}
