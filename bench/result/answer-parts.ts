import { everyTwo } from "../plan/families.ts";
import type { AnswerPart } from "../record/answer-schema.ts";
import { joined, type Said, saidOf } from "./claims.ts";
import { isBeaten, picksBy, picksOf } from "./picks.ts";
import { partSentence } from "./part-sentence.ts";
import { among, type Place, type Question } from "./questions.ts";

/** The main part, of values nothing speaks against; then faster values with a caveat; then those warned of. */
export function partsOf(question: Question): AnswerPart[] {
  const { notes, values } = question;
  const having = (kind: string) => values.filter((value) => notes.get(value)?.kind === kind);
  const usual = values.filter((value) => notes.get(value)?.kind !== "warning");
  const named = [usual.filter((value) => !notes.has(value)), usual, values].find((some) => some.length > 1) ?? values;
  const main = mainPart(among(question, named));
  const against = main.picks.length === 0 ? named : main.picks;
  const other = (kind: "caveat" | "warning") =>
    having(kind).filter((value) => !named.includes(value))
      .flatMap((value) => againstNoted(among(question, [...against, value]), against, value, kind));
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
  const said = (pairs: readonly (readonly [string, string])[], at: (place: Place) => boolean) => {
    const part = among(question, values, at);
    return pairs.map(([a, b]) => saidOf(part, a, b, places));
  };
  const heading = { kind: "main", about: "", note: "" } as const;
  if (picks.length === 0) return partWith(heading, picks, said(pairs, () => true), byOf(question));
  const isApart = ({ warned }: Place) => warned.length > 0;
  const apart = places.some((place) => isApart(place) && picks.some((pick) => isBeaten(place, pick)));
  const picked = pairs.filter(isPicked);
  const usual = apart ? among(question, values, (place) => !isApart(place)) : question;
  return partWith(heading, picks, [
    ...picked.map(([a, b]) => saidOf(usual, a, b)),
    ...(apart ? said(picked, isApart).map((one) => lossesOf(one, picks)) : []),
    ...said(pairs.filter((pair) => !isPicked(pair)), (place) => !isPicked(place.values)),
  ]);
}

const lossesOf = ({ claims }: Said, picks: readonly string[]): Said => ({
  claims: claims.filter(({ says, over }) => says === "faster" && picks.includes(over)),
  untold: [],
});

/** Returns the part of a value with a note against others; none if it has a caveat and is faster than none. */
function againstNoted(
  question: Question,
  others: readonly string[],
  value: string,
  kind: "caveat" | "warning",
): AnswerPart[] {
  const said = others.map((other) =>
    kind === "caveat" ? saidOf(question, value, other) : saidOf(question, other, value)
  );
  const wins = said.some(({ claims }) => claims.some((claim) => claim.says === "faster" && claim.value === value));
  if (kind === "caveat" && !wins) return [];
  const heading = { kind, about: value, note: question.notes.get(value)!.text };
  return [partWith(heading, kind === "caveat" ? [value] : [], said)];
}

function byOf(question: Question): Pick<AnswerPart, "by"> {
  const found = picksBy(question);
  if (found === null) return {};
  const groups = found.groups.map(({ values, picks, question: own }) => {
    const pairs = picks.length === 0
      ? everyTwo(own.values)
      : picks.flatMap((pick) => own.values.filter((value) => value !== pick).map((value) => [pick, value]));
    const said = pairs.map(([value, over]) => saidOf(own, value!, over!, own.places));
    return { values, picks, ...joined(said) };
  });
  return { by: { axis: found.axis, groups } };
}

function partWith(
  heading: Pick<AnswerPart, "kind" | "about" | "note">,
  picks: string[],
  said: readonly Said[],
  by: Pick<AnswerPart, "by"> = {},
): AnswerPart {
  const part = { ...heading, picks, ...joined(said), ...by };
  return { ...part, sentence: partSentence(part) };
}
