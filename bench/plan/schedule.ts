/** The steps of a plan in the order they are made, and how long each is expected to take. */
import { createRandom, shuffle } from "../basics/random.ts";
import { IDLE_STRETCHES } from "../judge/later-work.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { cellKey, cellName } from "../record/cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { ObservationKind, Plan, PlannedObservation, PlanSteps, SettlePart } from "../record/plan.ts";
import { median } from "../statistics/median.ts";
import { judgedCells } from "./families.ts";
import { AT_WORK_EVERY_MS, AT_WORK_MS, SETTLE_MS, SETTLE_TOGETHER_MS, turnsTakeMs } from "./lengths.ts";
import { mostRounds, type PlanRounds } from "./plan-rounds.ts";
import { isSearch, windowLengths } from "./rate-windows.ts";

/** The kind of an observation with so many cells. */
export const kindOf = (cells: readonly unknown[]): ObservationKind => cells.length === 1 ? "solo" : "ensemble";

/**
 * The steps of a plan. A round is every ceiling, solo cell and ensemble that has as many rounds, once, shuffled by the
 * plan's seed. Ensembles come first or last where the plan says so. A run stopped after any round has all of the plan up to it.
 * After them come the spare rounds; spare-rounds.ts says which of their steps are made. Rounds of `bench settle` come last.
 */
export function scheduleOf(plan: Plan): PlannedObservation[] {
  const random = createRandom(plan.seed);
  const steps: PlannedObservation[] = [];
  const drawSeed = () => Math.floor(random() * 2 ** 32);
  const drawSeeds = Array.from({ length: mostRounds(plan) }, drawSeed);
  const cellsAt = (places: readonly number[]) => places.map((each) => plan.cells[each]!);
  const ofOne = (kind: "ceiling" | "solo", cell: number) => aloneStep(plan, kind, cell);
  const aloneRounds = roundsAlone(plan);
  const addRound = (draw_seed: number, round: number) => {
    const spare = isSpareStep(plan, { round });
    const isIn = ({ rounds }: { readonly rounds: number }) => Math.min(round, plan.rounds - 1) < rounds;
    // Rates of few rounds come later if the answer, which does not need them, comes first.
    const later = (one: Plan["solo"][number]) =>
      isTimedStep(plan, { round }) ? isInAll(plan, one) : round >= plan.rounds - one.rounds;
    const solo = spare && plan.further === undefined
      ? cellsAlone(plan)
      : spare && plan.ensembles.length > 0
      ? []
      : plan.solo.filter(plan.together_first === true ? later : isIn).map(({ cell }) => cell);
    const ofRound: StepOfRound[] = [
      ...(round >= aloneRounds ? [] : plan.ceilings).map(({ cell }) => ofOne("ceiling", cell)),
      ...solo.map((cell) => ofOne("solo", cell)),
      ...plan.ensembles.filter((one) => isIn(one) || spare && plan.further !== undefined).map(({ purpose, cells }) => ({
        kind: kindOf(cells),
        purpose,
        alone: plan.further !== undefined || round < plan.alone_rounds,
        cells: cellsAt(cells),
      })),
    ];
    const shuffled = shuffle(ofRound, random);
    const [together, apart] = [true, false].map((wanted) =>
      shuffled.filter(({ purpose }) => (purpose !== null) === wanted)
    );
    const ordered = plan.together_first === true
      ? [together!, apart!]
      : plan.together_last === true
      ? [apart!, together!]
      : [shuffled];
    for (const step of ordered.flat()) steps.push({ ...step, index: steps.length, round, draw_seed });
  };
  drawSeeds.forEach(addRound);
  for (let spare = 0; spare < (plan.spare_rounds ?? 0); spare++) addRound(drawSeed(), mostRounds(plan) + spare);
  let round = plannedRoundsEnd(plan);
  for (const settle of plan.settles ?? []) {
    const drawn = createRandom(settle.seed);
    for (const end = round + settle.rounds; round < end; round++) {
      const draw_seed = Math.floor(drawn() * 2 ** 32);
      for (const step of shuffle(settleSteps(plan, settle), drawn)) {
        steps.push({ ...step, index: steps.length, round, draw_seed });
      }
    }
  }
  return steps;
}

/** A step without its place in a run. */
type StepOfRound = Omit<PlannedObservation, "index" | "round" | "draw_seed">;

const aloneStep = ({ cells }: PlanSteps, kind: "ceiling" | "solo", cell: number): StepOfRound => ({
  kind,
  purpose: null,
  alone: true,
  cells: [cells[cell]!],
});

/** Returns the steps of one round of a settle: nothing is measured alone that is compared together. */
export const settleSteps = (
  plan: PlanSteps,
  { solo, ensembles }: Pick<SettlePart, "solo" | "ensembles">,
): StepOfRound[] => [
  ...solo.map((cell) => aloneStep(plan, "solo", cell)),
  ...ensembles.map(({ of, cells }) => ({
    kind: kindOf(cells),
    purpose: plan.ensembles[of]!.purpose,
    alone: false,
    cells: cells.map((each) => plan.cells[each]!),
  })),
];

/** True if a cell is measured alone in every round: its comparisons rest on that. */
export const isInAll = ({ rounds }: Pick<Plan, "rounds">, solo: Plan["solo"][number]): boolean => solo.rounds >= rounds;

/** True if a step is made only where the plan's time allows its round. */
export const isTimedStep = (plan: PlanRounds, { round }: Pick<PlannedObservation, "round">): boolean =>
  round >= plan.rounds && round < mostRounds(plan);

/** The first round after those of a plan and its spare ones. */
const plannedRoundsEnd = (plan: PlanRounds) => mostRounds(plan) + (plan.spare_rounds ?? 0);

/** True if a step is made only to replace one that other processes voided. */
export const isSpareStep = (plan: PlanRounds, { round }: Pick<PlannedObservation, "round">): boolean =>
  round >= mostRounds(plan) && round < plannedRoundsEnd(plan);

/** True if `bench settle` added a step. */
export const isSettling = (
  plan: PlanRounds,
  { round }: Pick<PlannedObservation, "round">,
): boolean => round >= plannedRoundsEnd(plan);

/** Returns a plan whose last settle ends with a round: its time was up. */
export function cutSettle(plan: Plan, { round }: Pick<PlannedObservation, "round">): Plan {
  const [last, ...before] = (plan.settles ?? []).toReversed();
  const made = before.reduce((first, one) => first - one.rounds, round + 1 - plannedRoundsEnd(plan));
  return { ...plan, settles: [...before.toReversed(), { ...last!, rounds: made }] };
}

/** The place of a step among all rounds that were added to a run, in words; both from 1. */
export const settleRound = (
  plan: PlanRounds & Pick<Plan, "settles">,
  { round }: Pick<PlannedObservation, "round">,
): string =>
  `round ${round - plannedRoundsEnd(plan) + 1} of ${(plan.settles ?? []).reduce((sum, one) => sum + one.rounds, 0)}`;

/** Cells that are measured alone, by themselves or as members of ensembles. */
const cellsAlone = ({ solo, ensembles, alone_rounds }: PlanSteps): number[] => [
  ...new Set([
    ...solo.map(({ cell }) => cell),
    ...(alone_rounds === 0 ? [] : ensembles.flatMap(({ cells }) => cells)),
  ]),
];

/** Rounds of a plan in which some cell is measured alone. */
const roundsAlone = (plan: PlanSteps) =>
  Math.max(plan.ensembles.length === 0 ? 0 : plan.alone_rounds, ...plan.solo.map(({ rounds }) => rounds), 0);

/** In which order the members of an observation start and get the generator's threads: turned by one each round. */
export function orderOf(members: number, round: number): number[] {
  return Array.from({ length: members }, (_, place) => (round + place) % members);
}

/** A step's name: equal for the same step of different rounds, and unique among the others. */
export function stepName(step: PlannedObservation): string {
  return JSON.stringify([step.kind, ...step.cells.map(cellKey)]);
}

/** Returns in a few words what a step measures. */
export function stepText(plan: Pick<Plan, "axes" | "ceilings">, step: PlannedObservation): string {
  const names = step.cells.map((cell) => cellName(plan.axes, cell));
  if (step.kind === "solo") return names[0]!;
  if (step.kind === "ceiling") {
    return plan.ceilings.length > 1 ? `generator ceiling (${names[0]})` : "generator ceiling";
  }
  return names.length <= 3
    ? `${step.kind} ${names.join(" | ")}`
    : `${step.kind} of ${names.length}, ${names[0]} to ${names.at(-1)}`;
}

/** Measured window of a ceiling in milliseconds. */
export const CEILING_MS = 1_000;

/** Expected warm-up of a server alone (seen: 2.3 and 2.4 s on a shared machine), until runs here have measured it. */
const EXPECTED_WARMUP_MS = 2_500;

/** Time that a server without other work is watched idle, before its first load and after its last. */
const IDLE_MS = IDLE_STRETCHES * THRESHOLDS.restStretchMs;
const REST_MS = THRESHOLDS.restStretches * THRESHOLDS.restStretchMs;

/** Returns the milliseconds of the window of each server of a step alone. */
export const aloneMs = (plan: Pick<Plan, "duration_ms">, { apart, counted_ms }: PlannedObservation): number =>
  apart ? counted_ms ?? plan.duration_ms : plan.duration_ms;

/** Expected milliseconds of a step under load: warm-up and windows, without starting and checking. */
export function stepLoadMs(plan: Plan, step: PlannedObservation): number {
  if (step.kind === "ceiling") return CEILING_MS;
  const { warmup } = plan;
  const eachMs = (warmup.kind === "fixed" ? warmup.loads * warmup.ms : warmup.expected_ms ?? EXPECTED_WARMUP_MS) +
    (step.alone ? SETTLE_MS + aloneMs(plan, step) : 0);
  const servers = step.cells.length;
  const atOnce = plan.further === undefined
    ? turnsTakeMs(windowTogetherMs(step.counted_ms ?? plan.ensemble_ms, servers), servers) +
      SETTLE_TOGETHER_MS * servers
    : 0;
  const together = step.kind === "solo" ? 0 : atOnce +
    AT_WORK_MS * (servers - 1) / 2 * Math.floor(servers * eachMs / AT_WORK_EVERY_MS);
  return servers * (eachMs + IDLE_MS) + REST_MS + together +
    windowsAfter(plan, step).reduce((sum, ms) => sum + SETTLE_MS + ms, 0);
}

const STEPS_OF_SEARCH = 12;

/** Milliseconds of each window after the first one of a step, along the plan's extra axis. */
function windowsAfter(plan: Plan, { kind, round, cells }: PlannedObservation): readonly number[] {
  const { further } = plan;
  if (further === undefined || kind === "ceiling") return [];
  if (kind !== "ensemble" && isSearch(plan, further, round)) return Array(STEPS_OF_SEARCH).fill(plan.duration_ms);
  return cells.flatMap(() => windowLengths(plan, further));
}

/** The shortest window of an ensemble: less has a garbage collection of one server, or none. */
const LEAST_TOGETHER_MS = 2_000;

/**
 * Returns the window of so many servers together in milliseconds: whole seconds, without the ramp-up of their turns.
 *
 * @param countedMs of each server
 */
export function windowTogetherMs(countedMs: number, members: number): number {
  return Math.max(LEAST_TOGETHER_MS, 1_000 * Math.ceil(members * countedMs / 1_000));
}

/** Milliseconds a plan is expected to spend under load, its spare rounds and those that its time may allow left out. */
export function expectedLoadMs(plan: Plan): number {
  return scheduleOf(plan).filter((step) => !isSpareStep(plan, step) && !isTimedStep(plan, step)).reduce(
    (sum, step) => sum + stepLoadMs(plan, step),
    0,
  );
}

/**
 * Returns the number of complete rounds of the cells that a plan's questions are about. `roundMs` is the time of one
 * round of a new run that measures all of these cells in each round, as `--rounds` makes it.
 */
export function madeRounds(
  plan: Plan,
  journal: readonly Observation[],
): { readonly rounds: number; readonly roundMs: number | null } {
  const made = new Set(journal.map(({ index }) => index));
  const steps = scheduleOf(plan);
  const rounds = Map.groupBy(judgedSteps(plan, steps), ({ round }) => round);
  let complete = 0;
  while (rounds.get(complete)?.every(({ index }) => made.has(index))) complete++;
  return { rounds: complete, roundMs: complete === 0 ? null : againMs(steps, rounds.get(0)!, journal) };
}

/** Returns the planned steps of the cells that a plan's questions are about: a spare round makes up for others, and is none more. */
export function judgedSteps(plan: Plan, steps: readonly PlannedObservation[] = scheduleOf(plan)): PlannedObservation[] {
  const judged = new Set(judgedCells(plan).map(cellKey));
  return steps.filter((step) =>
    step.round < mostRounds(plan) && (step.kind === "ceiling" || step.cells.some((cell) => judged.has(cellKey(cell))))
  );
}

/** Milliseconds of the steps of a first round, each by the median of comparable steps. */
function againMs(
  steps: readonly PlannedObservation[],
  first: readonly PlannedObservation[],
  journal: readonly Observation[],
): number {
  const nameOf = (step: PlannedObservation) => `${stepName(step)} ${step.alone}`;
  const alike = Map.groupBy(journal.filter(({ index }) => index < steps.length), ({ index }) => nameOf(steps[index]!));
  return first.reduce((sum, step) => sum + median(alike.get(nameOf(step))!.map(({ wall_ms }) => wall_ms)), 0);
}
