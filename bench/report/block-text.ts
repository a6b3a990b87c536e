import { capitalized, formatDurationMs } from "../basics/units.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import { padded, printable, widthOf } from "./align.ts";
import type { AnswerBlock, BlockLine } from "./answer-block.ts";
import type { OfferedStep } from "./next-steps.ts";
import type { TextOptions } from "./style.ts";
import { BLANK, type Markdown, markdownCommand, markdownTable, md } from "./markdown.ts";
import { tableLines, type TitledTable } from "./table.ts";
import { wrapped } from "./wrap.ts";
import { wrappedCommand } from "./fit-text.ts";

/** Columns of a block, however wide the terminal is: longer lines take two readings. */
export const BLOCK_COLUMNS = 80;

/** A block for a terminal. */
export function blockText(plan: WordedPlan, block: AnswerBlock, { style, columns }: TextOptions): string {
  const width = Math.min(columns, BLOCK_COLUMNS);
  const { head, questions, scope, table, memory, notes, next } = block;
  const lines = [...questions, ...scope, ...memory, ...notes.map((text) => ({ label: "Note", texts: [text] }))];
  const indent = Math.min(16, Math.max(...[...lines, { label: "Next" }].map(({ label }) => widthOf(label))) + 2);
  const worded = (some: readonly BlockLine[], isBold: boolean) =>
    some.flatMap((line) => headed(line, indent, width, isBold ? style.bold : (text) => text, style.bold, plan));
  return [
    ...headed(head, widthOf(head.label) + 2, width, style.bold, style.bold, plan),
    ...worded(questions, true),
    ...worded(scope, false),
    ...(table === null ? [] : ["", ...tableText(table, { style, columns: width })]),
    ...worded(memory, false),
    ...worded(lines.slice(questions.length + scope.length + memory.length), false),
    ...(next.length === 0 ? [] : ["", ...stepLines(next, indent, width).map(style.dim)]),
    "",
  ].join("\n") + "\n";
}

const tableText = ({ title, remark, ...table }: TitledTable, options: TextOptions): string[] => [
  ...wrapped(printable(remark === undefined || remark === "" ? title : `${title} (${remark})`), options.columns)
    .map(options.style.bold),
  ...tableLines(table, options),
];

function headed(
  { label, texts }: BlockLine,
  indent: number,
  width: number,
  paint: (text: string) => string,
  bold: (text: string) => string,
  plan: WordedPlan,
): string[] {
  const head = printable(label).toUpperCase();
  const lines = texts.flatMap((text, n) =>
    wrapped(printable(inWords(plan, text)), width - indent).map((line) => n === 0 ? paint(line) : line)
  );
  const fits = widthOf(head) + 2 <= indent;
  return [
    ...(fits ? [] : [bold(head)]),
    ...lines.map((line, n) => `${n === 0 && fits ? bold(padded(head, indent, "right")) : " ".repeat(indent)}${line}`),
  ];
}

/** Each step with its time, then its commands: on the same line if they fit, else below. */
function stepLines(steps: readonly OfferedStep[], indent: number, width: number): string[] {
  const heads = steps.map(({ what, ms, commands }) =>
    `${what}${ms === null ? "" : ` (${stepTime(ms)})`}${commands.length === 0 ? "" : ":"}`
  );
  const column = Math.max(...heads.map(widthOf)) + 2;
  return steps.flatMap(({ commands }, n) => {
    const lead = n === 0 ? padded("NEXT", indent, "right") : " ".repeat(indent);
    const [first, ...rest] = wrapped(printable(heads[n]!), width - indent);
    const fit = rest.length === 0 && commands.every((each) => indent + column + widthOf(each) <= width);
    if (fit && commands.length > 0) {
      return commands.map((each, at) =>
        at === 0 ? `${lead}${padded(first!, column, "right")}${each}` : `${" ".repeat(indent + column)}${each}`
      );
    }
    return [
      `${lead}${first}`,
      ...rest.map((line) => " ".repeat(indent) + line),
      ...commands.flatMap((each) => wrappedCommand(printable(each), width - indent - 2))
        .map((line) => " ".repeat(indent + 2) + line),
    ];
  });
}

/** A time for people who choose a step: `40s`, `12 min`, `2h 5m`. */
const stepTime = (ms: number): string =>
  ms < 60_000 || ms >= 5_400_000 ? formatDurationMs(ms) : `${Math.round(ms / 60_000)} min`;

/** A block in Markdown: how sure, the questions, their table, next steps if there are any. */
export function blockMarkdown(plan: WordedPlan, block: AnswerBlock): Markdown[] {
  const { head, questions, scope, table, memory, notes, next } = block;
  const worded = (words: string) => inWords(plan, words);
  const more = (texts: readonly string[]) => texts.slice(1).map((each) => md`  - ${worded(each)}`);
  const item = (
    { label, texts }: BlockLine,
  ) => [md`- **${`${capitalized(label)}:`}** ${worded(texts[0]!)}`, ...more(texts)];
  const after = [
    ...memory.flatMap(item),
    ...notes.map((each) => md`- ${worded(each)}`),
    ...next.flatMap(({ what, ms, commands }) => [
      md`- ${worded(`${capitalized(what)}${ms === null ? "" : ` (${stepTime(ms)})`}`)}`,
      ...commands.map((each) => md`  - ${markdownCommand(each)}`),
    ]),
  ];
  return [
    md`**${`${capitalized(head.label)}:`}** ${worded(head.texts[0]!)}`,
    BLANK,
    ...questions.flatMap(({ label, texts }) => [md`- **${worded(`${label}: ${texts[0]}`)}**`, ...more(texts)]),
    ...scope.flatMap(item),
    ...(table === null ? [] : [
      BLANK,
      md`${`${worded(table.title)}${
        table.remark === undefined || table.remark === "" ? "" : ` (${worded(table.remark)})`
      }:`}`,
      BLANK,
      ...markdownTable(table),
      ...(after.length === 0 ? [] : [BLANK]),
    ]),
    ...after,
  ];
}
