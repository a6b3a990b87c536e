/** A question in the parts it is answered in. It takes no library, because the page runs it too. */
import { everyTwo } from "../plan/families.ts";
import type { AnswerPart } from "../record/answer-schema.ts";
import { type Said, saidOf } from "./claims.ts";
import { leads, picksOf } from "./picks.ts";
import { partSentence } from "./part-sentence.ts";
import { among, type Place, type Question } from "./questions.ts";

/**
 * The main part, of values nothing speaks against at places no suite warns of; then what is faster than its picks but has
 * a caveat; then what a suite warns of, as a value of the question and as a value of the places. Where too little is left
 * without notes the main part has all values, or all places.
 */
export function partsOf(question: Question): AnswerPart[] {
  const { notes, values, places } = question;
  const having = (kind: string) => values.filter((value) => notes.get(value)?.kind === kind);
  const usual = values.filter((value) => notes.get(value)?.kind !== "warning");
  const named = [usual.filter((value) => !notes.has(value)), usual, values].find((some) => some.length > 1) ?? values;
  const calm = (place: Place) => place.warned.length === 0 || places.every(({ warned }) => warned.length > 0);
  const main = among(question, named, calm);
  const [first, picks] = takenPart(main, { kind: "main", about: "", note: "" });
  const against = picks.length === 0 ? main.values : picks;
  const other = (kind: "caveat" | "warning") =>
    having(kind).filter((value) => !named.includes(value))
      .flatMap((value) => beside(among(question, [...against, value]), against, value, kind));
  const warned = [...new Set(places.filter((place) => !calm(place)).flatMap(({ warned }) => warned))];
  return [
    first,
    ...other("caveat"),
    ...other("warning"),
    ...warned.flatMap((about) => {
      const there = among(question, named, ({ warned }) => warned.includes(about));
      return there.places.length === 0 ? [] : [takenPart(there, { kind: "warning", about, note: "" }, picks)[0]];
    }),
  ];
}

type Heading = Pick<AnswerPart, "kind" | "about" | "note">;

/** Returns the part of an answer with the picks of a question, and with every loss of a pick here or in the main part. */
function takenPart(question: Question, heading: Heading, mainPicks: readonly string[] = []): [AnswerPart, string[]] {
  const { values, places } = question;
  const picks = picksOf(question);
  const leaders = values.filter((value) => places.some((place) => leads(place, value)));
  const pairs = picks.length > 0
    ? everyTwo(values).flatMap(([a, b]) => picks.includes(a) ? [[a, b]] : picks.includes(b) ? [[b, a]] : [])
    : everyTwo(leaders.length > 1 ? leaders : values);
  const losses = mainPicks.filter((pick) => !picks.includes(pick)).flatMap((pick) =>
    values.filter((value) => value !== pick && !picks.includes(value)).map((value) => saidOf(question, value, pick))
  ).map(({ claims }): Said => ({
    claims: claims.filter(({ says, over }) => says === "faster" && mainPicks.includes(over)),
    untold: null,
  }));
  return [partWith(heading, picks, [...pairs.map(([a, b]) => saidOf(question, a!, b!)), ...losses]), picks];
}

/**
 * Returns the part of a value with a note, compared with others; none if it has a caveat and is faster than none of
 * them.
 */
function beside(
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
  return [
    partWith({ kind, about: value, note: question.notes.get(value)!.text }, kind === "caveat" ? [value] : [], said),
  ];
}

function partWith(heading: Heading, picks: string[], said: readonly Said[]): AnswerPart {
  const part = {
    ...heading,
    picks,
    claims: uniqueOf(said.flatMap(({ claims }) => claims)),
    untold: said.flatMap(({ untold }) => untold ?? []),
  };
  return { ...part, sentence: partSentence(part) };
}

/** Without what was found twice, from either side. */
const uniqueOf = (claims: AnswerPart["claims"]) =>
  claims.filter((claim, n) =>
    claims.findIndex(({ says, value, over }) => says === claim.says && value === claim.value && over === claim.over) ===
      n
  );
