import type { RunComparison } from "../result/compare-runs.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { comparisonMarkdown, comparisonTable } from "../report/comparison-table.ts";
import { EXPORTS } from "../exports/registry.ts";
import { resultsText } from "../report/results-text.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { styleFor } from "../report/style.ts";
import { type RunData, summarise } from "./results.ts";

/** A form of a run's results: what the terminal shows, the page, and what other tools read. */
export type Format =
  | "text"
  | "html"
  | "markdown"
  | "csv"
  | "json"
  | "benchstat"
  | "bencher"
  | "github-action-benchmark"
  | "shields";

const PLAIN = styleFor(false, { NO_COLOR: "1" });

/**
 * A run in another form, the whole text. `text` is what the command line prints, without colours; `html` one page that
 * needs no other file and no network.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findRun, readRun, render } from "levelfield";
 * const run = readRun(findRun("results", "reference"));
 * assert.match(await render(run, "csv"), /requests_per_second/);
 * assert.match(await render(run, "html"), /^<!doctype html>/);
 * console.log(await render(run, "text"));
 * ```
 *
 * @throws BenchError for a format there is not
 */
export async function render(data: RunData, format: Format): Promise<string> {
  const { run, lines } = data;
  const files = filesOf(data);
  if (format === "text") {
    return resultsText(run, files.summary, files.cells, lines, { style: PLAIN, columns: Infinity });
  }
  if (format === "html") {
    const [{ makePage }, { pageData }] = await Promise.all([
      import("../page/make-page.ts"),
      import("../page/shown-run.ts"),
    ]);
    return makePage(pageData([files]));
  }
  if (!Object.hasOwn(EXPORTS, format)) throw unknownName("format", format, ["text", "html", ...Object.keys(EXPORTS)]);
  return EXPORTS[format]!.render(files);
}

/**
 * Two sides held against each other, as a table in plain text or in Markdown.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { compare, findRun, readRun, renderComparison } from "levelfield";
 * const run = readRun(findRun("results", "reference"));
 * const text = renderComparison(["before", "after"], compare(run, run), "markdown");
 * assert.match(text, /before.*after/);
 * ```
 *
 * @param names what the sides are called
 */
export function renderComparison(
  names: readonly [string, string],
  comparison: RunComparison,
  format: "text" | "markdown",
): string {
  return format === "text"
    ? comparisonTable(names, comparison, { style: PLAIN, columns: Infinity })
    : comparisonMarkdown(names, comparison);
}

/**
 * A run as a picture to share, 1200 × 630 pixels: SVG text, and the bytes of a PNG.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findRun, readRun, renderCard } from "levelfield";
 * const { svg, png } = await renderCard(readRun(findRun("results", "reference")));
 * assert.match(svg, /^<svg/);
 * assert.equal(String.fromCharCode(...png.slice(1, 4)), "PNG");
 * ```
 */
export async function renderCard(data: RunData): Promise<{ readonly svg: string; readonly png: Uint8Array }> {
  const { cardPicture, pngOf } = await import("../page/card-picture.ts");
  const svg = cardPicture(filesOf(data));
  return { svg, png: await pngOf(svg) };
}

function filesOf(data: RunData): RunFiles {
  const { cards, summary } = summarise(data);
  return { run: data.run, summary, cells: cards, lines: data.lines };
}
