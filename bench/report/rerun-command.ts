import { AA, MAIN, textOf } from "../core/cell.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";

/** The command that measures a cell again the way its run did. */
export function rerunCommand({ plan }: Pick<RunRecord, "plan">, { cell }: Pick<CellCard, "cell">): string {
  const { point, label } = cell;
  const words = [
    `bench run ${quoted(plan.suite.module ?? plan.suite.name)}`,
    ...plan.axes.map((axis) => option(axis.option, textOf(axis, point.at))),
    `--rounds ${plan.rounds}`,
    `--duration ${plan.duration_ms / 1_000}s`,
    `--warmup ${plan.warmup_ms / 1_000}s`,
    `--warmup-loads ${plan.warmup_loads}`,
    `--seed ${plan.seed}`,
  ];
  if (plan.threads !== null) words.push(`--threads ${plan.threads}`);
  if (label !== MAIN && label !== AA) words.push(option("label", label));
  return words.join(" ");
}

/** An option with a value that may look like one itself. */
const option = (name: string, value: string) => `--${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;

/** A word as a shell takes it unchanged. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
