/** Differences of two cells that are clear in each pass, even if passes differ. */
import type { ExplainedCell } from "../record/explanation-schema.ts";
import { meanOfUs, plainUs } from "./balanced.ts";

/** One cost of a cell in each pass that has a profile, in µs a request. */
export interface CostByPass {
  readonly cell: Pick<ExplainedCell, "passes">;
  readonly us: readonly number[];
  /** True if it is a part of user or system time, which the kernel separates by its ticks. */
  readonly byTicks: boolean;
}

/** Standard errors that a difference must exceed in each pass: two equal cells do so in all of three once in 40 000 runs. */
const STANDARD_ERRORS = 2;

/** CPU time between two ticks of the kernel's clock, in µs: 250 a second. */
const TICK_US = 4_000;

/** The least and greatest difference of all passes, in µs; null for one pass, mixed signs, or one within its error. */
export function clearRange(over: CostByPass, under: CostByPass): [low: number, high: number] | null {
  const apart = over.us.slice(0, under.us.length).map((us, pass) => us - under.us[pass]!);
  const [errors, otherErrors] = [errorsOf(over), errorsOf(under)];
  const clear = apart.every((us, pass) =>
    Math.sign(us) === Math.sign(apart[0]!) && Math.abs(us) > errors[pass]! + otherErrors[pass]!
  );
  return apart.length > 1 && clear ? [Math.min(...apart), Math.max(...apart)] : null;
}

/**
 * Returns the error of a cost in each pass, in µs: the counting error of its samples, and the share by which the pass's two
 * windows disagree. The second window has the profiler, which costs the same share in each pass.
 */
function errorsOf({ cell, us, byTicks }: CostByPass): number[] {
  const whole = plainUs(cell);
  const passes = cell.passes.filter(({ profiled }) => profiled !== null);
  const ratios = passes.map(({ profiled }, pass) => (profiled!.user_us + profiled!.system_us) / whole[pass]!);
  const usual = meanOfUs(ratios);
  return us.map((cost, pass) => {
    const made = passes[pass];
    if (made === undefined) return Infinity;
    const sampleUs = whole[pass]! / made.samples;
    const perCount = byTicks ? Math.max(sampleUs, TICK_US / made.plain.requests) : sampleUs;
    return cost * Math.abs(ratios[pass]! / usual - 1) + STANDARD_ERRORS * Math.sqrt(cost * perCount);
  });
}
