import { textOf } from "../record/cell.ts";
import type { RunRecord } from "../record/run-record.ts";
import { inWords } from "../record/in-words.ts";
import { counted, formatRate } from "../basics/units.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { answerBlock } from "../report/answer-block.ts";
import { blockMarkdown, blockText } from "../report/block-text.ts";
import { GRADE_MEANING, machinesText } from "../report/machine-text.ts";
import { sampleText } from "../report/metrics.ts";
import { judgedQuestions, placeTable } from "../report/place-table.ts";
import { styleFor } from "../report/style.ts";
import { stepTables } from "../report/step-table.ts";
import {
  BLANK,
  type Markdown,
  markdownBlock,
  markdownCode,
  markdownFile,
  type MarkdownText,
  md,
  tablesMarkdown,
  trustedMarkdown,
} from "../report/markdown.ts";
import { tablesText } from "../report/table.ts";
import { metricTable } from "./markdown.ts";
import { figureOf } from "../report/figures.ts";

/** The part of a page between `<!-- results/NAME:begin -->` and `:end`, or of `results/NAME PART`. */
const BLOCK = /<!-- results\/([\w.-]+)( \w+)?:begin -->[^]*?<!-- results\/\1\2:end -->/g;

const COLUMNS = 110;

const PART_COLUMNS = 76;

const PARTS: Readonly<Record<string, (files: RunFiles) => string>> = {
  answer: ({ run, summary }) => {
    const { next: _, ...block } = answerBlock({ run, summary, columns: PART_COLUMNS });
    return blockText(run.plan, { ...block, next: [] }, PLAIN);
  },
  steps: ({ run, summary }) => tablesText(stepTables(summary, run.plan), { ...PLAIN, columns: COLUMNS }),
};
const PLAIN = { style: styleFor(false, { NO_COLOR: "1" }), columns: PART_COLUMNS };

/** Returns a page whose blocks are written from the runs they name; all else stays. Throws a RangeError for an unknown part. */
export const withResults = (page: string, filesOf: (name: string) => RunFiles): MarkdownText =>
  trustedMarkdown(page.replaceAll(BLOCK, (_, name: string, part = "") => {
    const text = markdownFile(part === "" ? blockOf(name, filesOf(name)) : partOf(part.trim(), filesOf(name)));
    // A formatter would lay it out anew.
    const kept = `<!-- deno-fmt-ignore-start -->\n\n${text}\n<!-- deno-fmt-ignore-end -->`;
    return `<!-- results/${name}${part}:begin -->\n${kept}\n<!-- results/${name}${part}:end -->`;
  }));

function partOf(part: string, files: RunFiles): Markdown[] {
  const written = PARTS[part];
  if (written === undefined) throw new RangeError(`"${part}" is no part of a run: ${Object.keys(PARTS).join(", ")}`);
  return [markdownBlock(written(files).trim()), BLANK];
}

/** The block of a run: answer, ratios, rates with their marks, figures that others published, and the run's name. */
function blockOf(name: string, files: RunFiles): Markdown[] {
  const { run, summary, cells } = files;
  const block = answerBlock({ run, summary, columns: Infinity });
  const others = judgedQuestions({ run, summary }).filter(({ title }) => title !== block.table?.of)
    .map((question) => {
      const { of, ...table } = placeTable({ run, summary }, question, Infinity, false);
      return { ...table, title: `${of}: ${table.title}` };
    });
  const published = publishedLines(run);
  const alone = Math.max(0, ...run.plan.solo.map((one) => one.rounds));
  return [
    ...blockMarkdown(run.plan, { ...block, next: [] }),
    BLANK,
    ...tablesMarkdown(others),
    ...(summary.latency !== undefined || alone === 0 ? [] : [
      md`${inWords(run.plan, "Requests per second")} of each server alone, ${sampleText(cells)}:`,
      BLANK,
      ...metricTable(run, summary, cells),
      BLANK,
    ]),
    ...(published.length === 0 ? [] : [...published, BLANK]),
    runSentence(name, run),
    BLANK,
  ];
}

/** Returns where a run of results/ stands, its amounts, its machine and its runtimes, for a page two folders down. */
export function runSentence(name: string, run: RunRecord): Markdown {
  const { plan: { rounds, duration_ms }, grade: { grade }, runtimes } = run;
  const versions = runtimes.map(({ name, version }) => `${name} ${version}`).join(", ");
  return md`From [${markdownCode(`results/${name}`)}](../../results/${name}/): ${
    counted(rounds, "round")
  }, windows of ${duration_ms / 1_000} s, on ${machinesText(run)}, grade **${grade}** (${
    GRADE_MEANING[grade]
  }), ${`${versions}.`}`;
}

/** Figures that others published, as the suite has them: a line for each source. */
function publishedLines({ plan }: RunRecord): Markdown[] {
  const published = plan.expectations.flatMap((one) => one.kind === "published" ? [one] : []);
  const bySource = Map.groupBy(published, ({ source }) => source);
  return [...bySource].map(([source, some]) => {
    const values = some.map(({ at, metric, value }) => {
      const place = plan.axes.filter(({ name }) => name in at).map((axis) => textOf(axis, at)).join(", ");
      const { unit } = figureOf(metric);
      return `${place === "" ? "all" : place} ${formatRate(value)}${unit === "req/s" ? "" : ` ${unit}`}`;
    });
    return md`- Published, ${`${source}: ${values.join("; ")}.`}`;
  });
}
