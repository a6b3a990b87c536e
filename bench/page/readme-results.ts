import { answerBlock } from "../report/answer-block.ts";
import { blockMarkdown } from "../report/block-text.ts";
import { BLANK, type Markdown, markdownCode, markdownFile, md } from "../report/markdown.ts";
import { marksBeside } from "../report/question-texts.ts";
import type { RunFiles } from "./shown-run.ts";
import { stackedPicture } from "./drawn.ts";
import { forest } from "./forest.ts";
import { decidedText } from "../result/verdict-counts.ts";
import { isPanelJudged, type VerdictPanel, verdictPanels } from "../report/verdict-rows.ts";

/** Between these two lines README.md is written by `bench report reference --readme`. */
const BEGIN = "<!-- results:begin -->";
const END = "<!-- results:end -->";

/** The path of the picture in the project. */
export const PICTURE = "docs/pictures/verdicts.svg";

/** A file of the project that is derived from a run: its path in the project, and its content. */
interface DerivedFile {
  readonly path: string;
  readonly text: string;
}

/** README.md and its picture as they follow from a run. Throws a RangeError for a README.md without markers. */
export function readmeFiles(
  readme: string,
  files: RunFiles,
): DerivedFile[] {
  const begin = readme.indexOf(BEGIN), end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new RangeError(`README.md has no lines "${BEGIN}" and "${END}"`);
  const text = `${readme.slice(0, begin + BEGIN.length)}\n\n${markdownFile(resultsBlock(files))}\n${readme.slice(end)}`;
  return [{ path: "README.md", text }, { path: PICTURE, text: verdictPicture(files) }];
}

function resultsBlock(files: RunFiles): Markdown[] {
  const { run, summary } = files;
  const marks = marksBeside(summary).flatMap(({ text }) => [md`> **${text}**`, BLANK]);
  const versions = run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ");
  const block = answerBlock({ run, summary, columns: Infinity });
  return [
    ...marks,
    ...blockMarkdown(run.plan, { ...block, next: [] }),
    BLANK,
    md`![${pictureTitle(files)}](${PICTURE})`,
    BLANK,
    md`Run ${markdownCode(run.run)}, with ${`${versions}.`}`,
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
  const question = isPanelJudged(panel) ? `how many times as fast as ${baseline}?` : "is any faster?";
  return `${title}: ${question} ${decidedText({ decided, all })}`;
}

function pictureTitle(files: Pick<RunFiles, "run" | "summary">): string {
  const reported = panelsOf(files).map(({ title, baseline, decided, of: all }) =>
    `${title}: ratios to ${baseline}, ${decidedText({ decided, all })}`
  );
  const subject = files.summary.answer.subject;
  return reported.length === 0 ? `${subject}: nothing was compared` : `${subject}. ${reported.join("; ")}`;
}

/** The verdicts of a run as an SVG file: for each question the ratios to its slowest value with their intervals. */
export function verdictPicture(files: Pick<RunFiles, "run" | "summary">): string {
  const parts = panelsOf(files).map((panel) => {
    const title = titleOf(panel);
    return { title, drawing: forest(panel, { width: WIDTH, label: title }) };
  });
  return stackedPicture(pictureTitle(files), WIDTH, parts);
}
