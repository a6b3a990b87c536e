import { MAIN } from "../record/cell.ts";
import { type ComparedRun, compareRuns } from "../result/compare-runs.ts";
import { linkSeen } from "../result/link-seen.ts";
import { gatherEvidence, readLeanLine } from "./evidence.ts";
import type { PageData, RunResults } from "./page-data.ts";

/** The files of a run's folder, its raw lines as text. */
export interface RunFiles extends RunResults {
  readonly lines: readonly string[];
}

/**
 * The data of a page of one or several runs: their published files, the evidence behind each card, what differs. What holds
 * on several kinds of CPU the page finds itself, among the cells it shows.
 */
export function pageData(runs: readonly RunFiles[]): PageData {
  const read = runs.map((files) => ({ files, lines: files.lines.map(readLeanLine) }));
  const [first, ...later] = read.map(({ files: { run, summary, cells: cards }, lines }): ComparedRun => {
    // The label for comparisons between runs: `main`, or the only one of a run with --label.
    const labels = run.plan.cells.map(({ label }) => label);
    const label = labels.includes(MAIN) ? MAIN : labels[0] ?? MAIN;
    return { run, summary, cards, label, lines: lines.map(({ record }) => record) };
  });
  return {
    runs: read.map(({ files: { run, summary, cells }, lines }) => {
      const link = linkSeen(lines.map(({ record }) => record));
      return { run, summary, cells, evidence: gatherEvidence(run, lines), ...(link === null ? {} : { link }) };
    }),
    comparisons: first === undefined ? [] : later.map((run) => ({ ...compareRuns(first, run), across: null })),
  };
}
