import { AA, subjectName } from "../core/plan.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { Summary } from "../core/result/summary.ts";
import { isRanked } from "./page/metrics.ts";

/** How a cell of a later run stands to the same cell of an earlier one. */
export interface Difference {
  readonly subject: string;
  readonly before: CellCard;
  readonly after: CellCard;
  /** Rate after over rate before, with the widest range both intervals allow; null where either is not to be ranked. */
  readonly ratio: { readonly value: number; readonly low: number; readonly high: number } | null;
  readonly verdict: "faster" | "slower" | "equivalent" | "not-separable" | "no-verdict";
}

/** Below this share runs are never told apart; cells of one run have a sharper measure, their duets. */
const LEAST_DELTA = 0.02;

/**
 * Compares cells two runs have in common. Rounds of unlike runs are no pairs, so the range of a ratio is built from both
 * medians' intervals: cautious, it says less than one run with both would (`bench run --label`). What counts as a
 * difference is the larger noise floor of the two runs.
 */
export function differencesOf(
  before: { readonly cells: readonly CellCard[]; readonly summary: Summary },
  after: { readonly cells: readonly CellCard[]; readonly summary: Summary },
): Difference[] {
  const delta = Math.max(LEAST_DELTA, soloDelta(before.summary), soloDelta(after.summary));
  const later = new Map(after.cells.map((card) => [subjectName(card), card]));
  return before.cells.filter((card) => card.label !== AA).flatMap((card) => {
    const subject = subjectName(card);
    const other = later.get(subject);
    return other === undefined ? [] : [differenceOf(subject, card, other, delta)];
  });
}

function soloDelta({ noise_floor: { solo } }: Summary): number {
  return solo.kind === "unknown" ? 0 : solo.delta;
}

function differenceOf(subject: string, before: CellCard, after: CellCard, delta: number): Difference {
  if (!isRanked(before) || !isRanked(after)) return { subject, before, after, ratio: null, verdict: "no-verdict" };
  const value = after.requests_per_second! / before.requests_per_second!;
  const a = before.requests_per_second_interval, b = after.requests_per_second_interval;
  if (a === null || b === null) {
    return { subject, before, after, ratio: { value, low: value, high: value }, verdict: "no-verdict" };
  }
  const low = b.low / a.high, high = b.high / a.low;
  const verdict = low > 1 + delta
    ? "faster"
    : high < 1 / (1 + delta)
    ? "slower"
    : low > 1 / (1 + delta) && high < 1 + delta
    ? "equivalent"
    : "not-separable";
  return { subject, before, after, ratio: { value, low, high }, verdict };
}
