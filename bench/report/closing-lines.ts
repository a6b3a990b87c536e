import { AA } from "../core/plan.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary } from "../core/result/summary.ts";
import { formatRate, formatSize } from "../core/units.ts";
import { answersOf } from "./answer.ts";
import { GRADE_MEANING } from "./grade.ts";
import type { Style } from "./style.ts";

/** How a run ends on a terminal: what to take at each size, and the three things to know before believing it. */
export function closingLines(run: RunRecord, summary: Summary, cards: readonly CellCard[], style: Style): string {
  if (cards.length === 0) return "";
  const answers = answersOf(run, summary, cards).map(({ size, sentences, proven }) =>
    `  ${style.bold(`${formatSize(size)} users`)}: ${sentences[0]}${
      proven ? "" : style.dim(" (not proven by verdicts)")
    }`
  );
  return [
    style.bold("What to take"),
    ...answers,
    "",
    style.bold("Before you believe it"),
    `  bound: ${boundText(summary, cards)}`,
    `  noise: ${noiseText(summary)}`,
    `  grade: ${run.grade.grade}, ${GRADE_MEANING[run.grade.grade]}`,
    "",
    "",
  ].join("\n");
}

function boundText(summary: Summary, all: readonly CellCard[]): string {
  const cards = all.filter((card) => card.label !== AA && card.trials_ok > 0);
  const count = (bound: CellCard["bound"]) => cards.filter((card) => card.bound === bound).length;
  const ceiling = summary.ceiling_requests_per_second;
  const parts = [`the server was the limit in ${count("server")} of ${cards.length} cells`];
  if (count("generator") > 0) parts.push(`the load generator in ${count("generator")}, shown as "≥" and not ranked`);
  if (count("neither") > 0) parts.push(`neither in ${count("neither")}`);
  if (count("unknown") > 0) parts.push(`not known in ${count("unknown")}`);
  if (ceiling !== null) parts.push(`the generator's ceiling is ${formatRate(ceiling)} req/s`);
  return parts.join("; ");
}

function noiseText({ noise_floor: { duet, solo } }: Summary): string {
  const told = ([["duets", duet], ["single rates", solo]] as const).flatMap(([name, floor]) => {
    if (floor.kind === "unknown") return [];
    const percent = `${(100 * floor.delta).toFixed(1)} %`;
    return [
      floor.kind === "agree" ? `${name} tell differences from ${percent} on` : `${name} found a cell unlike itself`,
    ];
  });
  if (told.length > 0) return told.join("; ");
  return duet.kind === "unknown" ? `not known: ${duet.reason}` : "not known";
}
