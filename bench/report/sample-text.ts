import type { CellCard } from "../record/card.ts";

/** Rounds of a cell, and the interval of its rate where one is shown. */
type Sampled = Pick<CellCard, "observations_ok"> & Partial<Pick<CellCard, "requests_per_second_interval">>;

/** What figures of cells measured alone are: `one sample`, `median of 14`, `median of 3 to 4, with 95 % intervals`. */
export function sampleText(cards: readonly Sampled[]): string {
  const counts = cards.map(({ observations_ok }) => observations_ok).filter((count) => count > 0);
  const [least, most] = [Math.min(...counts, Infinity), Math.max(...counts, 1)];
  if (most === 1) return "one sample";
  const intervals = cards.some((card) => (card.requests_per_second_interval ?? null) !== null)
    ? ", with 95 % intervals"
    : "";
  return `median of ${least < most ? `${least} to ` : ""}${most}${intervals}`;
}
