import { usageError } from "../basics/errors.ts";
import { AA, cardFile, MAIN } from "../record/cell.ts";
import { type CellCard, cellCard } from "../record/card.ts";
import { makeCellCards } from "./cell-card.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { ComparedRun } from "./compare-runs.ts";
import { summaryOf } from "./summary-of.ts";
import { type Summary, summarySchema } from "../record/summary.ts";

/** The published files of a run. They follow from run.json and journal.ndjson alone. */
export interface Published {
  /** In the order of the plan, then those of points that cannot be. */
  readonly cards: readonly CellCard[];
  readonly summary: Summary;
  /** The content of each file by its name in the run's folder. */
  readonly files: ReadonlyMap<string, unknown>;
}

/** Derives everything published from a run's plan and journal. Throws when it would break its schema. */
export function publish(run: RunRecord, journal: readonly Observation[]): Published {
  const cards = makeCellCards(run, journal).map((card) => cellCard.parse(card));
  const summary = summarySchema.parse(summaryOf(run, journal, cards));
  const files = new Map<string, unknown>(cards.map((card) => [cardFile(run.plan.axes, card.cell), card]));
  files.set("summary.json", summary);
  return { cards, summary, files };
}

/** Returns a run as a side of a comparison, by its label, else `main`, else its first. Throws a usage error. */
export function comparedRun(run: RunRecord, lines: readonly Observation[], label: string | undefined): ComparedRun {
  const labels = [...new Set(run.plan.cells.map((cell) => cell.label))].filter((known) => known !== AA);
  const chosen = label ?? (labels.includes(MAIN) ? MAIN : labels[0] ?? MAIN);
  if (!labels.includes(chosen)) {
    throw usageError(`run "${run.run}" has no label "${chosen}"`, `it has ${labels.join(", ")}`);
  }
  return { run, lines, ...publish(run, lines), label: chosen };
}
