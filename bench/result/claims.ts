import type { AnswerClaim, AnswerPart } from "../record/answer-schema.ts";
import { isJudged, type Judged, shownInterval } from "../record/verdicts.ts";
import { type Place, placesText, type Question } from "./questions.ts";

/**
 * Gathers claims on pairs of values, one for each kind of verdict there is, and the places without a verdict. They name
 * places among `all`: for a part of a question, those of the whole.
 */
export function claimsOnPairs(
  question: Question,
  pairs: readonly (readonly [value: string, over: string])[],
  all = question.places,
): Pick<AnswerPart, "claims" | "untold"> {
  const where = (places: readonly Place[]) => places.length === all.length ? "" : placesText(places, all);
  const found = pairs.map(([value, over]) => ({
    pair: { value, over },
    met: question.places.filter(({ values }) => values.includes(value) && values.includes(over)),
  }));
  return {
    claims: found.flatMap(({ pair: { value, over }, met }) =>
      ([
        ["faster", "faster", value, over],
        ["equivalent", "equivalent", value, over],
        ["no-difference", "not-separable", value, over],
        ["faster", "faster", over, value],
      ] as const).flatMap(([says, verdict, one, other]): AnswerClaim[] => {
        const places = met.filter((place) => place.over(one, other).verdict === verdict);
        if (places.length === 0) return [];
        const sum = sumOf(places.map((place) => place.over(one, other) as Judged));
        return [{
          question: question.title,
          says,
          value: one,
          over: other,
          of: met.length,
          ...sum,
          where: where(places),
        }];
      })
    ),
    untold: found.flatMap(({ pair, met }) => {
      const none = met.filter((place) => !isJudged(place.over(pair.value, pair.over)));
      return none.length === 0 ? [] : [{ ...pair, where: where(none), places: none.length, of: met.length }];
    }),
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
