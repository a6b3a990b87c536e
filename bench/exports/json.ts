import { harmlessJson } from "../report/align.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { exportTable } from "./table.ts";

/** JSON for programs: the answer, its conditions and the machine, and the rows of the CSV without empty fields. */
export function toJson(files: RunFiles): string {
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
