import { AA } from "../record/cell.ts";
import type { CellFigures } from "../record/card.ts";
import { inWords, isOfCalls } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { answerMarkdown } from "../report/answer.ts";
import { marksBeside } from "../report/question-texts.ts";
import { linkSeen } from "../result/link-seen.ts";
import { GRADE_MEANING, hostTexts, machinesText } from "../report/machine-text.ts";
import { fixedText, gridOf, layoutOf } from "../report/layout.ts";
import { badgeOf, marksByName } from "../report/badge.ts";
import { markdownTable, markdownText, tablesMarkdown } from "../report/table.ts";
import { intervalText, type Metric, METRICS, sampleText, shownMetrics, valueText } from "../report/metrics.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { rateTables, rateTexts } from "../report/rate-table.ts";
import { routeTables } from "../report/route-table.ts";
import { workerTables } from "../report/worker-table.ts";
import { stepTables } from "../report/step-table.ts";

/** Metrics that have a table in Markdown besides the rate, where cards tell them. */
const BESIDES: readonly Metric["key"][] = ["rows_per_second", "transfer_bytes_per_second", "error_share"];

/** Markdown for READMEs and pull requests: contradictions, the answer, rates and other metrics, routes, steps. */
export function toMarkdown(files: RunFiles): string {
  const { run, summary, cells } = files;
  const reported = marksBeside(summary).map((one) => `> **${markdownText(one.text)}**`);
  const wanted = isOfCalls(run.plan) ? [...BESIDES, "cpu_ns_per_request"] : BESIDES;
  const besides = shownMetrics(cells).filter(({ key }) => wanted.includes(key)).flatMap((metric) => [
    `**${inWords(run.plan, metric.title)}**`,
    "",
    metricTable(run, summary, cells, metric),
    "",
  ]);
  const { runtimes, generator } = run;
  const tools = [machinesText(run), ...runtimes.map(({ name, version }) => `${name} ${version}`), generator.name];
  const fixed = cells[0] === undefined ? "" : fixedText(layoutOf(run.plan), cells[0].cell);
  return [
    markdownText(`${summary.answer.subject}.`),
    "",
    ...(reported.length === 0 ? [] : [...reported, ""]),
    ...answerMarkdown(run, summary),
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
  const { server, load, link } = hostTexts(run, linkSeen(lines))!;
  return [
    "",
    `Servers on ${markdownText(server)}; load from ${markdownText(load)}; between them ${markdownText(link)}.`,
  ];
}

/** A metric in the plan's layout; marked cells say why. */
export function metricTable(
  { plan }: Pick<RunRecord, "plan">,
  summary: Summary,
  cells: readonly CellFigures[],
  metric: Metric = METRICS[0]!,
): string {
  const layout = layoutOf(plan);
  const shown = cells.filter(({ cell }) => cell.label !== AA);
  const marks = marksByName(summary);
  const field = (card: CellFigures | undefined) => {
    if (card === undefined) return "";
    const mark = badgeOf(card, marks(card.name).filter(({ effect }) => effect === "withholds"));
    const note = mark === null || (mark.level === "note" && card.status === "ok") ? "" : ` (${mark.text})`;
    return `${valueText(card, metric)} ${intervalText(card, metric)}`.trim() + note;
  };
  const grid = gridOf(layout, shown);
  return markdownTable({
    heads: [...grid.heads, ...grid.columns.map((text) => text || metric.unit)],
    rows: grid.rows.map(({ texts, cells }) => [...texts, ...cells.map(field)]),
    isText: (column) => column < grid.heads.length,
  }).join("\n");
}
