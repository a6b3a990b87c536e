import { isLowerBound } from "../judge/bound.ts";
import { rerunCommand } from "../report/rerun-command.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { harmlessJson } from "../report/align.ts";
import type { Solo } from "../judge/lines.ts";
import { cellName } from "../record/cell.ts";
import { keyNames, soloObservations } from "./rows.ts";

/**
 * JSON as hyperfine's --export-json writes it, for its plotting scripts. What hyperfine times is here the wall time of
 * one request, 1 / rate, one value a round. Cells that generator or network limited or that are not ok are left out:
 * the form has no place to mark them.
 *
 * @see https://github.com/sharkdp/hyperfine
 */
export function toHyperfine(files: RunFiles): string {
  const { run, cells } = files;
  const observations = Map.groupBy(soloObservations(files), ({ member }) => cellName(run.plan.axes, member.cell));
  const keys = keyNames(run.plan.axes, ["label", "again"], ({ name }) => name);
  const results = cells.filter((card) => card.status === "ok" && !isLowerBound(card.bound)).map((card) => {
    const times = (observations.get(card.name) ?? []).map(secondsOf);
    return {
      command: card.name,
      ...statistics(times),
      user: (card.cpu_ns_per_request ?? 0) / 1e9,
      system: 0,
      times,
      exit_codes: times.map(() => 0),
      parameters: {
        ...Object.fromEntries(keys.map(({ key, axis }) => [key, String(card.cell.point.at[axis.name])])),
        label: card.cell.label,
        again: rerunCommand(run, card),
      },
    };
  });
  return harmlessJson({ results }, 2) + "\n";
}

const secondsOf = ({ load }: Solo) => 1 / load!.requests_per_second;

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
