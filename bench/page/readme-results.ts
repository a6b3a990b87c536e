import { counted } from "../basics/units.ts";
import { contextTexts, visibleText } from "../report/answer.ts";
import { GRADE_MEANING, machinesText } from "../report/machine-text.ts";
import { BLANK, type Markdown, markdownCode, markdownCommand, markdownFile, md } from "../report/markdown.ts";
import { marksBeside, questionTexts } from "../report/question-texts.ts";
import type { RunFiles } from "./shown-run.ts";
import { stackedPicture } from "./drawn.ts";
import { forest } from "./forest.ts";
import { decidedText } from "../result/verdict-counts.ts";
import { cellKey } from "../record/cell.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import { whyCommand } from "../report/rerun-command.ts";
import { explainedBetween } from "../why/explained-between.ts";
import { isJudged, type VerdictPanel, verdictPanels } from "../report/verdict-rows.ts";

/** Between these two lines README.md is written by `bench report reference --readme`. */
const BEGIN = "<!-- results:begin -->";
const END = "<!-- results:end -->";

/** Where the picture stands, from the project's folder. */
export const PICTURE = "docs/pictures/verdicts.svg";

/** A file of the project that follows from a run: its path from the project's folder and what stands in it. */
interface DerivedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * README.md and its picture as they follow from a run; the rest of README.md stays as it is.
 *
 * @throws RangeError when README.md has no markers
 */
export function readmeFiles(
  readme: string,
  files: RunFiles,
  explanations: readonly Explanation[] = [],
): DerivedFile[] {
  const begin = readme.indexOf(BEGIN), end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new RangeError(`README.md has no lines "${BEGIN}" and "${END}"`);
  const text = `${readme.slice(0, begin + BEGIN.length)}\n\n${markdownFile(resultsBlock(files, explanations))}\n${
    readme.slice(end)
  }`;
  return [{ path: "README.md", text }, { path: PICTURE, text: verdictPicture(files) }];
}

/** The answer, what it holds for and how sure it is, its picture, and the run it follows from. */
function resultsBlock({ run, summary, ...rest }: RunFiles, explanations: readonly Explanation[]): Markdown[] {
  const marks = marksBeside(summary).flatMap(({ text }) => [md`> **${text}**`, BLANK]);
  const questions = questionTexts(summary.answer);
  const { grade } = run.grade;
  const versions = run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ");
  return [
    md`${`${summary.answer.subject}:`}`,
    BLANK,
    ...marks,
    ...questions.flatMap(({ title, texts: [first, ...more] }) => [
      md`- **${`${title}: ${first}`}**`,
      ...more.map((text) => md`  - ${text}`),
    ]),
    ...(questions.length === 0 ? [md`- ${summary.answer.sentence}`] : []),
    BLANK,
    ...whyTexts({ run, summary }, explanations),
    ...contextTexts(summary.answer).map((text) => md`${text}`),
    md`${`${questions.map(({ title, decided }) => `${title}: ${decided}`).join("; ")}; ${visibleText(summary)}.`}`,
    BLANK,
    md`![${pictureTitle({ run, summary, ...rest })}](${PICTURE})`,
    BLANK,
    md`Run ${markdownCode(run.run)} on ${machinesText(run)}, ${counted(run.machine.cpus, "CPU")}, grade **${grade}** (${
      GRADE_MEANING[grade]
    }), with ${`${versions}.`}`,
    BLANK,
  ];
}

/** Returns why the value that is named first is faster: what passes of `bench explain` say, or the command that does. */
function whyTexts(
  { run, summary }: Pick<RunFiles, "run" | "summary">,
  explanations: readonly Explanation[],
): Markdown[] {
  const why = whyCommand(run, summary);
  if (why === null) return [];
  const keys = why.cells.map(cellKey);
  const found = explanations.find(({ cells }) =>
    cells.length === 2 && cells.every(({ cell }) => keys.includes(cellKey(cell)))
  );
  const explained = found === undefined ? null : explainedBetween(found.cells[0]!, found.cells[1]!, found);
  const question = `Why is ${why.over} faster than ${why.under}?`;
  return [
    explained === null
      ? md`${question} ${markdownCommand(why.command)} says it.`
      : md`${`${question} ${explained.sentence}`}`,
    BLANK,
  ];
}

const WIDTH = 860;

/** The verdicts of a run, a panel for each question. */
export function panelsOf({ run: { plan }, summary }: Pick<RunFiles, "run" | "summary">): VerdictPanel[] {
  return verdictPanels({ plan, summary });
}

function titleOf(panel: VerdictPanel): string {
  const { title, baseline, decided, of: all } = panel;
  const question = isJudged(panel) ? `how many times as fast as ${baseline}?` : "is any faster?";
  return `${title}: ${question} ${decidedText({ decided, all })}`;
}

function pictureTitle(files: Pick<RunFiles, "run" | "summary">): string {
  const reported = panelsOf(files).map(({ title, baseline, decided, of: all }) =>
    `${title}: ratios to ${baseline}, ${decidedText({ decided, all })}`
  );
  const subject = files.summary.answer.subject;
  return reported.length === 0 ? `${subject}: nothing was compared` : `${subject}. ${reported.join("; ")}`;
}

/**
 * The verdicts of a run as an SVG file: for each question the ratios to its slowest value with their intervals. It stands in
 * README.md, where no script runs.
 */
export function verdictPicture(files: Pick<RunFiles, "run" | "summary">): string {
  const parts = panelsOf(files).map((panel) => {
    const title = titleOf(panel);
    return { title, drawing: forest(panel, { width: WIDTH, label: title }) };
  });
  return stackedPicture(pictureTitle(files), WIDTH, parts);
}
