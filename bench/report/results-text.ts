import type { CellFigures, Parts } from "../record/card.ts";
import { linkSeen } from "../result/link-seen.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { asReported } from "./as-reported.ts";
import { cellTables } from "./cell-table.ts";
import { isFaulty } from "./badge.ts";
import { answerBlock } from "./answer-block.ts";
import { BLOCK_COLUMNS, blockText } from "./block-text.ts";
import { evidenceLines, faultyLines } from "./evidence-lines.ts";
import { figureTable } from "./figure-table.ts";
import { judgedQuestions, placeTable } from "./place-table.ts";
import { MOMENTS } from "../result/memory.ts";
import { contrastTable } from "./contrast-table.ts";
import { ratesText } from "./rate-table.ts";
import { routeTables } from "./route-table.ts";
import { workerTables } from "./worker-table.ts";
import { serviceSummary, serviceTables } from "./service-table.ts";
import { stepTables } from "./step-table.ts";
import type { TextOptions } from "./style.ts";
import { tablesText } from "./table.ts";
import { versionRows, versionTable } from "./version-table.ts";
import { markLines, verdictLines } from "./verdict-lines.ts";

/** A run in text, by the axis its observations went along; of others what contradicts it, what to take, ratios, figures, what steps cost, and how sure it is. */
export function resultsText(
  run: RunRecord,
  summary: Summary,
  cards: readonly (CellFigures & Parts)[],
  lines: readonly Observation[],
  wish: TextOptions,
): string {
  const { style } = wish;
  if (summary.latency !== undefined) {
    return [
      markLines(summary, wish),
      ratesText(run, summary, cards, wish),
      tablesText([...routeTables(cards), ...workerTables(cards)], wish),
      serviceSummary(run.plan, cards, wish),
    ].join("");
  }
  if (summary.contrast !== undefined) {
    const reported = summary.contrast.map((one) => contrastTable(run, one, lines, wish));
    return markLines(summary, wish) + reported.join("\n");
  }
  const head = markLines(summary, wish) +
    (cards.length === 0 ? "" : blockText(
      run.plan,
      answerBlock({ run, summary, ...wish, columns: Math.min(wish.columns, BLOCK_COLUMNS), seen: linkSeen(lines) }),
      wish,
    ));
  const steps = [
    tablesText(versionRows(run, summary, cards).map(versionTable), wish),
    tablesText(stepTables(summary, run.plan), wish),
    asReported(run, lines, wish),
  ];
  const isCompared = summary.answer.questions.length > 0;
  return wish.all !== true
    ? [
      head,
      isCompared ? "" : figureTable(run, summary, cards, wish),
      ...steps,
      faultyLines(cards.filter(isFaulty), wish),
    ].join("")
    : [
      head,
      tablesText(
        judgedQuestions({ run, summary }).map((one) => placeTable({ run, summary }, one, wish.columns, true)),
        wish,
      ),
      figureTable(run, summary, cards, wish),
      tablesText([...routeTables(cards), ...workerTables(cards), ...serviceTables(run.plan, cards)], wish),
      serviceSummary(run.plan, cards, wish),
      `${cellTables(run, summary, cards, wish)}\n`,
      verdictLines(run, summary, style),
      ...(summary.memory ?? []).map(({ moment, families, noise_floor: noise }) =>
        verdictLines(
          run,
          { ...summary, families, noise_floor: { together: noise, solo: noise } },
          style,
          `Memory ${MOMENTS[moment]}`,
        )
      ),
      ...steps,
      evidenceLines(run, summary, cards, wish),
    ].join("");
}
