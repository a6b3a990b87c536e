import { counted, percent } from "../basics/units.ts";
import { contendedText } from "../judge/contention.ts";
import { voidedByOthers } from "../judge/status.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { roundsText } from "../plan/plan-rounds.ts";
import { madeRounds, settleRound } from "../plan/schedule.ts";
import { stepsAhead } from "../plan/spare-rounds.ts";
import type { CellOutcome } from "../record/card.ts";
import { mark } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import { median } from "../statistics/median.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { trend } from "../statistics/trend.ts";
import { mean } from "../statistics/variation.ts";
import type { EnsembleTable } from "./block-tables.ts";
import { haltMarks } from "./lost-rounds.ts";
import type { Floors, MeasuredCell } from "./measured-cells.ts";

/** Change of the ceiling over a run from which the machine itself counts as changed. */
const CEILING_DRIFT = 0.05;

interface RunMarksInput {
  readonly floors: Floors;
  readonly ceilings: readonly {
    readonly card: CellOutcome | null;
    readonly rates: readonly { round: number; rate: number }[];
  }[];
  readonly cells: readonly MeasuredCell[];
  readonly tables: readonly EnsembleTable[];
}

/** Returns the marks of a run: its evidence against itself, or against its machine. */
export function runMarks(run: RunRecord, evidence: RunMarksInput, journal: readonly Observation[]): Mark[] {
  const [reversed] = reversals(evidence.tables);
  return [
    ...twinMarks(evidence.floors),
    ...ceilingMarks(run, evidence),
    ...(reversed === undefined
      ? []
      : [mark("parts-disagree", `${reversed}: what the run found together and alone contradict each other`)]),
    ...contentionMarks(journal),
    ...haltMarks(run.plan, journal),
    ...(run.state === "finished" ? [] : [mark("interrupted", soFarText(run, journal))]),
  ];
}

function soFarText({ plan, state }: RunRecord, journal: readonly Observation[]): string {
  const made = madeRounds(plan, journal).rounds;
  if (plan.settles !== undefined && made >= plan.rounds) {
    const [step] = stepsAhead(plan, journal);
    const at = step === undefined ? "after its last" : `before ${settleRound(plan, step)}`;
    return `provisional: the rounds that settle it ${state === "running" ? "are not all made" : `were stopped ${at}`}`;
  }
  const missing = made < plan.rounds ? "" : " of all that verdicts rest on";
  const why = state === "running" ? "has not ended" : "was stopped before its end";
  return `provisional, as of ${made} of ${roundsText(plan)}${missing}: the run ${why}`;
}

function twinMarks(floors: Floors): Mark[] {
  const how = { together: "measured together", solo: "measured alone" };
  return (["together", "solo"] as const).filter((basis) => floors[basis].kind === "different").map((basis) =>
    mark(
      "aa-different",
      `the run found a cell different from itself (A/A, ${how[basis]}): such differences mean nothing here`,
    )
  );
}

function ceilingMarks(run: RunRecord, { ceilings, cells }: RunMarksInput): Mark[] {
  // Ceilings of different requests differ, so each counts as a share of its median.
  const shares = ceilings.flatMap(({ rates }) => {
    const usual = rates.length === 0 ? 1 : median(rates.map(({ rate }) => rate));
    return rates.map(({ round, rate }) => ({ round, share: rate / usual }));
  });
  const byRound = [...Map.groupBy(shares, ({ round }) => round)].sort(([a], [b]) => a - b);
  const drift = trend(byRound.map(([_, ofRound]) => mean(ofRound.map(({ share }) => share))));
  const drifted = drift.kind === "known" && drift.flagged && Math.abs(drift.relativeChange) > CEILING_DRIFT
    ? [mark("ceiling-drift", `the machine itself changed by ${percent(drift.relativeChange, 0)} during the run`)]
    : [];
  const above = cells.flatMap(({ name, place, card }) => {
    const found = ceilings[run.plan.ceilings.findIndex(({ stands_for }) => stands_for.includes(place))];
    const ceiling = found === undefined ? null : mostOf(found);
    if (ceiling === null || (card?.requests_per_second ?? 0) <= ceiling * (1 + THRESHOLDS.cv)) return [];
    const by = percent(card!.requests_per_second! / ceiling - 1, 0);
    return [
      mark("above-ceiling", `the rate of ${name} is ${by} above what the generator can do: one of the two is wrong`),
    ];
  });
  return [...drifted, ...above];
}

/**
 * The most the generator reached against a server that does nothing, where it was the limit; null if that was measured
 * too seldom: a machine that changes speed makes one moment's ceiling lower than another's rate.
 */
function mostOf({ card, rates }: RunMarksInput["ceilings"][number]): number | null {
  if (card?.bound !== "generator" || rates.length < thresholds.leastRounds.value) return null;
  return Math.max(...rates.map(({ rate }) => rate));
}

/** Share of a run's observations that others' work may void before the run itself is doubted. */
const MOST_CONTENDED = 1 / 3;

type Disturbed = Pick<Observation, "kind" | "status" | "marks" | "counters" | "members">;

/** The observations in which others had the machine, alone or together, of those that are no ceiling; null if in none. */
export function disturbedIn(journal: readonly Disturbed[]): { readonly share: number; readonly text: string } | null {
  const made = journal.filter(({ kind }) => kind !== "ceiling");
  const disturbed = made.map((line) => ({ line, loads: [line, ...line.members.flatMap(({ alone }) => alone ?? [])] }))
    .filter(({ line, loads }) => voidedByOthers(line) || contendedText(loads) !== null);
  if (disturbed.length === 0) return null;
  const taken = contendedText(disturbed.flatMap(({ loads }) => loads)) ?? "clocks changed";
  return {
    share: disturbed.length / made.length,
    text: `in ${disturbed.length} of ${counted(made.length, "observation")} others had the machine: ${taken}`,
  };
}

function contentionMarks(journal: readonly Observation[]): Mark[] {
  const made = journal.filter(({ kind }) => kind !== "ceiling");
  const disturbed = disturbedIn(journal);
  const stolen = made.flatMap(({ counters }) => counters?.steal_share ?? []);
  const steal = stolen.length === 0 ? 0 : median(stolen);
  return [
    ...(disturbed !== null && disturbed.share > MOST_CONTENDED ? [mark("machine-contended", disturbed.text)] : []),
    ...(steal > THRESHOLDS.stealShare
      ? [mark("machine-steal", `the hypervisor took ${percent(steal)} of a core during most observations`)]
      : []),
  ];
}

/** Pairs whose cheaper cell together is clearly the dearer one alone, in words. */
function reversals(tables: readonly EnsembleTable[]): string[] {
  return tables.flatMap(({ members: names, rounds }) => {
    const alone = names.map((_, n) =>
      rounds.flatMap(({ members }) => {
        const single = members[n]?.alone;
        return single?.marks.length === 0 ? single.counters?.server_cpu_ns_per_request ?? [] : [];
      })
    );
    const together = names.map((_, n) => rounds.flatMap(({ members }) => members[n]?.cpu_ns_per_request ?? []));
    // True if each round of one is below each round of the other: with four each, chance does that once in seventy.
    const below = (a: readonly number[], b: readonly number[]) =>
      Math.min(a.length, b.length) >= 4 && Math.max(...a) * (1 + THRESHOLDS.crowded) < Math.min(...b);
    return names.flatMap((a, x) =>
      names.flatMap((b, y) =>
        below(together[x]!, together[y]!) && below(alone[y]!, alone[x]!)
          ? [`${a} is cheaper than ${b} beside it and dearer alone`]
          : []
      )
    );
  });
}
