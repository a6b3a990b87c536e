/** Words for single claims: who is faster, by how much, where, and who is not told apart. */
import { formatRatio, percent } from "../basics/units.ts";
import type { AnswerClaim } from "../record/answer-schema.ts";
import { listed } from "./questions.ts";

/** Ratios no further apart than this are shown as about the one between them, which is then at most 5 % off. */
export const ABOUT = 1.1;
/** The least ratio shown that way; smaller ones above 1 are shown by both ends. */
const ABOUT_FROM = 1.5;

/** Returns the least and the greatest ratio of some claims. */
export const spanOf = (claims: readonly AnswerClaim[]) =>
  [Math.min(...claims.map((one) => one.least)), Math.max(...claims.map((one) => one.greatest))] as const;

/**
 * `no difference above about 19 %`: what would as a rule have been seen; without a figure that none was found.
 *
 * @param first false after another such text: `nor above about 19 %`
 */
export function noDifference(claims: readonly AnswerClaim[], first = true): string {
  const visible = claims.map((claim) => claim.visible ?? null);
  const lead = first ? "no difference" : "nor";
  return visible.includes(null)
    ? first ? `${lead} found` : lead
    : `${lead} above about ${aboutPercent(Math.max(...visible.map((share) => share!)))}`;
}

/** `19 %`, `1.2 %`: two digits. */
export const aboutPercent = (share: number): string =>
  share >= 0.0995 ? percent(share, 0) : percent(share, share < 0.00995 ? 2 : 1);

/** `wind is 1.10 × steam and 1.25 × water, sun is 2.00 × steam at iron`: one text for each group of places. */
export function winTexts(claims: readonly AnswerClaim[]): string[] {
  return [...Map.groupBy(claims, ({ where }) => where).values()].map((same) => {
    const each = [...Map.groupBy(same, ({ value }) => value)].map(([value, same]) =>
      `${value} is ${listed(same.map((claim) => `${claimText(claim)} ${claim.over}`))}`
    );
    return `${listed(each)}${atText(same[0]!)}`;
  });
}

/**
 * Returns values that verdicts do not separate, by their places. Values with the same others are named together.
 *
 * @param first true if no such text stands before
 */
export function tiesText(before: string, word: string, claims: readonly AnswerClaim[], first = true): string[] {
  const parts = [...Map.groupBy(claims, ({ value, where }) => JSON.stringify([value, where])).values()]
    .map((some) => ({
      some,
      value: some[0]!.value,
      rest: `${listed(some.map(({ over }) => over), "or")}${atText(some[0]!)}`,
    }));
  return [...Map.groupBy(parts, ({ rest }) => rest)].map(([rest, same], n) => {
    const none = before === "" ? "" : `${noDifference(same.flatMap(({ some }) => some), first && n === 0)} ${before} `;
    return `${none}${listed(same.map(({ value }) => value), "or")} ${word} ${rest}`;
  });
}

/** `wind is 1.10 to 1.25 × steam at iron`. */
export const winText = (claim: AnswerClaim) => `${claim.value} is ${claimText(claim)} ${claim.over}${atText(claim)}`;

/**
 * The ratio of a claim; of a lower bound the lower end of its interval: `at least 2.28 ×`. One that moves with the core's
 * speed: `1.39 (slow core) to 1.51 (fast core) ×`.
 */
export const claimText = ({ at_least, core, least, greatest, interval }: AnswerClaim): string => {
  if (at_least === true) return `at least ${formatRatio(interval.low)} ×`;
  if (core !== undefined) return coreText(core);
  return timesText(least, greatest);
};

/** `1.39 (slow core) to 1.51 (fast core) ×`: a ratio that moves with the core's speed. */
export const coreText = ({ slow, fast }: { readonly slow: number; readonly fast: number }): string =>
  `${formatRatio(slow)} (slow core) to ${formatRatio(fast)} (fast core) ×`;

/** `1.80 ×`, `about 1.8 ×`, `1.6 to 2.5 ×`. */
export function timesText(least: number, greatest: number): string {
  const [from, to] = [formatRatio(least), formatRatio(greatest)];
  if (from === to) return `${from} ×`;
  if (greatest > ABOUT * least || least < ABOUT_FROM) return `${from} to ${to} ×`;
  const middle = Math.sqrt(least * greatest);
  return `about ${middle < 9.95 ? middle.toFixed(1) : middle.toPrecision(2)} ×`;
}

/** ` at iron`; empty for claims of all places. */
export const atText = ({ where }: Pick<AnswerClaim, "where">) => where === "" ? "" : ` at ${where}`;
