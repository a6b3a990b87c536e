/** A cell's speed over that of another, with the best evidence there is. It takes no library, because the page runs it too. */
import type { CellCard } from "../record/card.ts";
import type { Comparison } from "../record/comparison.ts";
import { seenFrom } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";

/**
 * Speed of a card over that of the baseline: what their comparison says where it has a verdict, else what their rates say.
 * The interval of rates is that of the one's low over the other's high and the reverse: it holds the ratio at least as
 * often as both hold theirs, and has no level. Null where one has no rate and no verdict.
 */
export function overBaseline(
  { families }: Pick<Summary, "families">,
  card: CellCard,
  baseline: CellCard,
):
  | Pick<Comparison, "verdict" | "ratio"> & {
    readonly ratio: number;
    readonly interval: { readonly low: number; readonly high: number } | null;
  }
  | null {
  const own = [card.name, baseline.name];
  const judged = families.flatMap(({ comparisons }) => comparisons)
    .find(({ over, under, verdict }) => verdict !== "no-verdict" && own.includes(over) && own.includes(under));
  if (judged !== undefined && judged.verdict !== "no-verdict") return seenFrom(card.name, judged);
  const [rate, other] = [card.requests_per_second, baseline.requests_per_second];
  if (rate === null || other === null || other === 0) return null;
  const [mine, base] = [card.requests_per_second_interval, baseline.requests_per_second_interval];
  return {
    verdict: "no-verdict",
    ratio: rate / other,
    interval: mine === null || base === null || base.low <= 0
      ? null
      : { low: mine.low / base.high, high: mine.high / base.low },
  };
}
