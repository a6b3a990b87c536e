import { AA } from "../record/cell.ts";
import type { CellFigures } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { answerBlock } from "../report/answer-block.ts";
import { blockMarkdown } from "../report/block-text.ts";
import { marksBeside } from "../report/question-texts.ts";
import { linkSeen } from "../result/link-seen.ts";
import { GRADE_MEANING, hostTexts, machinesText } from "../report/machine-text.ts";
import { fixedText, gridOf, layoutOf } from "../report/layout.ts";
import { badgeOf, marksByName } from "../report/badge.ts";
import {
  BLANK,
  type Markdown,
  markdownFile,
  markdownTable,
  type MarkdownText,
  md,
  tablesMarkdown,
} from "../report/markdown.ts";
import { intervalText, sampleText, valueText } from "../report/metrics.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { rateTables, rateTexts } from "../report/rate-table.ts";
import { routeTables } from "../report/route-table.ts";
import { workerTables } from "../report/worker-table.ts";
import { stepTables } from "../report/step-table.ts";
import { type Figure, FIGURES, figuresIn } from "../report/figures.ts";

/** Markdown for READMEs and pull requests: contradictions, the answer, rates and other metrics, routes, steps. */
export function toMarkdown(files: RunFiles): MarkdownText {
  const { run, summary, cells } = files;
  const reported = marksBeside(summary).map((one) => md`> **${one.text}**`);
  const besides = figuresIn("markdown", run).filter(({ key }) => cells.some((card) => (card[key] ?? 0) > 0))
    .flatMap((figure) => [
      md`**${inWords(run.plan, figure.title)}**`,
      BLANK,
      ...metricTable(run, summary, cells, figure),
      BLANK,
    ]);
  const { runtimes, generator } = run;
  const tools = [machinesText(run), ...runtimes.map(({ name, version }) => `${name} ${version}`), generator.name];
  const fixed = cells[0] === undefined ? "" : fixedText(layoutOf(run.plan), cells[0].cell);
  return markdownFile([
    md`${`${summary.answer.subject}.`}`,
    BLANK,
    ...(reported.length === 0 ? [] : [...reported, BLANK]),
    ...blockMarkdown(run.plan, answerBlock({ run, summary, columns: Infinity })),
    BLANK,
    ...(summary.latency === undefined ? [...metricTable(run, summary, cells), BLANK, ...besides] : [
      ...rateTexts(summary).map((text) => md`- ${text}`),
      BLANK,
      ...tablesMarkdown(rateTables(run.plan, summary, cells)),
    ]),
    ...tablesMarkdown([...routeTables(cells), ...workerTables(cells), ...stepTables(summary, run.plan)]),
    md`${inWords(run.plan, "Requests per second")}${fixed === "" ? "" : md` (${fixed})`}, ${
      sampleText(cells)
    }. Grade **${run.grade.grade}**: ${
      GRADE_MEANING[run.grade.grade]
    }. Run ${run.run} of suite ${run.plan.suite.name} on ${`${tools.join(", ")}.`}`,
    ...hostsMarkdown(files),
    BLANK,
  ]);
}

function hostsMarkdown({ run, lines }: Pick<RunFiles, "run" | "lines">): Markdown[] {
  if (run.hosts === undefined) return [];
  const { server, load, link } = hostTexts(run, linkSeen(lines))!;
  return [
    BLANK,
    md`Servers on ${server}; load from ${load}; between them ${`${link}.`}`,
  ];
}

/** A figure in the plan's layout; marked cells say why. */
export function metricTable(
  { plan }: Pick<RunRecord, "plan">,
  summary: Summary,
  cells: readonly CellFigures[],
  figure: Figure = FIGURES[0]!,
): Markdown[] {
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
  });
}
