import { counted } from "../basics/units.ts";
import { fitted } from "./align.ts";
import { forestPicture } from "./forest-picture.ts";
import { DARK, LIGHT, looksOf, short } from "./look.ts";
import { type Html, markup, markupText, ownMarkup } from "./page/html.ts";
import type { RunFiles } from "./shown-run.ts";
import { isJudged, type VerdictPanel, verdictPanels } from "./verdict-rows.ts";

const WIDTH = 860;
/** Rows of a question beyond these are counted only: a picture is read at a glance. */
const MOST_ROWS = 16;

/** The verdicts of a run, a panel for each question. */
export function panelsOf({ run: { plan }, summary }: Pick<RunFiles, "run" | "summary">): VerdictPanel[] {
  return verdictPanels({ plan, summary, answer: summary.answer });
}

/** The question of a panel, and how much of it is decided. */
function titleOf(panel: VerdictPanel): string {
  const { title, baseline, decided, of } = panel;
  const asked = isJudged(panel) ? `is anything faster than ${baseline}?` : "is any faster?";
  return `${title}: ${asked} ${decided} of ${counted(of, "comparison")} decided`;
}

/** What the picture shows, in words. */
export function pictureTitle(files: Pick<RunFiles, "run" | "summary">): string {
  const told = panelsOf(files).map(({ title, baseline, decided, of }) =>
    `${title}: ratios to ${baseline}, ${decided} of ${counted(of, "comparison")} decided`
  );
  return told.length === 0 ? "Nothing was compared" : told.join("; ");
}

/**
 * The verdicts of a run as an SVG file: for each question the ratios to its pick with their intervals, filled where they
 * are decided. It stands in README.md, where no script runs, so it is drawn here without a browser; it follows the
 * reader's light or dark.
 */
export function verdictPicture(files: Pick<RunFiles, "run" | "summary">): string {
  let y = 0;
  const drawn = panelsOf(files).map((panel) => {
    const { body, height } = forestPicture(panel, { width: WIDTH, looks: looksOf(panel.values), mostRows: MOST_ROWS });
    const part = markup`<text class="title" x="0" y="${short(y + 18)}">${
      fitted(titleOf(panel), 110)
    }</text><g transform="translate(0 ${short(y + 28)})">${body}</g>`;
    y += height + 40;
    return part;
  });
  const none = drawn.length > 0 ? null : markup`<text x="0" y="18">Nothing was compared.</text>`;
  return markupText(markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 ${WIDTH + 16} ${
    Math.max(
      30,
      Math.ceil(y),
    )
  }" role="img" aria-label="${pictureTitle(files)}">${pictureStyle("both")} ${drawn}${none}</svg>`);
}

const INK = { light: ["#1b1e23", "#565d67", "#dfdcd5", "#ffffff"], dark: ["#e9e7e2", "#a9b0bb", "#343942", "#14161a"] };

/** The style of a picture outside the page: light, or as the reader's device is. */
export function pictureStyle(theme: "both" | "light"): Html {
  const font = 'system-ui,"Segoe UI",Roboto,Inter,"DejaVu Sans",Arial,sans-serif';
  const rules = ([ink, soft, line, paper]: readonly string[], colours: readonly string[]) =>
    `text{fill:${ink}}.tick,.under,.beside.open,.soft{fill:${soft}}.grid{stroke:${line}}.one{stroke:${ink}}` +
    `.band{fill:${soft}}.forest .open{fill:${paper}}.forest .beside.open{fill:${soft}}.paper{fill:${paper}}` +
    colours.map((colour, n) => `.s${n}{stroke:${colour}}.s${n}.decided{fill:${colour}}`).join("");
  const dark = theme === "both" ? `@media(prefers-color-scheme:dark){${rules(INK.dark, DARK)}}` : "";
  return ownMarkup(
    `<style>text{font:12.5px ${font}}.title{font-size:14px;font-weight:600}.lead{font-size:20px}.big{font-size:38px;font-weight:700}.small{font-size:18px}.sub{font-size:17px;font-weight:600}.head{font-weight:600}.one{stroke-width:1.5}` +
      `.band{fill-opacity:.22}.range{fill:none;stroke-width:2}path.open{stroke-width:1.8}${
        rules(INK.light, LIGHT)
      }${dark}</style>`,
  );
}
