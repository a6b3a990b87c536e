import type { CellFigures, Parts } from "../record/card.ts";
import { linkSeen } from "../result/link-seen.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { cellTables } from "./cell-table.ts";
import { isFaulty } from "./badge.ts";
import { answerBlock } from "./answer-block.ts";
import { BLOCK_COLUMNS, blockText } from "./block-text.ts";
import { evidenceLines, faultyLines } from "./evidence-lines.ts";
import { figureTable } from "./figure-table.ts";
import { judgedQuestions, placeTable } from "./place-table.ts";
import { MOMENTS } from "../result/memory.ts";
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
  options: TextOptions,
): string {
  const { style } = options;
  if (summary.latency !== undefined) {
    return [
      markLines(summary, options),
      ratesText(run, summary, cards, options),
      tablesText([...routeTables(cards), ...workerTables(cards)], options),
      serviceSummary(run.plan, cards, options),
    ].join("");
  }
  const head = markLines(summary, options) +
    (cards.length === 0 ? "" : blockText(
      run.plan,
      answerBlock({
        run,
        summary,
        ...options,
        columns: Math.min(options.columns, BLOCK_COLUMNS),
        seen: linkSeen(lines),
      }),
      options,
    ));
  const steps = [
    tablesText(versionRows(run, summary, cards).map(versionTable), options),
    tablesText(stepTables(summary, run.plan), options),
  ];
  const isCompared = summary.answer.questions.length > 0;
  return options.all !== true
    ? [
      head,
      isCompared ? "" : figureTable(run, summary, cards, options),
      ...steps,
      faultyLines(cards.filter(isFaulty), options),
    ].join("")
    : [
      head,
      tablesText(
        judgedQuestions({ run, summary }).map((one) => placeTable({ run, summary }, one, options.columns, true)),
        options,
      ),
      figureTable(run, summary, cards, options),
      tablesText([...routeTables(cards), ...workerTables(cards), ...serviceTables(run.plan, cards)], options),
      serviceSummary(run.plan, cards, options),
      `${cellTables(run, summary, cards, options)}\n`,
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
      evidenceLines(run, summary, cards, options),
    ].join("");
}
