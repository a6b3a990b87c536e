import { isAtRate } from "../../record/cell.ts";
import type { Solo } from "../../judge/lines.ts";
import type { Cell } from "../../record/cell-schema.ts";
import { counted, formatRate } from "../../basics/units.ts";
import type { LatencyCell } from "../../record/latency-schema.ts";
import { mark } from "../../record/mark.ts";
import { BOUND, type Mark } from "../../record/outcome-schema.ts";
import type { Plan } from "../../record/plan.ts";
import { type ClosedLoop, ratesOf, searchedIn } from "../../plan/rate-windows.ts";

/**
 * Closed-loop rates of a cell's servers that lie further apart are those of a machine whose speed moved: even at a CV of
 * 17 %, the most that shared machines showed for single rates, eight servers lie within 2.85 times that.
 */
const SPREAD = 0.5;
/** A rate that exceeds the highest earlier one by more is not of the same server: windows differ by less. */
const ABOVE = 0.1;

const above = (rate: number, most: number) => `${((rate / most - 1) * 100).toFixed(0)} % above`;

/** Returns the mark of a closed loop whose own later windows contradict it; none where no share or search rests on it. */
export function contradictionMarks(plan: Plan, { point }: Cell, solo: readonly Solo[]): Mark[] {
  const { further } = plan;
  if (further === undefined || isAtRate(point.at)) return [];
  if (further.limit === null && ratesOf(plan).every((rate) => typeof rate === "number")) return [];
  return contradictionMark({ ...searchedIn(plan, further, solo), observations: solo });
}

/** Returns a mark with each contradiction between rates of one server: shares of such rates mean nothing. */
export function contradictionMark(
  { capacity_per_second: capacity, observations, knee }:
    & Pick<LatencyCell, "capacity_per_second" | "knee">
    & { readonly observations: readonly ClosedLoop[] },
): Mark[] {
  if (capacity === null) return [];
  const sound = observations.filter(({ status, load }) => status === "ok" && load !== null);
  const rates = sound.length === 0 ? [capacity] : sound.map(({ load }) => load!.requests_per_second);
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const found: string[] = [];
  if (most > (1 + SPREAD) * least) {
    found.push(
      `its closed-loop rate was ${formatRate(least)} to ${formatRate(most)} req/s in ${
        counted(rates.length, "server")
      }`,
    );
  }
  const answered = Math.max(0, ...(knee?.steps ?? []).map((step) => step.per_second * (step.sent_share ?? 0)));
  if (wasLimit(sound) && answered > (1 + ABOVE) * most) {
    found.push(
      `in the search it answered ${formatRate(answered)} req/s, ${above(answered, most)} the ${
        formatRate(most)
      } of a closed loop in which it was the limit`,
    );
  }
  return found.length === 0 ? [] : [mark("rates-contradict", found.join("; "))];
}

/** A server that waited for something in its closed loop may do more with more requests at once. */
const wasLimit = (sound: readonly ClosedLoop[]) => sound.every(({ bound }) => BOUND[bound].own);
