import { unknownName } from "../basics/unknown-name.ts";
import { counted, formatRate } from "../basics/units.ts";
import { AA } from "../record/cell.ts";
import { inWords } from "../record/in-words.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { harmlessJson } from "../report/align.ts";
import { isRanked } from "../report/metrics.ts";
import { toHdr } from "./hdr.ts";
import { toMarkdown } from "./markdown.ts";
import { exportTable, toCsv } from "./table.ts";

/** A form of results that other tools read: the whole text, ending in a line break, a pure function of the result files. */
type Render = (files: RunFiles) => string;

/** Cells that may be ranked: a tool that watches figures would alert on the others. */
const rankedOf = ({ cells }: RunFiles) => cells.filter((card) => card.cell.label !== AA && isRanked(card));

/** JSON for programs: the answer, its conditions and the machine, and the rows of the CSV without empty fields. */
function toJson(files: RunFiles): string {
  const { run, summary: { answer, marks } } = files;
  const head = {
    schema: "levelfield.export/1",
    run: run.run,
    suite: run.plan.suite.title,
    subject: answer.subject,
    ...{ answer: answer.sentence, conditions: answer.conditions, machine: answer.machine, grade: run.grade.grade },
    marks: [...marks, ...answer.marks].map(({ code, text }) => ({ code, text })),
  };
  const rows = exportTable(files).rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined && value !== ""))
  );
  // A row a line: short enough to read, and to compare line by line.
  const lines = rows.map((row) => `    ${harmlessJson(row)}`).join(",\n");
  return `${harmlessJson(head, 2).slice(0, -2)},\n  "rows": [\n${lines}\n  ]\n}\n`;
}

/** JSON for github-action-benchmark, tool `customBiggerIsBetter`: name, unit, value, and the interval as its range. */
function toGithubActionBenchmark(files: RunFiles): string {
  const { run } = files;
  const list = rankedOf(files).map((card) => {
    const interval = card.requests_per_second_interval;
    return {
      name: card.name,
      unit: inWords(run.plan, "req/s"),
      value: card.requests_per_second!,
      ...(interval === null ? {} : { range: `${formatRate(interval.low)} to ${formatRate(interval.high)}` }),
      extra: `run ${run.run}, ${
        counted(card.observations, "observation")
      }, bound ${card.bound}, grade ${run.grade.grade}`,
    };
  });
  return harmlessJson(list, 2) + "\n";
}

/** Returns an export by its name. Throws a usage error that has those there are, and `others` that are none of these. */
export function exportNamed(name: string, others: readonly string[] = []): Render {
  const found = Object.hasOwn(EXPORTS, name) ? EXPORTS[name] : undefined;
  if (found === undefined) throw unknownName("format", name, [...others, ...Object.keys(EXPORTS)]);
  return found.render;
}

/** Every export, by the name `--format` knows it under, with the extension of its golden file. */
export const EXPORTS: Readonly<Record<string, { readonly extension: string; readonly render: Render }>> = {
  "markdown": { extension: "md", render: toMarkdown },
  "csv": { extension: "csv", render: toCsv },
  "json": { extension: "json", render: toJson },
  "hdr": { extension: "hlog", render: toHdr },
  "github-action-benchmark": { extension: "json", render: toGithubActionBenchmark },
};
