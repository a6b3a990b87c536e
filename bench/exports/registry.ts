import { unknownName } from "../basics/unknown-name.ts";
import { counted, formatRate } from "../basics/units.ts";
import { AA } from "../record/cell.ts";
import { inWords } from "../record/in-words.ts";
import { OPEN } from "../record/verdicts.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { harmlessJson, printable } from "../report/align.ts";
import { isRanked } from "../report/metrics.ts";
import { takenText } from "../report/question-texts.ts";
import { toBenchstat } from "./benchstat.ts";
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

/** Bencher Metric Format (bencher.dev/docs/reference/bencher-metric-format): rates with intervals, CPU time in ns. */
function toBencher(files: RunFiles): string {
  const measures = rankedOf(files).map((card) => {
    const { requests_per_second: value, requests_per_second_interval: interval, cpu_ns_per_request: cost } = card;
    const ends = interval === null ? {} : { lower_value: interval.low, upper_value: interval.high };
    return [card.name, { throughput: { value, ...ends }, ...(cost === null ? {} : { "cpu-time": { value: cost } }) }];
  });
  return harmlessJson(Object.fromEntries(measures), 2) + "\n";
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

/** A badge as shields' endpoint reads it: what the first question takes and where that loses, grey if undecided. */
function toShields({ run, summary: { answer } }: RunFiles): string {
  const [question] = answer.questions;
  const [part] = question?.parts ?? [];
  const isPicked = part !== undefined && part.picks.length > 0;
  return harmlessJson({
    schemaVersion: 1,
    label: printable(question?.title ?? run.plan.suite.title),
    message: printable(isPicked ? part.sentence : question === undefined ? OPEN : takenText(question)),
    color: isPicked ? "blue" : "lightgrey",
  }, 2) + "\n";
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
  "benchstat": { extension: "txt", render: toBenchstat },
  "bencher": { extension: "json", render: toBencher },
  "github-action-benchmark": { extension: "json", render: toGithubActionBenchmark },
  "shields": { extension: "json", render: toShields },
};
