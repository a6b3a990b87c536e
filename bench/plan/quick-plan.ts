/** The plan of a quick run: as many comparisons as its time allows with enough rounds for verdicts. */
import type { Suite, Value } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { judgedCells } from "./families.ts";
import { plannedMs } from "./pace.ts";
import { pointsOf, probeOf, type Values } from "./points.ts";
import { PROFILES } from "./profile.ts";
import { type TimeBudget, timedPlan } from "./timed-plan.ts";

/** More rounds than these hardly narrow an interval of cells alone. */
const MOST_ROUNDS = 8;

/** The parts of a quick plan that may be changed, and the function that makes a plan from them. */
interface QuickChoices {
  readonly values: Values;
  /** Axes whose values were not chosen by the user: only these may lose values. */
  readonly free: readonly string[];
  readonly make: (values: Values, rounds: number) => Promise<Plan>;
  readonly time: TimeBudget;
}

/**
 * Returns the quick plan of a suite: as many comparisons as have the rounds of the profile in its time. Values that nothing
 * is compared at are left out. Where the rest does not fit, values are left out one by one: first conditions that are
 * measured alone, then the last value of the contrast with the most. Runtimes stay. Rounds go below those of the profile
 * only where nothing can be left out: three rounds of eleven frameworks decide less than four of eight, since half an
 * interval over 135 comparisons is 52 standard errors from three rounds and 18 from four.
 */
export async function quickPlan(suite: Suite, { values, free, make, time }: QuickChoices): Promise<Plan> {
  const usual = PROFILES.quick.rounds;
  let plan = await make(values, usual);
  let kept = comparedOnly(suite, values, free, plan);
  plan = await make(kept, usual);
  while (plannedMs(plan) > time.ms) {
    const fewer = withoutOne(suite, kept, free, plan);
    if (fewer === null) break;
    kept = fewer;
    plan = await make(kept, usual);
  }
  const timed = timedPlan(plan, time);
  return { ...timed.timed === undefined ? await filled(time.ms, (rounds) => make(kept, rounds)) : timed, ...leftOut() };

  function leftOut(): Pick<Plan, "left_out"> {
    const left = suite.axes.filter(({ name }) => free.includes(name)).flatMap((axis) => {
      const missing = axis.values.filter((value) => !kept[axis.name]!.includes(value)).map(axis.format);
      return missing.length === 0 ? [] : [{ axis: axis.name, values: missing }];
    });
    return left.length === 0 ? {} : { left_out: left };
  }
}

/** Returns a plan of cells alone with as many rounds as a time allows. */
async function filled(ms: number, make: (rounds: number) => Promise<Plan>): Promise<Plan> {
  let plan: Plan;
  let rounds = MOST_ROUNDS;
  do plan = await make(rounds); while (plannedMs(plan) > ms && --rounds >= thresholds.leastRounds.value);
  return plan;
}

/** Axes whose values are measured alone, one condition after the other. */
const isAlone = ({ role, inEveryRound }: Suite["axes"][number]) => role !== "contrast" && !inEveryRound;

/** Returns the values at which something is compared, and those of an axis whose steps the suite shows. */
function comparedOnly(suite: Suite, values: Values, free: readonly string[], plan: Plan): Values {
  const shown = plan.expectations.flatMap((one) => one.kind === "steps" ? one.axis : []);
  const judged = judgedCells(plan);
  const kept = suite.axes.filter((axis) => free.includes(axis.name) && isAlone(axis) && !shown.includes(axis.name))
    .map(({ name }) => [
      name,
      values[name]!.filter((value) => judged.some(({ point }) => point.at[name] === value)),
    ]);
  return { ...values, ...Object.fromEntries(kept) };
}

/** Returns the values without the least important one; null if no more can be left out. */
function withoutOne(suite: Suite, values: Values, free: readonly string[], plan: Plan): Values | null {
  const probe = probeOf(suite);
  const judged = (axis: string, value: Value) => judgedCells(plan).some(({ point }) => point.at[axis] === value);
  const open = suite.axes.filter(({ name }) => free.includes(name) && values[name]!.length > 1);
  const alone = open.filter(isAlone).map((axis) => ({
    axis,
    // The ends of a scale show how it continues.
    value: lastOf(
      axis.role === "scale" ? endsFirst(values[axis.name]!) : values[axis.name]!,
      (value) => !judged(axis.name, value),
    ),
  }));
  const together = open.filter((axis) => !isAlone(axis) && axis.binds === undefined && values[axis.name]!.length > 2)
    .toSorted((a, b) => values[b.name]!.length - values[a.name]!.length)
    .map((axis) => ({ axis, value: lastOf(values[axis.name]!, (value) => value !== probe[axis.name]) }));
  for (const { axis: { name }, value } of [...alone, ...together]) {
    const fewer = { ...values, [name]: values[name]!.filter((each) => each !== value) };
    if (value !== undefined && pointsOf(suite, fewer).points.length > 1) return fewer;
  }
  return null;
}

const lastOf = <T>(items: readonly T[], fits: (item: T) => boolean) => items.findLast(fits);

/** The values of a scale, both ends first. */
const endsFirst = (values: readonly Value[]) => [values[0]!, ...values.slice(1).reverse()];
