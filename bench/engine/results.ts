import { type ComparedRun, compareRuns, type RunComparison } from "../result/compare-runs.ts";
import { comparedRun, publish, type Published } from "../result/published.ts";
import type { StoredRun } from "../runs/read-run.ts";

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
