import {
  type AcrossMachines,
  type ComparisonAcross,
  greatestMove,
  type NothingAcross,
} from "../result/across-machines.ts";
import { isDecided, OPEN_WORD, VERDICTS } from "../record/verdicts.ts";
import { listed } from "../result/questions.ts";
import { counted, formatRatio, fromTo } from "../basics/units.ts";
import type { LevelledRow } from "./table.ts";
import { BLANK, type Markdown, markdownFile, markdownTable, type MarkdownText, md } from "./markdown.ts";

/** The most comparisons with a line; the others hold and move least. */
const MOST_LINES = 60;

/** Returns the words for a comparison of machines that cannot be, a part of a sentence. */
export function nothingAcrossText(nothing: NothingAcross): string {
  switch (nothing.cause) {
    case "other-suites":
      return `they are runs of different suites: ${listed(nothing.suites)}`;
    case "other-sources":
      return `their suites are called ${nothing.suite} alike, and were made from different sources`;
    case "one-kind":
      return `they were all made on one kind of CPU: ${nothing.kind ?? "none"}`;
    case "nothing-shared":
      return "no comparison was made on two kinds of CPU";
  }
}

/** The head over the fields of {@link acrossRows}. */
export function acrossHead({ machines }: AcrossMachines): string[] {
  return ["comparison", ...machines.map(({ name }) => name), "ratios", "the same on"];
}

/** The rows of comparisons, failed ones first: ratios by machine, their spread, and the machines that agree. */
export function acrossRows(
  { machines, comparisons }: AcrossMachines,
): LevelledRow[] {
  return comparisons.slice(0, MOST_LINES).map((comparison) => {
    const { axis, over, under, at, seen, moves, outcome } = comparison;
    return {
      fields: [
        `${over} over ${under} (${axis})${at === "" ? "" : `, ${at}`}`,
        ...seen.map(seenText),
        moves === null
          ? "–"
          : `${formatRatio(moves.least)} to ${formatRatio(moves.greatest)}, ${
            formatRatio(greatestMove(moves))
          } × between machines`,
        sameText(comparison, machines.map(({ name }) => name)),
      ],
      level: outcome === "holds" ? "good" : outcome === "turns" ? "bad" : "warn",
    };
  });
}

function seenText(seen: ComparisonAcross["seen"][number]): string {
  if (seen === null) return "–";
  if (seen.ratio === null || !isDecided(seen)) return OPEN_WORD;
  const { sign } = VERDICTS[seen.verdict];
  return `${formatRatio(seen.ratio)}${sign === "" ? "" : ` ${sign}`}`;
}

/** @param machines names, in the order of what they saw */
function sameText({ under, outcome, same, made, seen }: ComparisonAcross, machines: readonly string[]): string {
  const where = (...verdicts: readonly string[]) =>
    listed(machines.filter((_, n) => verdicts.includes(seen[n]?.verdict ?? "")));
  const open = listed(machines.filter((_, n) => seen[n] !== null && !isDecided(seen[n]!)));
  const parts = [
    `${same} of ${made}`,
    outcome === "turns" ? `${under} wins on ${where("slower")}` : "",
    (outcome === "turns" || outcome === "differs") && where("equivalent") !== ""
      ? `${VERDICTS.equivalent.word} on ${where("equivalent")}`
      : "",
    open === "" ? "" : `${OPEN_WORD} on ${open}`,
  ];
  return parts.filter((text) => text !== "").join("; ");
}

/** The head over {@link winnerRows}. */
export const WINNER_HEAD = ["faster", "by", "at places", "on machines"];

/** The rows of values proven faster than another on some machine, gathered over places, most machines first. */
export function winnerRows({ comparisons }: Pick<AcrossMachines, "comparisons">): string[][] {
  const found = comparisons.flatMap(({ axis, over, under, seen, made }) => {
    const ratios = (verdict: string) => seen.flatMap((one) => one?.verdict === verdict ? one.ratio ?? [] : []);
    return [
      { pair: `${over} over ${under} (${axis})`, made, ratios: ratios("faster") },
      { pair: `${under} over ${over} (${axis})`, made, ratios: ratios("slower").map((ratio) => 1 / ratio) },
    ].filter((one) => one.ratios.length > 0);
  });
  const rows = [...Map.groupBy(found, ({ pair }) => pair)].map(([pair, places]) => {
    const ratios = places.flatMap((place) => place.ratios);
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(formatRatio);
    const machines = Math.max(...places.map((place) => place.ratios.length));
    const made = Math.max(...places.map((place) => place.made));
    return { machines, fields: [pair, `${fromTo(least!, most!)} ×`, String(places.length), `${machines} of ${made}`] };
  });
  return rows.toSorted((a, b) => b.machines - a.machines).map(({ fields }) => fields);
}

/** Which machine is which: `amd-25-1 is AMD EPYC, run 2026-11-20-120000`. */
export function machineTexts({ machines }: AcrossMachines): string[] {
  return machines.map(({ name, model, runs }) =>
    `${name} is ${model}, ${runs.length === 1 ? "run" : "runs"} ${listed(runs)}`
  );
}

/** The comparisons without a separate line; empty if each has one. */
export function restText({ comparisons }: AcrossMachines): string {
  const rest = comparisons.slice(MOST_LINES);
  if (rest.length === 0) return "";
  const holding = rest.every(({ outcome }) => outcome === "holds");
  const most = Math.max(...rest.map(({ moves }) => greatestMove(moves)));
  return `${counted(rest.length, "comparison")} more${holding ? " that hold" : ""}, moving by up to ${
    formatRatio(most)
  } ×.`;
}

/** Verdicts of several machines in Markdown: their sentence, which machine is which, who wins, then a line for each comparison. */
export const acrossMarkdown = (across: AcrossMachines): MarkdownText => markdownFile(acrossLines(across));

/** The lines of {@link acrossMarkdown}. */
export function acrossLines(across: AcrossMachines): Markdown[] {
  const rows = acrossRows(across).map(({ fields }) => fields);
  const winners = winnerRows(across);
  const rest = restText(across);
  const isText = (column: number) => column === 0;
  return [
    md`**${across.sentence}**`,
    BLANK,
    ...machineTexts(across).map((text) => md`- ${text}`),
    BLANK,
    ...(winners.length === 0 ? [] : [...markdownTable({ heads: WINNER_HEAD, rows: winners, isText }), BLANK]),
    ...(rows.length === 0 ? [] : [
      ...markdownTable({ heads: acrossHead(across), rows, isText }),
      BLANK,
    ]),
    ...(rest === "" ? [] : [md`${rest}`, BLANK]),
  ];
}
