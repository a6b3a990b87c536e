import { cellKey } from "../cell.ts";
import { duetSteadiness } from "../duet-steadiness.ts";
import { everyTwo } from "../families.ts";
import { percent } from "../percent.ts";
import type { Plan } from "../plan.ts";
import { median } from "../statistics/median.ts";
import { mean, variation } from "../statistics/variation.ts";
import { trend } from "../statistics/trend.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { makeCellCards } from "./cell-card.ts";
import { checksOf, scalingOf, stepsOf } from "./checks.ts";
import { judgedFamilies } from "./judged-families.ts";
import { type Lines, rateOf, sortLines } from "./lines.ts";
import { type Floors, type MeasuredCell, measuredCells } from "./measured-cells.ts";
import type { Observation } from "./observation-record.ts";
import { duetFloor, holding, okMembers, soloFloor } from "./paired-rounds.ts";
import type { RunRecord } from "./run-record.ts";
import type { Summary } from "./summary.ts";

/** Sums up a run from its plan and its journal alone. */
export function summarise(run: RunRecord, journal: readonly Observation[]): Summary {
  const { plan } = run;
  const lines = sortLines(journal);
  const cards = makeCellCards(run, journal);
  const ceilings = plan.ceilings.map(({ cell }) =>
    (lines.ceilings.get(cellKey(plan.cells[cell]!)) ?? []).flatMap((line) => {
      const rate = rateOf(line);
      return rate === null ? [] : { round: line.round, rate };
    })
  );
  const ceilingRates = ceilings.map((rates) => rates.length === 0 ? null : median(rates.map(({ rate }) => rate)));
  const cells = measuredCells(plan, lines, cards, ceilingRates);
  const floors = { duet: duetFloor(plan, lines), solo: soloFloor(plan, lines) };
  const scaling = scalingOf(plan, cells);
  return {
    schema: "levelfield.summary/3",
    run: run.run,
    stamps: stampsOf(run, floors, ceilings, lines),
    ceilings: plan.ceilings.map(({ cell }, n) => ({
      cell: cells[cell]!.name,
      requests_per_second: ceilingRates[n]!,
    })),
    noise_floor: floors,
    cells: cells.map(({ cell, name, flags, steadiness, solo }) => {
      const spread = variation(solo.flatMap((one) => rateOf(one) ?? []));
      return { name, cell, flags: [...flags], steadiness, cv: spread.kind === "known" ? spread.cv : null };
    }),
    duets: steadinesses(plan, cells, lines),
    families: judgedFamilies(plan, cells, lines, floors),
    scaling,
    checks: checksOf(plan, cards, scaling),
    steps: stepsOf(plan, cards),
  };
}

/** How every two cells that were measured together went within their windows, the A/A pair too. */
function steadinesses({ ensembles }: Plan, cells: readonly MeasuredCell[], lines: Lines): Summary["duets"] {
  const pairs = new Map(
    ensembles.flatMap((ensemble) => everyTwo(ensemble.cells).map((pair) => [[...pair].sort().join(), pair] as const)),
  );
  return [...pairs.values()].flatMap(([first, second]) => {
    const [a, b] = [cells[first]!, cells[second]!];
    const shared = holding(lines, a.key, b.key);
    return shared.length === 0 ? [] : duetSteadiness([a.name, b.name], okMembers(shared, a.key, b.key));
  });
}

/** Change of the ceiling over a run from which the machine itself is said to have changed. */
const CEILING_DRIFT = 0.05;

function stampsOf(
  run: RunRecord,
  floors: Floors,
  ceilings: readonly (readonly { readonly round: number; readonly rate: number }[])[],
  lines: Lines,
): Summary["stamps"] {
  const stamps: Summary["stamps"] = [];
  for (const basis of ["duet", "solo"] as const) {
    if (floors[basis].kind === "different") {
      stamps.push({
        code: "aa-different",
        message: `the run found a cell different from itself (A/A, ${basis}): its ${basis} differences mean nothing`,
      });
    }
  }
  // Ceilings of different requests differ, so each counts as a share of its own median.
  const shares = ceilings.flatMap((rates) => {
    const own = rates.length === 0 ? 1 : median(rates.map(({ rate }) => rate));
    return rates.map(({ round, rate }) => ({ round, share: rate / own }));
  });
  const byRound = [...Map.groupBy(shares, ({ round }) => round)].sort(([a], [b]) => a - b);
  const drift = trend(byRound.map(([_, own]) => mean(own.map(({ share }) => share))));
  if (drift.kind === "known" && drift.flagged && Math.abs(drift.relativeChange) > CEILING_DRIFT) {
    stamps.push({
      code: "ceiling-drift",
      message: `the machine itself changed by ${percent(drift.relativeChange, 0)} during the run`,
    });
  }
  const stolen = [...lines.solo.values()].flat().flatMap(({ counters }) => counters?.steal_share ?? []);
  if (stolen.length > 0 && median(stolen) > THRESHOLDS.stealShare) {
    stamps.push({
      code: "steal",
      message: `the hypervisor took ${percent(median(stolen))} of a core during most observations`,
    });
  }
  if (run.state === "interrupted") stamps.push({ code: "interrupted", message: "the run was stopped before its end" });
  return stamps;
}
