import { median } from "../statistics/median.ts";
import { isJudged, OPEN_WORD, shownInterval, VERDICTS } from "../record/verdicts.ts";
import { verdictCounts } from "../result/verdict-counts.ts";
import type { RunComparison } from "../result/compare-runs.ts";
import { counted, formatRate, formatRatio, orDash, percent } from "../basics/units.ts";
import { SINGLE_RUNS } from "../result/open-comparisons.ts";
import { printable } from "./align.ts";
import { acrossHead, acrossLines, acrossRows } from "./across-machines.ts";
import { coreText } from "../result/claim-texts.ts";
import type { SlopeOverRuns } from "../result/slopes-over-runs.ts";
import { listed } from "../result/questions.ts";
import { BLANK, markdownCode, markdownFile, markdownTable, type MarkdownText, md } from "./markdown.ts";
import type { TextOptions } from "./style.ts";
import { type LevelledRow, tableLines } from "./table.ts";

/** A ratio as a change: 1.098 is `+9.8 %`. */
export const change = (ratio: number): string => `${ratio >= 1 ? "+" : "−"}${percent(Math.abs(ratio - 1))}`;
const isText = (column: number) => column === 0 || column === 5;

/** The head over the fields of {@link comparisonRows}. */
export function comparisonHead(a: string, b: string): string[] {
  return ["cell", `${a} rate`, `${b} rate`, `${b} / ${a}`, "interval", "verdict"];
}

/** The rows of a comparison with their levels: cell, both rates, change, interval, the verdict in words. */
export function comparisonRows(
  cells: RunComparison["cells"],
): LevelledRow[] {
  return cells.map(({ cell, over, under, ratio, comparison }) => {
    const [rateA, rateB] = [under, over].map((rate) => orDash(rate, formatRate)) as [string, string];
    const { word, level } = VERDICTS[comparison.verdict];
    if (!isJudged(comparison)) {
      const words = `${word}: ${comparison.marks[0]!.text}`;
      return { fields: [cell, rateA, rateB, orDash(ratio, change), "–", words], level };
    }
    const { rounds_needed: needed } = comparison;
    const { low, high } = shownInterval(comparison);
    const words = `${word}${needed === null ? "" : ` (${counted(needed, "round")} would tell)`}`;
    return {
      fields: [cell, rateA, rateB, change(comparison.ratio), `[${change(low)}, ${change(high)}]`, words],
      level,
    };
  });
}

/** The first differences between environments with shortened hashes, then the number of the others. */
export function environmentLines(environment: readonly string[], most: number): string[] {
  const shown = environment.slice(0, most).map((line) => line.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…"));
  return environment.length > most ? [...shown, `and ${environment.length - most} more (see --json)`] : shown;
}

/** The number of differences between two environments, in words. */
export function differencesText(environment: readonly string[]): string {
  return `Their environments differ in ${counted(environment.length, "thing")}`;
}

/** All cells in one sentence: how many became faster and slower by verdict, what is typical, what the machine itself did. */
export function comparisonSentence(
  { cells, ceiling, cpus }: Pick<RunComparison, "cells" | "ceiling" | "cpus">,
): string {
  if (cells.length === 0) return "No cell in common: nothing can be said of A and B.";
  if (cpus.length > 1) {
    return `A and B ran on unlike CPUs (${listed(cpus)}): their rates are not compared, as they tell of the machines.`;
  }
  const count = (verdict: string) => cells.filter(({ comparison }) => comparison.verdict === verdict).length;
  const { all, decided } = verdictCounts(cells.map(({ comparison }) => comparison));
  const parts = [
    ...(["faster", "slower", "equivalent"] as const).filter((one) => one !== "equivalent" || count(one) > 0)
      .map((one) => `${count(one)} ${VERDICTS[one].word}`),
    `${all - decided} ${OPEN_WORD}`,
  ];
  const counts = isOfSingleRuns(cells)
    ? `no verdict on ${counted(cells.length, "cell")}, as ${SINGLE_RUNS}`
    : `${parts.join(", ")} of ${counted(cells.length, "cell")}`;
  const ratios = cells.flatMap(({ ratio }) => ratio ?? []);
  const typical = ratios.length === 0
    ? ""
    : `; typically B is ${formatRatio(median(ratios))} × A (${formatRatio(Math.min(...ratios))} to ${
      formatRatio(Math.max(...ratios))
    })`;
  const moved = ceiling === null
    ? ""
    : `; the generator's ceiling ${Math.abs(ceiling - 1) < 0.0005 ? "did not move" : `moved by ${change(ceiling)}`}`;
  return `B against A: ${counts}${typical}${moved}.`;
}

/** The smallest difference that is believed, in words; empty if it is not known. */
export function floorText(delta: number | null): string {
  return delta === null ? "" : `Differences below ${percent(delta)} are not believed.`;
}

/** True if a single run is compared with another: no cell has a verdict, and a row has nothing but rates. */
export const isOfSingleRuns = (cells: RunComparison["cells"]): boolean =>
  cells.some(({ comparison }) => !isJudged(comparison) && comparison.marks[0]!.code === "single-runs");

/** Rows for cells; none if CPUs differ or runs are single. */
const shownRows = ({ cells, cpus }: Pick<RunComparison, "cells" | "cpus">) =>
  cpus.length > 1 || isOfSingleRuns(cells) ? [] : comparisonRows(cells);

/** Ratios that move with the core's speed over several runs, a sentence each. */
export const slopeTexts = (slopes: readonly SlopeOverRuns[]): string[] =>
  slopes.map(({ over, under, slow, fast }) =>
    `Over all runs ${over} is ${coreText({ slow: slow.ratio, fast: fast.ratio })} ${under}.`
  );

/** A comparison, with the ratios inside of its runs that move with the core's speed. */
type Shown = RunComparison & { readonly slopes?: readonly SlopeOverRuns[] };

function preface(comparison: Shown): (string | { readonly item: string })[] {
  const { environment, paired, delta, cells, cpus, across, slopes = [], onlyOver, onlyUnder } = comparison;
  const lines: ReturnType<typeof preface> = [
    comparisonSentence(comparison),
    ...(across === null ? [] : [across.sentence]),
    ...slopeTexts(slopes),
  ];
  if (!paired && cpus.length < 2 && !isOfSingleRuns(cells)) {
    lines.push(
      "Measured in different runs: what changed between them does not cancel. Within one run it does (--against).",
    );
  }
  // If CPUs differ, other differences explain nothing more.
  if (cpus.length > 1) lines.push(`${differencesText(environment)} (see --json).`);
  else if (environment.length > 0) {
    lines.push(`${differencesText(environment)}:`);
    lines.push(...environmentLines(environment, 12).map((item) => ({ item })));
  }
  if (delta !== null && cpus.length < 2) lines.push(floorText(delta));
  if (onlyUnder.length > 0) lines.push(`${counted(onlyUnder.length, "cell is", "cells are")} only in A`);
  if (onlyOver.length > 0) lines.push(`${counted(onlyOver.length, "cell is", "cells are")} only in B`);
  return lines;
}

/** A comparison for a terminal. */
export function comparisonTable(
  names: readonly [string, string],
  comparison: Shown,
  { style, columns }: TextOptions,
): string {
  const { across } = comparison;
  const [rows, heads] = across === null
    ? [shownRows(comparison), comparisonHead("A", "B")] as const
    : [acrossRows(across), acrossHead(across)] as const;
  const table = { heads, rows: rows.map(({ fields }) => fields), isText };
  return [
    printable(`A = ${names[0]}, B = ${names[1]}`),
    ...preface(comparison).map((line) => printable(typeof line === "string" ? line : `  ${line.item}`)),
    "",
    ...(rows.length === 0 ? [] : [
      ...tableLines(table, { style, columns }, 0, rows.map(({ level }) => level)),
      "",
    ]),
    "",
  ].join("\n");
}

/** A comparison for a pull request. */
export function comparisonMarkdown(names: readonly [string, string], comparison: Shown): MarkdownText {
  const rows = shownRows(comparison);
  return markdownFile([
    md`A = ${markdownCode(names[0])}, B = ${markdownCode(names[1])}`,
    BLANK,
    ...preface(comparison).map((line) => typeof line === "string" ? md`${line}` : md`- ${line.item}`),
    BLANK,
    ...(rows.length === 0 ? [] : [
      ...markdownTable({ heads: comparisonHead("A", "B"), rows: rows.map(({ fields }) => fields), isText }),
      BLANK,
    ]),
    ...(comparison.across === null ? [] : acrossLines(comparison.across)),
  ]);
}
