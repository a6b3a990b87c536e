import type { AnswerClaim, AnswerPart } from "../record/answer-schema.ts";
import { isJudged, type Judged, shownInterval } from "../record/verdicts.ts";
import { type Place, placesText, type Question } from "./questions.ts";

/** What is said of two values: a claim for each kind of verdict there is, and the places without a verdict. */
export type Said = Pick<AnswerPart, "claims" | "untold">;

/** Joins what is said of several pairs. */
export const joined = (said: readonly Said[]): Said => ({
  claims: said.flatMap(({ claims }) => claims),
  untold: said.flatMap(({ untold }) => untold),
});

/** Gathers claims on two values, which name places among `all`: for a part of a question, those of the whole. */
export function saidOf(question: Question, value: string, over: string, all = question.places): Said {
  const met = question.places.filter(({ values }) => values.includes(value) && values.includes(over));
  const where = (places: readonly Place[]) => places.length === all.length ? "" : placesText(places, all);
  const kinds = [
    ["faster", "faster", value, over],
    ["equivalent", "equivalent", value, over],
    ["no-difference", "not-separable", value, over],
    ["faster", "faster", over, value],
  ] as const;
  const none = met.filter((place) => !isJudged(place.over(value, over)));
  return {
    claims: kinds.flatMap(([says, verdict, one, other]): AnswerClaim[] => {
      const places = met.filter((place) => place.over(one, other).verdict === verdict);
      if (places.length === 0) return [];
      const found = sumOf(places.map((place) => place.over(one, other) as Judged));
      return [{
        question: question.title,
        says,
        value: one,
        over: other,
        of: met.length,
        ...found,
        where: where(places),
      }];
    }),
    untold: none.length === 0 ? [] : [{ value, over, where: where(none), places: none.length, of: met.length }],
  };
}

function sumOf(
  verdicts: readonly Judged[],
): Omit<AnswerClaim, "question" | "says" | "value" | "over" | "of" | "where"> {
  const ratios = verdicts.map(({ ratio }) => ratio);
  const bases = new Set(verdicts.map(({ basis }) => basis));
  const visible = verdicts.map((one) => one.smallest_detectable);
  // A ratio that moves with the core's speed is its whole range.
  const ends = verdicts.flatMap(({ ratio, core }) => core === undefined ? [ratio] : [core.slow.ratio, core.fast.ratio]);
  const [only, ...others] = verdicts;
  return {
    ratio: Math.sqrt(Math.min(...ratios) * Math.max(...ratios)),
    least: Math.min(...ends),
    greatest: Math.max(...ends),
    ...(only?.core === undefined || others.length > 0
      ? {}
      : { core: { slow: only.core.slow.ratio, fast: only.core.fast.ratio } }),
    interval: {
      low: Math.min(...verdicts.map((one) => shownInterval(one).low)),
      high: Math.max(...verdicts.map((one) => shownInterval(one).high)),
    },
    places: verdicts.length,
    ...(verdicts.some((one) => one.lower_bound === "over") ? { at_least: true as const } : {}),
    ...(visible.includes(null) ? {} : { visible: Math.max(...visible.map((share) => share!)) }),
    basis: bases.size > 1 ? "both" : verdicts[0]!.basis,
    verdicts: verdicts.map(({ over, under }) => ({ over, under })),
  };
}
