/** Draws charts with Observable Plot, as markup. */
import * as Plot from "#plot";
import { cutToWidth } from "../report/align.ts";
import { withColours } from "../report/palette.ts";
import { wrapped } from "../report/wrap.ts";
import { type Html, markup, markupText } from "./html.ts";
import { PAPER } from "./paper.ts";

const FONT = 'system-ui, "Segoe UI", Roboto, Inter, "DejaVu Sans", Arial, sans-serif';

/** Width that a letter takes, in pixels. */
export const LETTER_PX = 7.1;

/** A chart as one picture with a name. A table has its figures, so its parts need no names. */
export function chartPicture(options: Plot.PlotOptions & { readonly ariaLabel: string }): SVGSVGElement {
  const drawing = Plot.plot({ ...options, document: PAPER as unknown as Document, className: "plot" }) as SVGSVGElement;
  // The page has this style, and its policy allows no other.
  drawing.removeChild(drawing.firstChild!);
  for (const part of drawing.childNodes as unknown as Iterable<Element>) part.removeAttribute("aria-label");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("font-family", FONT);
  drawing.setAttribute("font-size", "12");
  return drawing;
}

/** Words in place of a chart that has nothing to show. */
export function drawnWords(words: string, width: number, ariaLabel = words): SVGSVGElement {
  const lines = wrapped(words, Math.floor(width / LETTER_PX));
  const text = { text: Plot.identity, frameAnchor: "top-left", textAnchor: "start", lineHeight: 1.5 } as const;
  const marks = [Plot.text([lines.join("\n")], { ...text, fill: "var(--soft)" })];
  return chartPicture({ width, height: 12 + 18 * lines.length, margin: 3, ariaLabel, marks });
}

/** A drawing, or any part of one, as markup. */
export function htmlOf(node: Node): Html {
  if (node.nodeType === 3) return markup`${node.nodeValue}`;
  const element = node as Element;
  const name = element.tagName;
  const attributes = element.getAttributeNames().map((key) =>
    markup` ${key}="${shortened(element.getAttribute(key)!)}"`
  );
  return markup`<${name}${attributes}>${[...element.childNodes].map(htmlOf)}</${name}>`;
}

/** Places with as many digits as can be seen, equal on every runtime. */
const shortened = (value: string) =>
  value.replace(/-?\d+\.\d{3,}/g, (digits) => String(Math.round(100 * Number(digits)) / 100));

/** A drawing at a place of a picture, enlarged. */
export function scaledChart(drawing: SVGSVGElement, x = 0, y = 0, scale = 1): Html {
  return markup`<g transform="translate(${x} ${y}) scale(${scale})" fill="currentColor" text-anchor="middle">${
    [...drawing.childNodes].map(htmlOf)
  }</g>`;
}

/** The parts of a picture. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly label: string;
  readonly body: Html;
}

/** An SVG file without scripts or styles from outside. */
export function pictureFile({ width, height, label, body }: Picture, theme: "light" | "both"): string {
  const svg =
    markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}" color="var(--ink)" fill="var(--ink)" font-family="${FONT}" font-size="12">${body}</svg>\n`;
  return withColours(markupText(svg), theme);
}

/** Drawings under each other, each below its title, in a file that follows the reader's light or dark. */
export function stackedPicture(
  label: string,
  width: number,
  parts: readonly { readonly title: string; readonly drawing: SVGSVGElement }[],
): string {
  let y = 0;
  const none = markup`<text x="8" y="18">${label}.</text>`;
  const body = parts.map(({ title, drawing }) => {
    const top = y;
    y += Number(drawing.getAttribute("height")) + 40;
    return markup`<text x="8" y="${top + 18}" font-size="14" font-weight="600">${cutToWidth(title, 110)}</text>${
      scaledChart(drawing, 8, top + 28)
    }`;
  });
  return pictureFile({
    width: width + 16,
    height: Math.max(30, y),
    label,
    body: markup`${body.length === 0 ? none : body}`,
  }, "both");
}
