import { AA } from "../record/cell.ts";
import type { CellFigures } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { answerBlock } from "../report/answer-block.ts";
import { blockMarkdown, TABLE_COLUMNS } from "../report/block-text.ts";
import { marksBeside } from "../report/question-texts.ts";
import { linkSeen } from "../result/link-seen.ts";
import { readLeanLine } from "../page/evidence.ts";
import { GRADE_MEANING, hostTexts, machinesText } from "../report/machine-text.ts";
import { fixedText, gridOf, layoutOf } from "../report/layout.ts";
import { badgeOf, marksByName } from "../report/badge.ts";
import { markdownTable, markdownText, tablesMarkdown } from "../report/table.ts";
import { intervalText, sampleText, valueText } from "../report/metrics.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { rateTables, rateTexts } from "../report/rate-table.ts";
import { routeTables } from "../report/route-table.ts";
import { workerTables } from "../report/worker-table.ts";
import { stepTables } from "../report/step-table.ts";
import { type Figure, FIGURES, figuresIn } from "../report/figures.ts";

/** Markdown for READMEs and pull requests: contradictions, the answer, rates and other metrics, routes, steps. */
export function toMarkdown(files: RunFiles): string {
  const { run, summary, cells } = files;
  const reported = marksBeside(summary).map((one) => `> **${markdownText(one.text)}**`);
  const besides = figuresIn("markdown", run).filter(({ key }) => cells.some((card) => (card[key] ?? 0) > 0))
    .flatMap((figure) => [
      `**${inWords(run.plan, figure.title)}**`,
      "",
      metricTable(run, summary, cells, figure),
      "",
    ]);
  const { runtimes, generator } = run;
  const tools = [machinesText(run), ...runtimes.map(({ name, version }) => `${name} ${version}`), generator.name];
  const fixed = cells[0] === undefined ? "" : fixedText(layoutOf(run.plan), cells[0].cell);
  return [
    markdownText(`${summary.answer.subject}.`),
    "",
    ...(reported.length === 0 ? [] : [...reported, ""]),
    ...blockMarkdown(run.plan, answerBlock({ run, summary, columns: TABLE_COLUMNS })),
    "",
    ...(summary.latency === undefined ? [metricTable(run, summary, cells), "", ...besides] : [
      ...rateTexts(summary).map((text) => `- ${markdownText(text)}`),
      "",
      ...tablesMarkdown(rateTables(run.plan, summary, cells)),
    ]),
    ...tablesMarkdown([...routeTables(cells), ...workerTables(cells), ...stepTables(summary, run.plan)]),
    `${inWords(run.plan, "Requests per second")}${fixed === "" ? "" : ` (${markdownText(fixed)})`}, ${
      sampleText(cells)
    }. Grade **${run.grade.grade}**: ${GRADE_MEANING[run.grade.grade]}. ` +
    `Run ${markdownText(run.run)} of suite ${markdownText(run.plan.suite.name)} on ${markdownText(tools.join(", "))}.`,
    ...hostsMarkdown(files),
    "",
  ].join("\n");
}

function hostsMarkdown({ run, lines }: Pick<RunFiles, "run" | "lines">): string[] {
  if (run.hosts === undefined) return [];
  const { server, load, link } = hostTexts(run, linkSeen(lines.map((line) => readLeanLine(line).record)))!;
  return [
    "",
    `Servers on ${markdownText(server)}; load from ${markdownText(load)}; between them ${markdownText(link)}.`,
  ];
}

/** A figure in the plan's layout; marked cells say why. */
export function metricTable(
  { plan }: Pick<RunRecord, "plan">,
  summary: Summary,
  cells: readonly CellFigures[],
  figure: Figure = FIGURES[0]!,
): string {
  const layout = layoutOf(plan);
  const shown = cells.filter(({ cell }) => cell.label !== AA);
  const marks = marksByName(summary);
  const field = (card: CellFigures | undefined) => {
    if (card === undefined) return "";
    const mark = badgeOf(card, marks(card.name).filter(({ effect }) => effect === "withholds"));
    const note = mark === null || (mark.level === "note" && card.status === "ok") ? "" : ` (${mark.text})`;
    return `${valueText(card, figure)} ${intervalText(card, figure)}`.trim() + note;
  };
  const grid = gridOf(layout, shown);
  return markdownTable({
    heads: [...grid.heads, ...grid.columns.map((text) => text || figure.unit)],
    rows: grid.rows.map(({ texts, cells }) => [...texts, ...cells.map(field)]),
    isText: (column) => column < grid.heads.length,
  }).join("\n");
}
