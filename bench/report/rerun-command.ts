import { cellLabel } from "../core/cell.ts";
import { MAIN } from "../core/plan.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import { formatSize } from "../core/units.ts";

/** The command that measures a cell again the way its run did. */
export function rerunCommand(
  { plan }: Pick<RunRecord, "plan">,
  { cell, label }: Pick<CellCard, "cell" | "label">,
): string {
  const words = [
    `bench run ${cell.suite}`,
    `--runtime ${cell.runtime}`,
    `--store ${cell.store}`,
    `--size ${formatSize(cell.size)}`,
    `--rounds ${plan.rounds}`,
    `--duration ${plan.duration_ms / 1_000}s`,
    `--warmup ${plan.warmup_ms / 1_000}s`,
    `--connections ${plan.connections}`,
    `--seed ${plan.seed}`,
    `--data-seed ${plan.data_seed}`,
  ];
  if (plan.miss_share > 0) words.push(`--miss-share ${plan.miss_share}`);
  if (plan.engine !== "native") words.push(`--engine ${plan.engine}`);
  if (label !== MAIN && label !== "aa") words.push(`--label ${label}`);
  return words.join(" ");
}

/** A card's name where suite and workload are understood. */
export function cardLabel({ cell, label }: Pick<CellCard, "cell" | "label">): string {
  return label === MAIN ? cellLabel(cell) : `${cellLabel(cell)}@${label}`;
}
