import { subjectName } from "../../core/plan.ts";
import type { TrialRecord } from "../../core/result/trial-record.ts";
import { readLeanLine } from "../evidence.ts";
import { rerunCommand } from "../rerun-command.ts";
import type { RunFiles } from "../shown-run.ts";

/**
 * JSON as hyperfine's --export-json writes it, for its plotting scripts: what hyperfine times is here the wall time of
 * one request, 1 / rate, one value a round. Cells that the generator limited or that are not ok are left out: the form
 * has no place to mark them.
 *
 * @see https://github.com/sharkdp/hyperfine
 */
export function toHyperfine({ run, cells, lines }: RunFiles): string {
  const trials = Map.groupBy(
    lines.map((line) => readLeanLine(line).record).filter((line) => line.schema === "levelfield.trial/1"),
    subjectName,
  );
  const results = cells.filter((card) => card.status === "ok" && card.bound !== "generator").map((card) => {
    const own = trials.get(subjectName(card)) ?? [];
    return {
      command: subjectName(card),
      ...statistics(own.map(secondsOf)),
      user: (card.cpu_ns_per_request ?? 0) / 1e9,
      system: 0,
      times: own.map(secondsOf),
      exit_codes: own.map(() => 0),
      parameters: {
        runtime: card.cell.runtime,
        store: card.cell.store,
        size: String(card.cell.size),
        label: card.label,
        again: rerunCommand(run, card),
      },
    };
  });
  return JSON.stringify({ results }, null, 2) + "\n";
}

const secondsOf = (trial: TrialRecord) => 1 / trial.load!.requests_per_second;

function statistics(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const middle = (sorted.length - 1) / 2;
  return {
    mean,
    stddev: sorted.length < 2 ? null : Math.sqrt(squares / (sorted.length - 1)),
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    min: sorted[0]!,
    max: sorted.at(-1)!,
  };
}
