/** A cell's speed over that of another, with the best evidence there is. It takes no library, because the page runs it too. */
import type { CellCard } from "./cell-card.ts";
import type { Summary } from "../record/summary.ts";

/** Speed of a cell over that of the baseline. */
export interface OverBaseline {
  readonly ratio: number;
  readonly low: number | null;
  readonly high: number | null;
  /** `verdict`: both were judged together; `rates`: of the medians of both, whose intervals are divided by each other. */
  readonly by: "verdict" | "rates";
}

/**
 * A card over the baseline: what their verdict says where there is one, else what their rates say. The interval of rates is
 * that of the one's low over the other's high and the reverse: it holds the ratio at least as often as both hold theirs.
 * Null where one has no rate and no verdict.
 */
export function overBaseline(
  { families }: Pick<Summary, "families">,
  card: CellCard,
  baseline: CellCard,
): OverBaseline | null {
  for (const entry of families.flatMap(({ verdicts }) => verdicts)) {
    if (entry.verdict === "no-verdict") continue;
    const { ratio, interval: { low, high } } = entry;
    if (entry.a === card.name && entry.b === baseline.name) return { ratio, low, high, by: "verdict" };
    if (entry.b === card.name && entry.a === baseline.name) {
      return { ratio: 1 / ratio, low: 1 / high, high: 1 / low, by: "verdict" };
    }
  }
  const [rate, other] = [card.requests_per_second, baseline.requests_per_second];
  if (rate === null || other === null || other === 0) return null;
  const [own, base] = [card.requests_per_second_interval, baseline.requests_per_second_interval];
  const known = own !== null && base !== null && base.low > 0;
  return {
    ratio: rate / other,
    low: known ? own.low / base.high : null,
    high: known ? own.high / base.low : null,
    by: "rates",
  };
}
