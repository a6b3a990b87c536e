import type { AnswerClaim, AnswerPart } from "../record/answer-schema.ts";
import { isJudged, type Judged, shownInterval } from "../record/verdicts.ts";
import { type Place, placesText, type Question } from "./questions.ts";

type Seen = { readonly place: Place; readonly found: Judged };

/** The claims of verdicts on one value over another. */
export interface Said {
  /** One for each kind of verdict there is; that the other is faster stands last, as a claim of the other. */
  readonly claims: readonly AnswerClaim[];
  /** The places without a verdict; null if all have one. */
  readonly untold: AnswerPart["untold"][number] | null;
}

/** Gathers claims on two values, which name places among `all`: for a part of a question, those of the whole. */
export function saidOf(question: Question, value: string, over: string, all = question.places): Said {
  const met = question.places.filter(({ values }) => values.includes(value) && values.includes(over));
  const where = (places: readonly Place[]) => places.length === all.length ? "" : placesText(places, all);
  const seen = (verdict: Judged["verdict"], [one, other]: readonly [string, string]) =>
    met.flatMap((place): Seen[] => {
      const found = place.over(one, other);
      return found.verdict === verdict ? [{ place, found: found as Judged }] : [];
    });
  const claim = (
    says: AnswerClaim["says"],
    verdict: Judged["verdict"],
    pair: readonly [string, string],
  ): AnswerClaim[] => {
    const some = seen(verdict, pair);
    const shared = { question: question.title, says, value: pair[0], over: pair[1], of: met.length };
    return some.length === 0
      ? []
      : [{ ...shared, ...sumOf(some.map(({ found }) => found)), where: where(some.map(({ place }) => place)) }];
  };
  const none = met.filter((place) => !isJudged(place.over(value, over)));
  return {
    claims: [
      ...claim("faster", "faster", [value, over]),
      ...claim("equivalent", "equivalent", [value, over]),
      ...claim("no-difference", "not-separable", [value, over]),
      ...claim("faster", "faster", [over, value]),
    ],
    untold: none.length === 0 ? null : { value, over, where: where(none), places: none.length, of: met.length },
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
