import { looksWithSettles, plannedLooks } from "../plan/plan-rounds.ts";
import { isSettling, madeRounds } from "../plan/schedule.ts";
import { cellKey } from "../record/cell.ts";
import { answerOf } from "./answer.ts";
import { machineText } from "./answer-scope.ts";
import { type EnsembleTable, ensembleTables } from "./block-tables.ts";
import { makeCellCard, makeCellCards } from "./cell-card.ts";
import { ratesSummary } from "./latency/at-same-rates.ts";
import { checksOf, scalingOf, stepsOf } from "./checks.ts";
import { floorsOf, judgedFamilies } from "./judged-families.ts";
import { groupLines, rateOf, type Solo } from "../judge/lines.ts";
import { measuredCells } from "./measured-cells.ts";
import type { Observation } from "../record/observation-record.ts";
import { runMarks } from "./run-marks.ts";
import { memoryOf } from "./memory.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { driftsOf } from "./window-drift.ts";

/** Sums up a run from its plan and its journal alone; its cards follow from these. */
export function summaryOf(
  run: RunRecord,
  journal: readonly Observation[],
  cards = makeCellCards(run, journal),
): Summary {
  const { plan } = run;
  const lines = groupLines(journal);
  const ceilings = plan.ceilings.map(({ cell }) =>
    ceilingOf(run, lines.ceilings.get(cellKey(plan.cells[cell]!)) ?? [])
  );
  const known = ceilings.map(({ card }) => {
    const perSecond = card?.requests_per_second ?? null;
    return perSecond === null ? null : { perSecond, bound: card!.bound };
  });
  const cells = measuredCells(run, lines, cards, known);
  const tables = ensembleTables(plan, journal);
  const floors = floorsOf(cells, tables);
  // Planned looks share the error of the verdicts, and once a run was settled all settles there may be, too.
  const isSettled = plan.settles !== undefined && journal.some((line) => isSettling(plan, line));
  const looks = isSettled ? looksWithSettles(plan) : plannedLooks(plan);
  const scaling = scalingOf(plan, cells);
  // A plan with extra windows compares nothing but waits at rates.
  const { families, questions } = plan.further === undefined
    ? judgedFamilies(plan, cells, { tables, floors, like: plan.like, words: plan, looks })
    : { families: [], questions: [] };
  const summary: Omit<Summary, "answer"> = {
    schema: "levelfield.summary/8",
    run: run.run,
    marks: runMarks(run, { floors, ceilings, cells, tables }, journal),
    ceilings: plan.ceilings.map(({ cell }, n) => ({
      cell: cells[cell]!.name,
      requests_per_second: ceilings[n]!.card?.requests_per_second ?? null,
      bound: ceilings[n]!.card?.bound ?? "unknown",
    })),
    noise_floor: floors,
    cells: cells.map(({ name, cell, marks, steadiness, cv }) => ({ name, cell, marks, steadiness, cv })),
    drifts: driftsIn(tables),
    questions,
    families,
    scaling,
    checks: checksOf(plan, cells, scaling),
    steps: stepsOf(plan, cells),
    ...ratesSummary(plan, cells),
    ...memoryOf(plan, cells, lines, looks),
  };
  return rounded({
    ...summary,
    answer: answerOf({
      ...{ plan, ...summary, cards, ...madeRounds(plan, journal) },
      machine: machineText(run),
    }),
  });
}

/** Returns the drifts of each ensemble's servers, of one that was settled by the table with the most rounds: it comes first. */
function driftsIn(tables: readonly EnsembleTable[]): Summary["drifts"] {
  const found = tables.flatMap((one) => driftsOf(one).map((drift) => ({ key: `${one.id} ${drift.cell}`, drift })));
  return found.filter(({ key }, n) => found.findIndex((one) => one.key === key) === n).map(({ drift }) => drift);
}

/** More than any figure has, and few enough that runs published before logarithms were the same on each engine verify. */
const DIGITS = 12;

function rounded<T>(value: T): T {
  if (typeof value === "number") return (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))) as T;
  if (Array.isArray(value)) return value.map(rounded) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)])) as T;
}

function ceilingOf({ run, plan }: RunRecord, lines: readonly Solo[]) {
  return {
    card: lines.length === 0 ? null : makeCellCard(run, plan.axes, lines),
    rates: lines.flatMap((line) => {
      const rate = rateOf(line);
      return rate === null ? [] : [{ round: line.round, rate }];
    }),
  };
}
