import { counted } from "../basics/units.ts";
import { cellKey } from "../record/cell.ts";
import { percent } from "../basics/percent.ts";
import { median } from "../statistics/median.ts";
import { trend } from "../statistics/trend.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { mean, variation } from "../statistics/variation.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { answerOf } from "./answer.ts";
import { type EnsembleTable, ensembleTables } from "./block-tables.ts";
import { type CellCard, makeCellCard, makeCellCards } from "./cell-card.ts";
import { contrastsOf } from "./contrast/contrast-of.ts";
import { latencyCells } from "./latency/latency-of.ts";
import { checksOf, scalingOf, stepsOf } from "./checks.ts";
import { floorsOf, judgedFamilies } from "./judged-families.ts";
import { rateOf, type Solo, sortLines } from "../judge/lines.ts";
import { type Floors, type MeasuredCell, measuredCells } from "./measured-cells.ts";
import type { Observation } from "../record/observation-record.ts";
import { madeRounds } from "./rounds.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { driftsOf } from "./window-drift.ts";

/** Sums up a run from its plan and its journal alone. */
export function summaryOf(run: RunRecord, journal: readonly Observation[]): Summary {
  const { plan } = run;
  const lines = sortLines(journal);
  const cards = makeCellCards(run, journal);
  const ceilings = plan.ceilings.map(({ cell }) =>
    ceilingOf(run, lines.ceilings.get(cellKey(plan.cells[cell]!)) ?? [])
  );
  const known = ceilings.map(({ card }) => card?.bound === "generator" ? card.requests_per_second : null);
  const cells = measuredCells(plan, lines, cards, known);
  const tables = ensembleTables(plan, lines);
  const drifts = tables.flatMap(driftsOf);
  const floors = floorsOf(cells, tables);
  const scaling = scalingOf(plan, cells);
  const { families, questions } = judgedFamilies(plan, cells, { tables, floors });
  const summary: Omit<Summary, "answer"> = {
    schema: "levelfield.summary/5",
    run: run.run,
    stamps: stampsOf(run, { floors, ceilings, cells, tables }, journal),
    ceilings: plan.ceilings.map(({ cell }, n) => ({
      cell: cells[cell]!.name,
      requests_per_second: ceilings[n]!.card?.requests_per_second ?? null,
      bound: ceilings[n]!.card?.bound ?? "unknown",
    })),
    noise_floor: floors,
    cells: cells.map(({ cell, name, flags, steadiness, solo }) => {
      const spread = variation(solo.flatMap((one) => rateOf(one) ?? []));
      return { name, cell, flags: [...flags], steadiness, cv: spread.kind === "known" ? spread.cv : null };
    }),
    drifts: drifts.map(({ cell, rounds, flatness: { kind, change, interval } }) => ({
      cell,
      rounds,
      change,
      interval,
      steadiness: kind,
    })),
    questions,
    families,
    scaling,
    checks: checksOf(plan, cells, scaling),
    steps: stepsOf(plan, cards),
    ...furtherOf(plan, journal, cells),
  };
  return rounded({
    ...summary,
    answer: answerOf({ plan, ...summary, cards, ...madeRounds(plan, journal), contended: [] }),
  });
}

/** What further windows say, by the axis they were made along. */
function furtherOf(plan: RunRecord["plan"], journal: readonly Observation[], cells: readonly MeasuredCell[]) {
  const nameOf = (place: number) => cells.find((cell) => cell.place === place)!.name;
  const [latency, contrast] = [latencyCells(plan, journal, nameOf), contrastsOf(plan, journal, nameOf)];
  return { ...(latency === undefined ? {} : { latency }), ...(contrast === undefined ? {} : { contrast }) };
}

/** More than any figure has, and few enough that runs published before logarithms were the same on each engine verify. */
const DIGITS = 12;

function rounded<T>(value: T): T {
  if (typeof value === "number") return (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))) as T;
  if (Array.isArray(value)) return value.map(rounded) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, rounded(own)])) as T;
}

/** What the generator reached with one kind of request, round by round and as a card. */
function ceilingOf({ run, plan }: RunRecord, lines: readonly Solo[]) {
  return {
    card: lines.length === 0 ? null : makeCellCard(run, plan.axes, lines),
    rates: lines.flatMap((line) => {
      const rate = rateOf(line);
      return rate === null ? [] : [{ round: line.round, rate }];
    }),
  };
}

/** Change of the ceiling over a run from which the machine itself is said to have changed. */
const CEILING_DRIFT = 0.05;

/** What stamps are read from besides the run and its lines. */
interface Evidence {
  readonly floors: Floors;
  readonly ceilings: readonly {
    readonly card: CellCard | null;
    readonly rates: readonly { round: number; rate: number }[];
  }[];
  readonly cells: readonly MeasuredCell[];
  readonly tables: readonly EnsembleTable[];
}

function stampsOf(run: RunRecord, evidence: Evidence, journal: readonly Observation[]): Summary["stamps"] {
  const stamps: Summary["stamps"] = [];
  const stamp = (code: Summary["stamps"][number]["code"], message: string) => stamps.push({ code, message });
  for (const basis of ["together", "solo"] as const) {
    if (evidence.floors[basis].kind === "different") {
      const how = basis === "together" ? "measured together" : "measured alone";
      stamp(
        "aa-different",
        `the run found a cell different from itself (A/A, ${how}): such differences mean nothing here`,
      );
    }
  }
  // Ceilings of different requests differ, so each counts as a share of its own median.
  const shares = evidence.ceilings.flatMap(({ rates }) => {
    const own = rates.length === 0 ? 1 : median(rates.map(({ rate }) => rate));
    return rates.map(({ round, rate }) => ({ round, share: rate / own }));
  });
  const byRound = [...Map.groupBy(shares, ({ round }) => round)].sort(([a], [b]) => a - b);
  const drift = trend(byRound.map(([_, own]) => mean(own.map(({ share }) => share))));
  if (drift.kind === "known" && drift.flagged && Math.abs(drift.relativeChange) > CEILING_DRIFT) {
    stamp("ceiling-drift", `the machine itself changed by ${percent(drift.relativeChange, 0)} during the run`);
  }
  for (const { name, place, card } of evidence.cells) {
    const own = evidence.ceilings[run.plan.ceilings.findIndex(({ stands_for }) => stands_for.includes(place))];
    const ceiling = own === undefined ? null : mostOf(own);
    if (ceiling !== null && (card?.requests_per_second ?? 0) > ceiling * (1 + THRESHOLDS.cv)) {
      const over = percent(card!.requests_per_second! / ceiling - 1, 0);
      stamp("above-ceiling", `the rate of ${name} is ${over} above what the generator can do: one of the two is wrong`);
    }
  }
  const reversed = reversals(evidence.tables);
  if (reversed.length > 0) {
    stamp("parts-disagree", `${reversed[0]}: what the run found together and alone contradict each other`);
  }
  contention(journal, stamp);
  if (run.state === "interrupted") stamp("interrupted", "the run was stopped before its end");
  return stamps;
}

/**
 * The most the generator reached against a server that does nothing, where it was the limit; null where that was measured
 * too seldom: a machine that changes speed makes one moment's ceiling lower than another's rate.
 */
function mostOf({ card, rates }: Evidence["ceilings"][number]): number | null {
  if (card?.bound !== "generator" || rates.length < thresholds.leastRounds.value) return null;
  return Math.max(...rates.map(({ rate }) => rate));
}

/** Share of a run's observations that others' work may void before the run itself is doubted. */
const MOST_CONTENDED = 1 / 3;

function contention(journal: readonly Observation[], stamp: (code: "contended" | "steal", message: string) => void) {
  const made = journal.filter(({ kind }) => kind !== "ceiling");
  const reasons = made.map((line) =>
    [...line.reasons, ...line.members.flatMap(({ alone }) => alone?.reasons ?? [])]
      .find(({ code }) => code === "contended")
  );
  const voided = reasons.filter((reason) => reason !== undefined);
  if (made.length > 0 && voided.length > MOST_CONTENDED * made.length) {
    stamp(
      "contended",
      `in ${voided.length} of ${counted(made.length, "observation")} others had the machine: ${voided[0]!.message}`,
    );
  }
  const stolen = made.flatMap(({ counters }) => counters?.steal_share ?? []);
  if (stolen.length > 0 && median(stolen) > THRESHOLDS.stealShare) {
    stamp("steal", `the hypervisor took ${percent(median(stolen))} of a core during most observations`);
  }
}

/** Pairs of which one is beyond doubt the cheaper together and the other beyond doubt the cheaper alone, in words. */
function reversals(tables: readonly EnsembleTable[]): string[] {
  return tables.flatMap(({ table, rounds }) => {
    const alone = table.members.map((_, n) =>
      rounds.flatMap(({ members }) => {
        const own = members[n]?.alone;
        return own?.reasons.length === 0 ? own.counters?.server_cpu_ns_per_request ?? [] : [];
      })
    );
    const together = table.members.map((_, n) => rounds.flatMap(({ members }) => members[n]?.cpu_ns_per_request ?? []));
    // Every round of one below every round of the other: at four and four rounds chance does that once in seventy.
    const below = (a: readonly number[], b: readonly number[]) =>
      Math.min(a.length, b.length) >= 4 && Math.max(...a) * (1 + THRESHOLDS.crowded) < Math.min(...b);
    return table.members.flatMap((a, x) =>
      table.members.flatMap((b, y) =>
        below(together[x]!, together[y]!) && below(alone[y]!, alone[x]!)
          ? [`${a} is cheaper than ${b} beside it and dearer alone`]
          : []
      )
    );
  });
}
