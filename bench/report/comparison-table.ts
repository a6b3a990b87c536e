import { percent } from "../basics/percent.ts";
import type { ComparedCell, RunComparison } from "../result/compare-runs.ts";
import { SINGLE_RUNS } from "../result/single-runs.ts";
import { counted, formatRate, formatRatio } from "../basics/units.ts";
import { folded, printable } from "./align.ts";
import { markdownTable, markdownText } from "./markdown-table.ts";
import type { Style } from "./style.ts";

/** What a ratio is as a change: 1.098 is `+9.8 %`. */
export const change = (ratio: number): string => `${ratio >= 1 ? "+" : "−"}${percent(Math.abs(ratio - 1))}`;
const isText = (column: number) => column === 0 || column === 5;

/** The head over the fields of {@link comparisonRows}. */
export function comparisonHead(a: string, b: string): string[] {
  return ["cell", `${a} req/s`, `${b} req/s`, `${b} / ${a}`, "interval", "verdict"];
}

/**
 * What a comparison says of each cell, as texts for a table, and how it is coloured. The texts: cell, both rates,
 * change from A to B, its interval, the verdict in words.
 */
export function comparisonRows(
  cells: RunComparison["cells"],
): { fields: string[]; level: "good" | "bad" | "warn" | "note" }[] {
  return cells.map(({ cell, over, under, ratio, comparison }) => {
    const [rateA, rateB] = [under, over].map((rate) => rate === null ? "–" : formatRate(rate)) as [string, string];
    const { verdict } = comparison;
    if (comparison.verdict === "no-verdict") {
      const { text } = comparison.marks[0]!;
      // It is the same for each row, so it stands once above them.
      const words = `no verdict: ${text === SINGLE_RUNS ? "single runs" : text}`;
      return { fields: [cell, rateA, rateB, ratio === null ? "–" : change(ratio), "–", words], level: "warn" };
    }
    const { interval: { low, high }, rounds_needed: needed } = comparison;
    const words = verdict === "not-separable"
      ? `not separable${needed === null ? "" : ` (${counted(needed, "round")} would tell)`}`
      : verdict;
    return {
      fields: [cell, rateA, rateB, change(comparison.ratio), `[${change(low)}, ${change(high)}]`, words],
      level: verdict === "faster" ? "good" : verdict === "slower" ? "bad" : "note",
    };
  });
}

/** What differs between environments as indented lines; of a hash only what tells it from others. */
export function environmentLines(environment: readonly string[]): string[] {
  return environment.map((text) => `  ${text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…")}`);
}

/** How many things differ between two environments, in words. */
export function differencesText(environment: readonly string[]): string {
  return `Their environments differ in ${counted(environment.length, "thing")}`;
}

/** All cells in one sentence: how many became faster and slower by verdict, what is typical, what the machine itself did. */
export function comparisonSentence({ cells, ceiling }: Pick<RunComparison, "cells" | "ceiling">): string {
  if (cells.length === 0) return "No cell in common: nothing can be said of A and B.";
  const count = (verdict: string) => cells.filter(({ comparison }) => comparison.verdict === verdict).length;
  const [faster, slower, equivalent] = [count("faster"), count("slower"), count("equivalent")];
  const parts = [`${faster} faster`, `${slower} slower`];
  if (equivalent > 0) parts.push(`${equivalent} equivalent`);
  parts.push(`${cells.length - faster - slower - equivalent} undecided`);
  const ratios = cells.flatMap(({ ratio }) => ratio ?? []).sort((a, b) => a - b);
  const typical = ratios.length === 0
    ? ""
    : `; typically B is ${formatRatio(ratios[ratios.length >> 1]!)} × A (${formatRatio(ratios[0]!)} to ${
      formatRatio(ratios.at(-1)!)
    })`;
  const moved = ceiling === null
    ? ""
    : `; the generator's ceiling ${Math.abs(ceiling - 1) < 0.0005 ? "did not move" : `moved by ${change(ceiling)}`}`;
  return `B against A: ${parts.join(", ")} of ${counted(cells.length, "cell")}${typical}${moved}.`;
}

/** What is not believed however it looks; empty where that is not known. */
export function floorText(delta: number | null): string {
  return delta === null ? "" : `Differences below ${percent(delta)} are not believed.`;
}

const isSingle = ({ comparison }: ComparedCell) =>
  comparison.verdict === "no-verdict" && comparison.marks[0]!.text === SINGLE_RUNS;

/** Why a comparison of single runs has no verdict; empty for others. */
export function singleRunsText(cells: RunComparison["cells"]): string {
  return cells.some(isSingle) ? `No verdict: ${SINGLE_RUNS}.` : "";
}

function preface(comparison: RunComparison): string[] {
  const { environment, paired, delta, cells, onlyOver, onlyUnder } = comparison;
  const lines = [comparisonSentence(comparison)];
  if (!paired) {
    lines.push(
      "Measured in different runs: what changed between them does not cancel. Within one run it does (--against).",
    );
  }
  if (singleRunsText(cells) !== "") lines.push(singleRunsText(cells));
  if (environment.length > 0) {
    lines.push(`${differencesText(environment)}:`);
    lines.push(...environmentLines(environment.slice(0, 12)));
    if (environment.length > 12) lines.push(`  and ${environment.length - 12} more`);
  }
  if (delta !== null) lines.push(floorText(delta));
  if (onlyUnder.length > 0) lines.push(`${counted(onlyUnder.length, "cell is", "cells are")} only in A`);
  if (onlyOver.length > 0) lines.push(`${counted(onlyOver.length, "cell is", "cells are")} only in B`);
  return lines;
}

/** A comparison for a terminal. */
export function comparisonTable(
  names: readonly [string, string],
  comparison: RunComparison,
  style: Style,
  columns = Infinity,
): string {
  const rows = comparisonRows(comparison.cells);
  const [head, ...lines] = folded([comparisonHead("A", "B"), ...rows.map(({ fields }) => fields)], isText, columns);
  return [
    printable(`A = ${names[0]}, B = ${names[1]}`),
    ...preface(comparison).map(printable),
    "",
    ...(rows.length === 0 ? [] : [
      ...head!.map(style.bold),
      ...lines.flatMap((own, n) => {
        const { level } = rows[n]!;
        return level === "good" ? own.map(style.green) : level === "bad" ? own.map(style.red) : own;
      }),
      "",
    ]),
    "",
  ].join("\n");
}

/** A comparison for a pull request. */
export function comparisonMarkdown(names: readonly [string, string], comparison: RunComparison): string {
  return [
    `A = \`${names[0]}\`, B = \`${names[1]}\``,
    "",
    ...preface(comparison).map((text) => `${text.startsWith("  ") ? "- " : ""}${markdownText(text)}`),
    "",
    ...markdownTable(
      [comparisonHead("A", "B"), ...comparisonRows(comparison.cells).map(({ fields }) => fields.map(markdownText))],
      isText,
    ),
    "",
  ].join("\n");
}
