/** The plan of a quick run: rounds enough for verdicts within ten minutes, of fewer points where these do not fit. */
import type { Suite, Value } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { judgedCells } from "./families.ts";
import { plannedMs } from "./pace.ts";
import { pointsOf, probeOf, type Values } from "./points.ts";
import { PROFILES } from "./profile.ts";

/** The longest that a quick plan is expected to take, in ms. */
export const QUICK_MOST_MS = 600_000;

/** The time that rounds beyond those of the profile may fill, in ms. */
const FILLED_MS = 360_000;

/** More rounds than these hardly narrow an interval. */
const MOST_ROUNDS = 8;

/** The parts of a quick plan that may be changed, and how a plan is made of them. */
interface QuickChoices {
  readonly values: Values;
  /** Axes whose values nobody chose by hand: of these some may be left out. */
  readonly free: readonly string[];
  readonly make: (values: Values, rounds: number) => Promise<Plan>;
}

/**
 * Returns the quick plan of a suite: with the rounds of the profile in ten minutes at most, with more while it takes six.
 * Where they do not fit, values are left out one by one: first conditions that are measured alone, then the last value of
 * the contrast with the most. Runtimes stay. Rounds go below those of the profile only where nothing can be left out, down
 * to those that verdicts need: three rounds of eleven frameworks decide less than four of eight, since half an
 * interval over 135 comparisons is 52 standard errors from three rounds and 18 from four.
 */
export async function quickPlan(suite: Suite, { values, free, make }: QuickChoices): Promise<Plan> {
  const usual = PROFILES.quick.rounds;
  let kept = values;
  let plan = await make(kept, usual);
  while (plannedMs(plan) > QUICK_MOST_MS) {
    const fewer = withoutOne(suite, kept, free, plan);
    if (fewer === null) break;
    kept = fewer;
    plan = await make(kept, usual);
  }
  for (let rounds = MOST_ROUNDS; rounds >= thresholds.leastRounds.value; rounds--) {
    plan = await make(kept, rounds);
    if (plannedMs(plan) <= (rounds > usual ? FILLED_MS : QUICK_MOST_MS)) break;
  }
  const left = suite.axes.filter(({ name }) => free.includes(name)).flatMap((axis) => {
    const missing = axis.values.filter((value) => !kept[axis.name]!.includes(value)).map(axis.format);
    return missing.length === 0 ? [] : [{ axis: axis.name, values: missing }];
  });
  return left.length === 0 ? plan : { ...plan, left_out: left };
}

/** Returns the values without the one that is missed least; null if no further one can be left out. */
function withoutOne(suite: Suite, values: Values, free: readonly string[], plan: Plan): Values | null {
  const probe = probeOf(suite);
  const judged = (axis: string, value: Value) => judgedCells(plan).some(({ point }) => point.at[axis] === value);
  const open = suite.axes.filter(({ name }) => free.includes(name) && values[name]!.length > 1);
  const isAlone = ({ role, inEveryRound }: Suite["axes"][number]) => role !== "contrast" && !inEveryRound;
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
