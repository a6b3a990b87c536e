import { everyTwo } from "../plan/families.ts";
import type { AnswerPart } from "../record/answer-schema.ts";
import { claimsOnPairs } from "./claims.ts";
import { isBeaten, picksBy, picksOf } from "./picks.ts";
import { partSentence } from "./part-sentence.ts";
import { type Place, type Question, questionAmong } from "./questions.ts";

/** The main part, of values nothing speaks against; then faster values with a caveat; then those warned of. */
export function partsOf(question: Question): AnswerPart[] {
  const { notes, values } = question;
  const having = (kind: string) => values.filter((value) => notes.get(value)?.kind === kind);
  const usual = values.filter((value) => notes.get(value)?.kind !== "warning");
  const named = [usual.filter((value) => !notes.has(value)), usual, values].find((some) => some.length > 1) ?? values;
  const main = mainPart(questionAmong(question, named));
  const against = main.picks.length === 0 ? named : main.picks;
  const other = (kind: "caveat" | "warning") =>
    having(kind).filter((value) => !named.includes(value))
      .flatMap((value) => againstNoted(questionAmong(question, [...against, value]), against, value, kind));
  return [main, ...other("caveat"), ...other("warning")];
}

/**
 * Returns the main part of an answer. With picks: all verdicts on them, and those at places without any pick. Without
 * picks: all verdicts. Places where a suite warns of another value are told apart if a pick loses at one.
 */
function mainPart(question: Question): AnswerPart {
  const { values, places } = question;
  const picks = picksOf(question);
  const isPicked = (pair: readonly string[]) => pair.some((value) => picks.includes(value));
  const pairs = everyTwo(values).map(([a, b]): [string, string] => picks.includes(b!) ? [b!, a!] : [a!, b!]);
  const heading = { kind: "main", about: "", note: "" } as const;
  if (picks.length === 0) return partWith(heading, picks, claimsOnPairs(question, pairs), byOf(question));
  const isApart = ({ warned }: Place) => warned.length > 0;
  const apart = places.some((place) => isApart(place) && picks.some((pick) => isBeaten(place, pick)));
  const picked = pairs.filter(isPicked);
  const usual = claimsOnPairs(apart ? questionAmong(question, values, (place) => !isApart(place)) : question, picked);
  const losses = !apart ? [] : claimsOnPairs(questionAmong(question, values, isApart), picked, places).claims
    .filter(({ says, over }) => says === "faster" && picks.includes(over));
  const unpicked = questionAmong(question, values, (place) => !isPicked(place.values));
  const others = claimsOnPairs(unpicked, pairs.filter((pair) => !isPicked(pair)), places);
  return partWith(heading, picks, {
    claims: [...usual.claims, ...losses, ...others.claims],
    untold: [...usual.untold, ...others.untold],
  });
}

/** Returns the part of a value with a note against others; none if it has a caveat and is faster than none. */
function againstNoted(
  question: Question,
  others: readonly string[],
  value: string,
  kind: "caveat" | "warning",
): AnswerPart[] {
  const found = claimsOnPairs(question, others.map((other) => kind === "caveat" ? [value, other] : [other, value]));
  const wins = found.claims.some((claim) => claim.says === "faster" && claim.value === value);
  if (kind === "caveat" && !wins) return [];
  const heading = { kind, about: value, note: question.notes.get(value)!.text };
  return [partWith(heading, kind === "caveat" ? [value] : [], found)];
}

function byOf(question: Question): Pick<AnswerPart, "by"> {
  const found = picksBy(question);
  if (found === null) return {};
  const groups = found.groups.map(({ values, picks, question: own }) => {
    const pairs = picks.length === 0
      ? everyTwo(own.values)
      : picks.flatMap((pick) => own.values.filter((value) => value !== pick).map((value) => [pick, value] as const));
    return { values, picks, ...claimsOnPairs(own, pairs) };
  });
  return { by: { axis: found.axis, groups } };
}

function partWith(
  heading: Pick<AnswerPart, "kind" | "about" | "note">,
  picks: string[],
  found: ReturnType<typeof claimsOnPairs>,
  by: Pick<AnswerPart, "by"> = {},
): AnswerPart {
  const part = { ...heading, picks, ...found, ...by };
  return { ...part, sentence: partSentence(part) };
}
