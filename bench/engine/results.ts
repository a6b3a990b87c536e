import { type ComparedRun, compareRuns, type RunComparison } from "../result/compare-runs.ts";
import { comparedRun, publish, type Published } from "../result/published.ts";
import type { StoredRun } from "../runs/read-run.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { comparisonMarkdown, comparisonTable } from "../report/comparison-table.ts";
import { EXPORTS } from "../exports/registry.ts";
import { resultsText } from "../report/results-text.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { styleFor } from "../report/style.ts";

/** The plan and the measurements of a run, read from its folder or just ended. */
export type RunData = Pick<StoredRun, "run" | "lines">;

/**
 * Everything a run publishes, derived anew from its plan and raw lines alone: a card for each cell, the summary with its
 * answer and verdicts, and the files they stand in.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findRun, readRun, summarise } from "levelfield";
 * const { cards, summary } = summarise(readRun(findRun("results", "reference")));
 * assert.ok(cards.length > 0);
 * for (const { name, requests_per_second } of cards) console.log(name, requests_per_second);
 * console.log(summary.answer.sentence);
 * ```
 *
 * @throws ZodError when what follows would break its schema
 */
export function summarise({ run, lines }: RunData): Published {
  return publish(run, lines);
}

/** Which labels of two sides are compared; `main`, or the only one a run has, by default. */
export interface ComparedLabels {
  readonly under?: string;
  readonly over?: string;
}

/**
 * Holds a side against an earlier one, cell by cell; all cells are one family. A side is one run or several. Two labels of
 * one run are compared round by round; single runs get ratios and no verdict, three runs a side get both.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { compare, findRun, readRun } from "levelfield";
 * const run = readRun(findRun("results", "reference"));
 * const { cells, environment } = compare(run, run);
 * assert.ok(cells.length > 0 && environment.length === 0);
 * assert.ok(cells.every(({ comparison }) => comparison.verdict === "no-verdict"));
 * ```
 *
 * @param under what is compared with, such as the runs of before
 * @param over what became of it: ratios are its speed over that of `under`
 * @throws BenchError for a label a run does not have
 */
export function compare(
  under: RunData | readonly RunData[],
  over: RunData | readonly RunData[],
  labels: ComparedLabels = {},
): RunComparison {
  const side = (runs: RunData | readonly RunData[], label: string | undefined): ComparedRun[] =>
    ("run" in runs ? [runs] : runs).map(({ run, lines }) => comparedRun(run, lines, label));
  return compareRuns(side(under, labels.under), side(over, labels.over));
}

/** A form of a run's results: what the terminal shows, the page, and what other tools read. */
export type Format =
  | "text"
  | "html"
  | "markdown"
  | "csv"
  | "json"
  | "github-action-benchmark";

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
