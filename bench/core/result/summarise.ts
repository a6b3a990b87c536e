/*
 * Longer than 300 lines: one pass over a journal from lines to verdicts, whose steps mean nothing one by one.
 */
import { type Cell, cellLabel } from "../cell.ts";
import { duetSteadiness, duetSteadinesses, movingObjection } from "../duet-steadiness.ts";
import { flagsOf, steadinessOf } from "../flags.ts";
import { everyTwo } from "../pairs.ts";
import { AA, subjectName } from "../plan.ts";
import { median } from "../statistics/median.ts";
import type { NoiseFloor } from "../statistics/noise-floor.ts";
import { rank } from "../statistics/rank.ts";
import { estimateScaling, scalingCheck } from "../statistics/scaling.ts";
import { trend } from "../statistics/trend.ts";
import { variation } from "../statistics/variation.ts";
import { type Contest, judgeFamily, type Verdict } from "../statistics/verdict.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { formatSize } from "../units.ts";
import type { CeilingRecord } from "./ceiling-record.ts";
import { type CellCard, makeCellCards } from "./cell-card.ts";
import type { DuetRecord } from "./duet-record.ts";
import type { JournalLine } from "./journal-line.ts";
import { duetFloor, duetRounds, pairRounds, rateOf, soloFloor } from "./paired-rounds.ts";
import type { RunRecord } from "./run-record.ts";
import type { Summary, VerdictEntry } from "./summary.ts";
import type { TrialRecord } from "./trial-record.ts";

const LEVEL = 0.95;

/** The journal of a run, by kind of line and by what it measured. */
interface Lines {
  readonly trials: readonly TrialRecord[];
  readonly duets: readonly DuetRecord[];
  readonly ceilings: readonly CeilingRecord[];
  /** Trials by the name of their subject. */
  readonly trialsOf: ReadonlyMap<string, readonly TrialRecord[]>;
  /** Duets by the names of their subjects, in whichever order; see {@link pairKey}. */
  readonly duetsOf: ReadonlyMap<string, readonly DuetRecord[]>;
}

const pairKey = (a: string, b: string) => a < b ? `${a} ${b}` : `${b} ${a}`;

function sortLines(journal: readonly JournalLine[]): Lines {
  const trials = journal.filter((line) => line.schema === "levelfield.trial/1");
  const duets = journal.filter((line) => line.schema === "levelfield.duet/2");
  return {
    trials,
    duets,
    ceilings: journal.filter((line) => line.schema === "levelfield.ceiling/1"),
    trialsOf: Map.groupBy(trials, subjectName),
    duetsOf: Map.groupBy(duets, ({ a, b }) => pairKey(subjectName(a), subjectName(b))),
  };
}

/** Sums up a run from its plan and its journal alone. */
export function summarise(run: RunRecord, journal: readonly JournalLine[]): Summary {
  const lines = sortLines(journal);
  const ceilings = lines.ceilings.flatMap((line) => line.requests_per_second ?? []);
  const ceiling = ceilings.length === 0 ? null : median(ceilings);
  const cards = makeCellCards(run.run, lines.trials);
  const floors = { duet: duetFloor(lines.duets), solo: soloFloor(run, lines.trials) };
  const subjects = cards.map((card) => subjectOf(card, lines, ceiling));
  return {
    schema: "levelfield.summary/2",
    run: run.run,
    stamps: stampsOf(run, floors, ceilings, lines.trials),
    ceiling_requests_per_second: ceiling,
    noise_floor: floors,
    cells: subjects.map(({ card, flags, steadiness, cv, name }) => ({
      subject: name,
      cell: card.cell,
      label: card.label,
      flags,
      steadiness,
      cv,
    })),
    duets: duetSteadinesses(lines.duets).map(({ interval, ...rest }) => ({
      ...rest,
      interval: interval === null ? null : { ...interval },
    })),
    families: [
      ...familiesOf(subjects.filter(({ card }) => card.label !== AA), lines, floors),
      ...pairsOf(lines, floors),
    ],
    scaling: scalingOf(run, lines.trials),
  };
}

interface SubjectSummary {
  readonly name: string;
  readonly card: CellCard;
  readonly flags: Summary["cells"][number]["flags"];
  readonly steadiness: Summary["cells"][number]["steadiness"];
  readonly cv: number | null;
}

function subjectOf(card: CellCard, lines: Lines, ceiling: number | null): SubjectSummary {
  const name = subjectName(card);
  const ok = lines.trialsOf.get(name)!.filter((trial) => trial.status === "ok");
  const spread = variation(ok.map((trial) => trial.load!.requests_per_second));
  return {
    name,
    card,
    flags: flagsOf(ok, ceiling),
    steadiness: steadinessOf(ok),
    cv: spread.kind === "known" ? spread.cv : null,
  };
}

function stampsOf(
  run: RunRecord,
  floors: Record<"duet" | "solo", NoiseFloor>,
  ceilings: number[],
  trials: readonly TrialRecord[],
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
  const drift = trend(ceilings);
  if (drift.kind === "known" && drift.flagged && Math.abs(drift.relativeChange) > 0.05) {
    stamps.push({
      code: "ceiling-drift",
      message: `the machine itself changed by ${(100 * drift.relativeChange).toFixed(0)} % during the run`,
    });
  }
  const stolen = trials.flatMap((trial) => trial.counters?.steal_share ?? []);
  if (stolen.length > 0 && median(stolen) > THRESHOLDS.stealShare) {
    stamps.push({
      code: "steal",
      message: `the hypervisor took ${(100 * median(stolen)).toFixed(1)} % of a core during most trials`,
    });
  }
  if (run.state === "interrupted") stamps.push({ code: "interrupted", message: "the run was stopped before its end" });
  return stamps;
}

function familiesOf(
  subjects: readonly SubjectSummary[],
  lines: Lines,
  floors: Record<"duet" | "solo", NoiseFloor>,
): Summary["families"] {
  const families: Summary["families"] = [];
  const add = (
    purpose: "runtimes" | "stores" | "labels",
    key: (card: CellCard) => readonly unknown[],
    title: (cell: Cell) => string,
  ) => {
    for (
      const group of Object.values(Object.groupBy(subjects, ({ card }) => key(card).join("/"))) as SubjectSummary[][]
    ) {
      if (group.length < 2) continue;
      const { cell } = group[0]!.card;
      const contests = everyTwo(group).map(([a, b]) => contestOf(a, b, lines));
      const verdicts = judgeFamily(contests, floors);
      const ranking = rank(
        group.map(({ name, card }) => ({
          cell: name,
          speed: card.requests_per_second ?? 0,
          objections: card.status === "ok" ? [] : [`it is ${card.status}`],
        })),
        verdicts,
      );
      families.push({
        purpose,
        title: title(cell),
        size: cell.size,
        store: purpose === "stores" ? null : cell.store,
        runtime: purpose === "runtimes" ? null : cell.runtime,
        verdicts: verdicts.map(entryOf),
        ranking: ranking.groups.map(({ rank, cells }) => ({ rank, subjects: [...cells] })),
        unranked: ranking.unranked.map(({ cell, reasons }) => ({ subject: cell, reasons: [...reasons] })),
      });
    }
  };
  const users = (cell: Cell) => `${formatSize(cell.size)} users`;
  add(
    "runtimes",
    ({ cell, label }) => [cell.suite, cell.workload, cell.size, cell.store, label],
    (cell) => `${cell.store}, ${users(cell)}`,
  );
  add(
    "stores",
    ({ cell, label }) => [cell.suite, cell.workload, cell.size, cell.runtime, label],
    (cell) => `${cell.runtime}, ${users(cell)}`,
  );
  add(
    "labels",
    ({ cell }) => [cell.suite, cell.workload, cell.size, cell.store, cell.runtime],
    (cell) => `${cell.runtime}, ${cell.store}, ${users(cell)}`,
  );
  return families;
}

/** Duets of two cells named by hand, each a family of its own. */
function pairsOf(lines: Lines, floors: Record<"duet" | "solo", NoiseFloor>): Summary["families"] {
  const pairs = new Map<string, DuetRecord>();
  for (const duet of lines.duets) {
    if (duet.purpose === "pair") pairs.set(`${subjectName(duet.a)} ${subjectName(duet.b)}`, duet);
  }
  return [...pairs.values()].map(({ a, b }) => {
    const [first, second] = [subjectName(a), subjectName(b)];
    const contest: Contest = {
      a: first,
      b: second,
      basis: "duet",
      better: "lower",
      pairs: duetRounds(lines.duetsOf.get(pairKey(first, second))!, first, second),
      objections: objectionsToDuets(lines.duetsOf.get(pairKey(first, second))!),
    };
    return {
      purpose: "pair",
      title: `${cellLabel(a.cell)} against ${cellLabel(b.cell)}`,
      size: a.cell.size,
      store: null,
      runtime: null,
      verdicts: judgeFamily([contest], floors).map(entryOf),
      ranking: [],
      unranked: [],
    };
  });
}

/** Duets decide where there are any; else solo rates of cells that nothing speaks against. */
function contestOf(a: SubjectSummary, b: SubjectSummary, lines: Lines): Contest {
  const broken = [a, b].filter(({ card }) => card.status !== "ok")
    .map(({ name, card }) => `${name} is ${card.status}: ${card.reasons[0]?.message ?? "no reason kept"}`);
  const both = lines.duetsOf.get(pairKey(a.name, b.name)) ?? [];
  const duets = duetRounds(both, a.name, b.name);
  if (duets.length > 0) {
    const objections = [...broken, ...objectionsToDuets(both)];
    return { a: a.name, b: b.name, basis: "duet", better: "lower", pairs: duets, objections };
  }
  const objections = [a, b].flatMap(({ name, card, flags }) => [
    ...(card.status === "ok" && card.bound !== "server" ? [`${name} is not server-bound but ${card.bound}`] : []),
    ...flags.filter((flag) => flag.objection).map((flag) => `${name}: ${flag.message}`),
  ]);
  return {
    a: a.name,
    b: b.name,
    basis: "solo",
    better: "higher",
    pairs: pairRounds(lines.trialsOf.get(a.name)!, lines.trialsOf.get(b.name)!, rateOf),
    objections: [...broken, ...objections],
  };
}

/** Why a pair's duets must not be judged: one server was not warm. */
function objectionsToDuets(duets: readonly DuetRecord[]): string[] {
  const found = duetSteadiness(duets);
  return found.steadiness === "moving" ? [movingObjection(found)] : [];
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

function scalingOf(run: RunRecord, trials: readonly TrialRecord[]): Summary["scaling"] {
  const own = trials.filter((trial) => trial.label !== AA);
  const groups = Object.values(
    Object.groupBy(own, ({ cell, label }) => `${cell.runtime}/${cell.store}/${label}`),
  ) as TrialRecord[][];
  return groups.map((group) => {
    const { cell, label } = group[0]!;
    const rounds = Object.values(Object.groupBy(group, (trial) => String(trial.round))) as TrialRecord[][];
    const complexity = run.stores.find((store) => store.name === cell.store)?.complexity ?? "unknown";
    const estimate = estimateScaling(
      rounds.map((round) => round.map((trial) => ({ size: trial.cell.size, rps: rateOf(trial) }))),
      LEVEL,
    );
    const check = scalingCheck(complexity, estimate);
    return {
      runtime: cell.runtime,
      store: cell.store,
      label,
      complexity,
      exponent: estimate.kind === "estimated" ? estimate.exponent : null,
      interval: estimate.kind === "estimated" ? { ...estimate.interval } : null,
      check: check.kind,
      reason: check.kind === "unknown" ? check.reason : null,
    };
  });
}
