import { type Solo, solosOf } from "../judge/lines.ts";
import type { CellCard } from "../record/card.ts";
import { cellName, MAIN } from "../record/cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { type ComparedRun, compareRuns, type RunComparison } from "../result/compare-runs.ts";
import { type LinkSeen, linkSeen } from "../result/link-seen.ts";

/** A run as its folder publishes it. */
interface RunResults {
  readonly run: RunRecord;
  readonly summary: Summary;
  readonly cells: readonly CellCard[];
}

/** A run as its folder publishes it, with the lines of its journal. */
export interface RunFiles extends RunResults {
  readonly lines: readonly Observation[];
}

/** A run ready to be shown. */
export interface ShownRun extends RunResults {
  /** Loads of each cell alone, by the cell's name. */
  readonly solos: ReadonlyMap<string, readonly Solo[]>;
  readonly link: LinkSeen | null;
}

/** Everything the page shows. */
export interface PageData {
  readonly runs: readonly ShownRun[];
  /** The first run against each later one. */
  readonly comparisons: readonly RunComparison[];
}

/** Returns the data of a page of one or several runs: their published files, the evidence of each cell, what differs. */
export function pageData(runs: readonly RunFiles[]): PageData {
  const [first, ...later] = runs.map(({ run, summary, cells: cards, lines }): ComparedRun => {
    // The label for comparisons between runs: `main`, or the only one of a run with --label.
    const labels = run.plan.cells.map(({ label }) => label);
    const label = labels.includes(MAIN) ? MAIN : labels[0] ?? MAIN;
    return { run, summary, cards, label, lines };
  });
  return {
    runs: runs.map(({ run, summary, cells, lines }) => ({
      ...{ run, summary, cells },
      solos: Map.groupBy(lines.flatMap(solosOf), ({ member }) => cellName(run.plan.axes, member.cell)),
      link: linkSeen(lines),
    })),
    comparisons: first === undefined ? [] : later.map((run) => ({ ...compareRuns(first, run), across: null })),
  };
}
