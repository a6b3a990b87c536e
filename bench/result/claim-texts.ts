import { formatRatio, fromTo, percent, twoDigits } from "../basics/units.ts";
import type { AnswerClaim } from "../record/answer-schema.ts";
import { listed } from "./questions.ts";

/** Returns the least and the greatest ratio of some claims. */
export const spanOf = (claims: readonly Pick<AnswerClaim, "least" | "greatest">[]) =>
  [Math.min(...claims.map((one) => one.least)), Math.max(...claims.map((one) => one.greatest))] as const;

/** `19 %`, `1.2 %`: two digits. */
export const aboutPercent = (share: number): string =>
  share >= 0.0995 ? percent(share, 0) : percent(share, share < 0.00995 ? 2 : 1);

/** `1.8`, `1.6 to 2.5`; `1.04 to 1.16`: both ends with as many digits. */
export function spanText([least, greatest]: readonly [number, number]): string {
  const isFine = Math.min(least, greatest) < 1.095 && greatest < 1.995;
  return isFine ? fromTo(least.toFixed(2), greatest.toFixed(2)) : fromTo(twoDigits(least), twoDigits(greatest));
}

/** The ratio of some claims by least and greatest; of a lower bound its lower end, by the core's speed its range. */
export function claimsText(claims: readonly AnswerClaim[]): string {
  const [only, ...others] = claims;
  if (claims.some((claim) => claim.at_least === true)) {
    return `at least ${twoDigits(Math.min(...claims.map((one) => one.at_least ? one.interval.low : one.least)))} ×`;
  }
  if (only?.core !== undefined && others.length === 0) return coreText(only.core, twoDigits);
  return `${spanText(spanOf(claims))} ×`;
}

/** `1.39 (slow core) to 1.51 (fast core) ×`: a ratio that moves with the core's speed. */
export const coreText = (
  { slow, fast }: { readonly slow: number; readonly fast: number },
  format: (ratio: number) => string = formatRatio,
): string => `${format(slow)} (slow core) to ${format(fast)} (fast core) ×`;

/** Ratios that differ by at most this factor are reported as one. */
const ALIKE = 1.1;

/** `wind is 1.1 × steam and 1.3 × water, sun is 2.0 × steam at iron`: one text for each group of places. */
export function winTexts(claims: readonly AnswerClaim[]): string[] {
  return [...Map.groupBy(claims, ({ where }) => where).values()].map((same) => {
    const each = [...Map.groupBy(same, ({ value }) => value)].map(([value, own]) => {
      const [least, greatest] = spanOf(own);
      const isOne = greatest <= ALIKE * least && own.every(({ core, at_least }) => core === undefined && !at_least);
      const groups = isOne ? [own] : [...Map.groupBy(own, (claim) => claimsText([claim])).values()];
      const overs = (some: readonly AnswerClaim[]) =>
        some.length > 3 ? `${some.length} others` : listed(some.map(({ over }) => over), "or");
      return `${value} is ${listed(groups.map((some) => `${claimsText(some)} ${overs(some)}`))}`;
    });
    return `${each.join(", ")}${atText(same[0]!)}`;
  });
}

/** ` at iron`; empty for claims of all places. */
export const atText = ({ where }: Pick<AnswerClaim, "where">) => where === "" ? "" : ` at ${where}`;

/** The greatest possible ratio of two values, by the intervals of open claims; null if there are none. */
export function greatestRatio(claims: readonly Pick<AnswerClaim, "interval">[]): number | null {
  const ends = claims.flatMap(({ interval: { low, high } }) => [high, 1 / low]);
  return ends.length === 0 ? null : Math.max(...ends);
}
