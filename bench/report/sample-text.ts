import type { CellCard } from "../record/card.ts";

/** What figures of cells measured alone are: `one sample`, `median of 14`, `median of 3 to 4`; each sample is one round's. */
export function sampleText(
  cards: readonly Pick<CellCard, "observations_ok" | "requests_per_second_interval">[],
): string {
  const counts = cards.map(({ observations_ok }) => observations_ok).filter((count) => count > 0);
  const [least, most] = [Math.min(...counts, Infinity), Math.max(...counts, 1)];
  if (most === 1) return "one sample";
  const intervals = cards.some((card) => card.requests_per_second_interval !== null) ? ", with 95 % intervals" : "";
  return `median of ${least < most ? `${least} to ` : ""}${most}${intervals}`;
}
