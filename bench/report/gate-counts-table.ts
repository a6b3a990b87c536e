import { formatBytes } from "../basics/units.ts";
import { inWords } from "../record/in-words.ts";
import { causeOf, type CountRow, countsDiffer } from "../result/gate-counts.ts";
import { memoryTogether } from "../result/judge-gate.ts";
import { change } from "./comparison-table.ts";
import { comparedCells, type MeasuredGate } from "./gate-outcome.ts";

/** Rows of what was counted beside the rounds, and of memory at their ends. */
export function countedRows(report: MeasuredGate): string[][] {
  const { counts = [], lines, run: { plan } } = report;
  const words = (text: string) => inWords(plan, text);
  const rows = counts.map((count) => {
    const { name, base, yours, says } = count;
    const text = (value: number) => name === "bytes" ? formatBytes(value) : value.toFixed(2);
    const title = name === "calls"
      ? "system calls a request"
      : name === "bytes"
      ? "to disk a request"
      : `${name} a request`;
    const by = `${yours > base ? "+" : "−"}${text(Math.abs(yours - base))}`;
    return [words(title), text(base), text(yours), countsDiffer(count) ? by : "–", "counted", says];
  });
  const memory = comparedCells(report).map((cell) => memoryTogether(lines, cell));
  const [base = null, yours = null] = memory;
  const held = base === null || yours === null
    ? []
    : [["memory after the load", formatBytes(base), formatBytes(yours), change(yours / base), "–", "–"]];
  return [...rows, ...held];
}

/** Sentences on counts that changed, and where to look. */
export function countTexts(counts: readonly CountRow[] | undefined): string[] {
  if (counts === undefined || counts.length === 0) return [];
  const causes = counts.filter(countsDiffer).flatMap(({ name }) => {
    const cause = name === "bytes" ? "what is written for each request" : causeOf(name);
    return cause === null ? [] : [`${name === "bytes" ? "bytes to disk" : name}: ${cause}`];
  });
  return [
    "Counts are of two looks at each after the rounds, one request after the other. They decide nothing, and a change in " +
    "them is exact where time is not.",
    ...(causes.length === 0 ? [] : [`Where counts changed look at: ${causes.join("; ")}.`]),
  ];
}
