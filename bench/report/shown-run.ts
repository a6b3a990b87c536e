import { changesSince } from "../core/result/run-changes.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary } from "../core/result/summary.ts";
import { gatherEvidence, readLeanLine } from "./evidence.ts";
import type { PageData, ShownRun } from "./page/page-data.ts";

/** What a run's folder holds, its raw lines as text. */
export interface RunFiles {
  readonly run: RunRecord;
  readonly summary: Summary;
  readonly cells: readonly CellCard[];
  readonly lines: readonly string[];
}

/** A run ready to be shown: its published files and the evidence behind each card. */
export function shownRun({ run, summary, cells, lines }: RunFiles): ShownRun {
  return { run, summary, cells, evidence: gatherEvidence(run.started_at, lines.map(readLeanLine)) };
}

/** The data of a page of one or several runs. */
export function pageData(runs: readonly RunFiles[]): PageData {
  const [first, ...later] = runs;
  return {
    runs: runs.map(shownRun),
    changes: first === undefined ? [] : later.map(({ run }) => changesSince(first.run, run)),
  };
}
