import { counted } from "../basics/units.ts";
import { limitText } from "../judge/bound.ts";
import { voidedByOthers } from "../judge/contention.ts";
import { AA, atWithout, MAIN, pointKey } from "../record/cell.ts";
import { everyTwo, familiesOf } from "../core/families.ts";
import { plannedRounds } from "../core/judged-cells.ts";
import type { Plan } from "../record/plan.ts";
import { noiseFloor } from "../statistics/noise-floor.ts";
import type { RoundPair } from "../statistics/compare.ts";
import { rank } from "../statistics/rank.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { type Contest, judgeFamily, type Verdict } from "../statistics/verdict.ts";
import { type EnsembleTable, tableOf } from "./block-tables.ts";
import { isUnsupported } from "./cell-card.ts";
import { titleOf } from "./checks.ts";
import { crowdingObjection } from "./crowding.ts";
import { rateOf, type Solo } from "../judge/lines.ts";
import type { Floors, MeasuredCell } from "./measured-cells.ts";
import type { Summary, VerdictEntry } from "../record/summary.ts";
import { aloneDoubt, driftDoubt, isOfWindow } from "./window-drift.ts";

type JudgedFamily = Summary["families"][number];

/** What comparisons rest on. */
export interface JudgedBy {
  readonly tables: readonly EnsembleTable[];
  readonly floors: Floors;
}

/** Families with the same question: they are shown together and judged together. */
interface Question {
  readonly level: Summary["questions"][number];
  readonly families: readonly JudgedFamily[];
}

/**
 * The verdicts of a run: the families of its contrast axes and labels, then the cells named by hand. All families of one
 * axis are one question, and all its intervals hold together. A cell that cannot be, or that is only there to be held
 * against another by hand, is in no family of an axis.
 */
export function judgedFamilies(
  plan: Plan,
  cells: readonly MeasuredCell[],
  by: JudgedBy,
): { families: JudgedFamily[]; questions: Summary["questions"] } {
  const own = cells.filter(({ planned, card }) => planned && (card === null || !isUnsupported(card)));
  const measuredAs = new Map(own.map((measured) => [measured.cell, measured]));
  const grouped = Map.groupBy(
    familiesOf(plan.axes, [...measuredAs.keys()]),
    ({ kind, axis }) => JSON.stringify([kind, axis]),
  );
  const questions = [...grouped.values()].map((every): Question => {
    // Places that were planned with too few rounds for any verdict are not asked, unless all are.
    const asked = every.filter(({ cells }) =>
      cells.filter((cell) => plannedRounds(plan, measuredAs.get(cell)!.place) >= thresholds.leastRounds.value).length >
        1
    );
    const families = asked.length > 0 ? asked : every;
    const members = families.map((family) => family.cells.map((cell) => measuredAs.get(cell)!));
    const { verdicts, level } = judgedTogether(members.map((own) => everyTwo(own)), by);
    const { kind, axis } = families[0]!;
    return {
      level: { kind, axis, ...level },
      families: families.map(({ at, cells }, n): JudgedFamily => {
        const ranking = rank(members[n]!.map((member) => candidateOf(member, by)), verdicts[n]!);
        return {
          kind,
          axis,
          title: titleOf(plan, at, kind === "axis" ? cells[0]!.label : MAIN),
          at,
          verdicts: verdicts[n]!.map(entryOf),
          ranking: ranking.groups.map(({ rank, cells }) => ({ rank, cells: [...cells] })),
          unranked: ranking.unranked.map(({ cell, reasons }) => ({ cell, reasons: [...reasons] })),
        };
      }),
    };
  });
  const all = [...questions, ...pairQuestions(plan, cells, by)];
  return { families: all.flatMap(({ families }) => families), questions: all.map(({ level }) => level) };
}

const candidateOf = ({ name, card, planned }: MeasuredCell, { tables }: JudgedBy) => ({
  cell: name,
  speed: card?.requests_per_second ?? 0,
  objections: card === null
    ? planned ? ["it was not measured"] : []
    : card.status === "ok" || voidedByOthers(card) && tables.some(({ table }) => table.members.includes(name))
    ? []
    : [`it is ${card.status}`],
});

type Pair = readonly [MeasuredCell, MeasuredCell];

/** Judges the pairs of several families as one; the verdicts come back by family. */
function judgedTogether(families: readonly (readonly Pair[])[], by: JudgedBy) {
  const { verdicts, family } = judgeFamily(families.flat().map(([a, b]) => contestOf(a, b, by)), by.floors);
  let next = 0;
  return {
    verdicts: families.map(({ length }) => verdicts.slice(next, next += length)),
    level: { comparisons: family.comparisons, level: family.level, level_each: family.levelEach },
  };
}

/** Cells named by hand, which need not share anything: those of each ensemble are a question, every two of them. */
function pairQuestions(plan: Plan, cells: readonly MeasuredCell[], by: JudgedBy): Question[] {
  return plan.ensembles.filter(({ purpose }) => purpose === "pair").flatMap((ensemble): Question[] => {
    const members = ensemble.cells.map((place) => cells[place]!).filter(({ cell }) => cell.label !== AA);
    if (members.length < 2) return [];
    const { verdicts, level } = judgedTogether([everyTwo(members)], by);
    const first = members[0]!.cell.point.at;
    const differing = Object.keys(first).filter((axis) =>
      members.some(({ cell }) => cell.point.at[axis] !== first[axis])
    );
    return [{
      level: { kind: "pair", axis: null, ...level },
      families: [{
        kind: "pair",
        axis: null,
        title: members.map(({ name }) => name).join(" against "),
        at: atWithout(first, ...differing),
        verdicts: verdicts[0]!.map(entryOf),
        ranking: [],
        unranked: [],
      }],
    }];
  });
}

/** Observations of both together decide where they are planned; else rates of each alone that nothing speaks against. */
function contestOf(a: MeasuredCell, b: MeasuredCell, { tables }: JudgedBy): Contest {
  const names = { a: a.name, b: b.name };
  const shared = tableOf(tables, a.place, b.place);
  const broken = [a, b].flatMap(({ name, card }) =>
    // What others took from a cell alone says nothing of what it did beside the other one.
    card === null || card.status === "ok" || shared !== undefined && voidedByOthers(card)
      ? []
      : `${name} is ${card.status}: ${card.reasons[0]?.message ?? "no reason kept"}`
  );
  if (shared !== undefined) {
    const crowded = crowdingObjection(shared, a.name, b.name);
    return {
      ...names,
      basis: "together",
      evidence: { kind: "blocks", table: shared.table },
      objections: [
        ...broken,
        ...[a, b].flatMap(({ name }) => restlessObjection(shared, name)),
        ...(crowded === null ? [] : [crowded]),
      ],
      doubt: driftDoubt(shared, a.name, b.name) ?? undefined,
    };
  }
  const objections = [a, b].flatMap(({ name, card, flags }) => [
    ...(card?.open_loop !== undefined
      ? [`${name} was sent a given rate, which says nothing of what it could do`]
      : card?.status === "ok" && card.bound !== "server"
      ? [`${name} is limited by ${limitText(card.bound)}`]
      : []),
    ...flags.filter((flag) => flag.objection && !isOfWindow(flag)).map((flag) => `${name}: ${flag.message}`),
  ]);
  return {
    ...names,
    basis: "solo",
    evidence: { kind: "rounds", pairs: soloRounds(a.solo, b.solo), better: "higher" },
    objections: [...broken, ...objections],
    doubt: aloneDoubt([a, b]),
  };
}

/** Why a server must not be judged that most rounds began to measure while it was still changing against the others. */
function restlessObjection({ table, rounds }: EnsembleTable, name: string): string[] {
  const own = table.members.indexOf(name);
  const restless = rounds.filter(({ moving }) => moving[own]).length;
  return 2 * restless <= rounds.length
    ? []
    : [`${name} was still changing against the others when ${restless} of ${counted(rounds.length, "window")} began`];
}

/** Rates of two cells, each measured alone: one pair a round, null where a round has no valid one. */
export function soloRounds(a: readonly Solo[], b: readonly Solo[]): RoundPair[] {
  const rounds = [...new Set([...a, ...b].map(({ round }) => round))].sort((x, y) => x - y);
  const of = (observations: readonly Solo[], round: number) => {
    const own = observations.find((one) => one.round === round);
    return own === undefined ? null : rateOf(own);
  };
  return rounds.map((round) => ({ round, a: of(a, round), b: of(b, round) }));
}

/** The noise floors of a run from its A/A twins, each held against the cell it is the same as. */
export function floorsOf(cells: readonly MeasuredCell[], tables: readonly EnsembleTable[]): Floors {
  const twins = cells.filter(({ cell }) => cell.label === AA).flatMap((twin): Pair[] => {
    const own = pointKey(twin.cell.point);
    const base = cells.find(({ cell }) => cell.label !== AA && pointKey(cell.point) === own);
    return base === undefined ? [] : [[base, twin]];
  });
  return {
    together: noiseFloor(twins.flatMap(([{ name: a, place }, { name: b, place: other }]) => {
      const shared = tableOf(tables, place, other);
      return shared === undefined ? [] : [{ a, b, evidence: { kind: "blocks" as const, table: shared.table } }];
    })),
    solo: noiseFloor(
      twins.filter(([a, b]) => a.solo.length > 0 && b.solo.length > 0).map(([a, b]) => ({
        a: a.name,
        b: b.name,
        evidence: { kind: "rounds" as const, pairs: soloRounds(a.solo, b.solo), better: "higher" as const },
      })),
    ),
  };
}

/** A verdict as results keep it. */
export function entryOf(verdict: Verdict): VerdictEntry {
  const { a, b, basis } = verdict;
  if (verdict.kind === "no-verdict") {
    return { verdict: "no-verdict", a, b, basis, cause: verdict.cause, reasons: [...verdict.reasons] };
  }
  const finite = (value: number) => Number.isFinite(value) ? value : null;
  return {
    verdict: verdict.kind,
    a,
    b,
    basis,
    rounds: verdict.n,
    ratio: verdict.ratio,
    interval: { ...verdict.interval },
    adjusted_p: verdict.adjustedP,
    delta: verdict.delta,
    smallest_detectable: finite(verdict.smallestDetectable),
    winner: verdict.kind === "faster" ? verdict.winner : null,
    rounds_needed: verdict.kind === "not-separable" && verdict.roundsNeeded.kind === "reachable"
      ? verdict.roundsNeeded.rounds
      : null,
  };
}
