import { atWithout, MAIN } from "../cell.ts";
import { duetSteadiness, movingObjection } from "../duet-steadiness.ts";
import { everyTwo, familiesOf } from "../families.ts";
import type { Plan } from "../plan.ts";
import { rank } from "../statistics/rank.ts";
import { type Contest, judgeFamily, type Verdict } from "../statistics/verdict.ts";
import { isUnsupported } from "./cell-card.ts";
import { titleOf } from "./checks.ts";
import type { Lines } from "./lines.ts";
import type { Floors, MeasuredCell } from "./measured-cells.ts";
import { duetRounds, holding, okMembers, soloRounds } from "./paired-rounds.ts";
import type { Summary, VerdictEntry } from "./summary.ts";

type JudgedFamily = Summary["families"][number];

/**
 * The verdicts of a run: the families of its contrast axes and labels, then the cells named by hand. A cell that cannot
 * be, or that is only there to be held against another by hand, is in no family.
 */
export function judgedFamilies(
  plan: Plan,
  cells: readonly MeasuredCell[],
  lines: Lines,
  floors: Floors,
): JudgedFamily[] {
  const compared = new Set(
    plan.ensembles.flatMap((ensemble) => ensemble.purpose === "pair" ? [] : ensemble.cells),
  );
  const own = cells.filter(({ planned, card }, place) =>
    (planned || compared.has(place)) && (card === null || !isUnsupported(card))
  );
  const measuredAs = new Map(own.map((measured) => [measured.cell, measured]));
  const families = familiesOf(plan.axes, [...measuredAs.keys()]).map(({ kind, axis, at, cells }): JudgedFamily => {
    const members = cells.map((cell) => measuredAs.get(cell)!);
    const verdicts = judgeFamily(everyTwo(members).map(([a, b]) => contestOf(a, b, lines)), floors);
    const ranking = rank(
      members.map(({ name, card, planned }) => ({
        cell: name,
        speed: card?.requests_per_second ?? 0,
        objections: card === null
          ? planned ? ["it was not measured"] : []
          : card.status === "ok"
          ? []
          : [`it is ${card.status}`],
      })),
      verdicts,
    );
    return {
      kind,
      axis,
      title: titleOf(plan, at, kind === "axis" ? cells[0]!.label : MAIN),
      at,
      verdicts: verdicts.map(entryOf),
      ranking: ranking.groups.map(({ rank, cells }) => ({ rank, cells: [...cells] })),
      unranked: ranking.unranked.map(({ cell, reasons }) => ({ cell, reasons: [...reasons] })),
    };
  });
  return [...families, ...pairFamilies(plan, cells, lines, floors)];
}

/** Cells named by hand, which need not share anything: those of each ensemble are a family, every two of them. */
function pairFamilies(plan: Plan, cells: readonly MeasuredCell[], lines: Lines, floors: Floors): JudgedFamily[] {
  return plan.ensembles.filter(({ purpose }) => purpose === "pair").flatMap((ensemble): JudgedFamily[] => {
    const members = ensemble.cells.map((place) => cells[place]!);
    const contests = everyTwo(members).map(([a, b]) => contestOf(a, b, lines)).filter(({ basis }) => basis === "duet");
    if (contests.length === 0) return [];
    const first = members[0]!.cell.point.at;
    const differing = Object.keys(first).filter((axis) =>
      members.some(({ cell }) => cell.point.at[axis] !== first[axis])
    );
    return [{
      kind: "pair",
      axis: null,
      title: members.map(({ name }) => name).join(" against "),
      at: atWithout(first, ...differing),
      verdicts: judgeFamily(contests, floors).map(entryOf),
      ranking: [],
      unranked: [],
    }];
  });
}

/** Observations of both together decide where there are any; else solo rates of cells that nothing speaks against. */
function contestOf(a: MeasuredCell, b: MeasuredCell, lines: Lines): Contest {
  const names = { a: a.name, b: b.name };
  const broken = [a, b].flatMap(({ name, card }) =>
    card === null || card.status === "ok"
      ? []
      : `${name} is ${card.status}: ${card.reasons[0]?.message ?? "no reason kept"}`
  );
  const shared = holding(lines, a.key, b.key);
  if (shared.length > 0) {
    const found = duetSteadiness([a.name, b.name], okMembers(shared, a.key, b.key));
    return {
      ...names,
      basis: "duet",
      better: "lower",
      pairs: duetRounds(shared, a.key, b.key),
      objections: [...broken, ...(found.steadiness === "moving" ? [movingObjection(found)] : [])],
    };
  }
  const objections = [a, b].flatMap(({ name, card, flags }) => [
    ...(card?.status === "ok" && card.bound !== "server" ? [`${name} is not server-bound but ${card.bound}`] : []),
    ...flags.filter((flag) => flag.objection).map((flag) => `${name}: ${flag.message}`),
  ]);
  return {
    ...names,
    basis: "solo",
    better: "higher",
    pairs: soloRounds(a.solo, b.solo),
    objections: [...broken, ...objections],
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
