/** A judged question in one sentence. It takes no library, because the page runs it too. */
import { percent } from "../basics/percent.ts";
import { counted, formatRatio } from "../basics/units.ts";
import { everyTwo } from "../core/families.ts";
import { type JudgedQuestion, judgeQuestion, leads, rangeOf, standingOf } from "./judge-question.ts";
import { among, listed, type Place, placesText, type Question } from "./questions.ts";

/** Up to so many values are named one by one. */
const MOST_NAMED = 3;

/** What to take, by how much, where not, and how many comparisons say so; or what is open. */
export function questionSentence(question: Question, judged: JudgedQuestion): string {
  if (judged.pick !== null) return pickSentence(question, judged, judged.pick);
  return judged.mark === "partly" ? dependsSentence(question, judged) : openSentence(question, judged);
}

/** `Take`, `At iron take`; `Of wind and water take` where another has no verdict at most of its places. */
function scopeText({ values }: Question, { only_at, untold = [] }: JudgedQuestion): string {
  const little = untold.filter(({ places, of }) => 2 * places > of).map(({ value }) => value);
  const scopes = [
    ...(only_at === null ? [] : [`at ${only_at}`]),
    ...(little.length === 0 ? [] : [`of ${listed(values.filter((value) => !little.includes(value)))}`]),
  ];
  return asSentence([...scopes, "take"].join(" "));
}

/** `no verdict on steam at iron and wood`. */
export function untoldTexts({ untold = [] }: Pick<JudgedQuestion, "untold">): string[] {
  return untold.map(({ value, at }) => `no verdict on ${value} at ${at}`);
}

/** `deno`, `deno or bun`: the pick with all that is as good. */
export function pickText({ pick, also }: Pick<JudgedQuestion, "pick" | "also">): string {
  const all = [pick!, ...also.map(({ value }) => value)];
  return all.length <= MOST_NAMED + 1
    ? listed(all, "or")
    : `${all.slice(0, MOST_NAMED).join(", ")} or one of ${all.length - MOST_NAMED} more`;
}

/** `1.08 to 1.17 ×`; one number where both read the same. */
export function rangeText(least: number, greatest: number): string {
  const [from, to] = [formatRatio(least), formatRatio(greatest)];
  return from === to ? `${from} ×` : `${from} to ${to} ×`;
}

/** `35 of 36 comparisons decided`. */
export function decidedText({ decided, of }: Pick<JudgedQuestion, "decided" | "of">): string {
  return `${decided} of ${counted(of, "comparison")} decided`;
}

function pickSentence(question: Question, judged: JudgedQuestion, pick: string): string {
  const { places } = question;
  const led = places.filter((place) => leads(place, pick));
  const open = places.filter((place) => standingOf(place, pick) === "open");
  const told = [
    ratiosText(judged),
    ...nearTexts(question, judged, pick),
    ...exceptTexts(judged),
    levelText(led, places, judged, pick),
    ...untoldTexts(judged),
  ];
  if (open.length > 0) told.push(`open at ${placesText(open, places)}`);
  const rest = told.filter((text) => text !== "").join(", ");
  return `${scopeText(question, judged)} ${pickText(judged)}${tieText(judged)}${rest === "" ? "" : `: ${rest}`}; ${
    decidedText(judged)
  }.`;
}

/** ` (equivalent)`, ` (not separable at 11 of 15 places)`: what makes others as good as the pick. */
export function tieText({ also }: Pick<JudgedQuestion, "also">): string {
  const texts = also.map(({ how, places, of }) =>
    `${how === "equivalent" ? how : "not separable"}${places === of ? "" : ` at ${places} of ${counted(of, "place")}`}`
  );
  if (new Set(texts).size < 2) return texts.length === 0 ? "" : ` (${texts[0]})`;
  return ` (${also.map(({ value }, n) => `${value} ${texts[n]}`).join(", ")})`;
}

/** By how much the pick is faster than the others, the nearest first; a value as good as the pick is no other. */
function ratiosText({ ratios, also }: JudgedQuestion): string {
  const ties = new Set(also.map(({ value }) => value));
  const known = ratios.flatMap(({ value, least, greatest, decided, of }) =>
    least === null || greatest === null || ties.has(value) ? [] : { value, least, greatest, decided, of }
  ).toSorted((a, b) => a.least - b.least);
  const several = ratios.length > 1;
  const [named, more] = known.length <= MOST_NAMED + 1
    ? [known, []]
    : [known.slice(0, MOST_NAMED), known.slice(MOST_NAMED)];
  const texts = named.map(({ value, least, greatest, decided, of }) =>
    `${rangeText(least, greatest)} ${value}${several && decided < of ? ` (${decided} of ${of} decided)` : ""}`
  );
  if (more.length > 0) {
    const range = rangeText(Math.min(...more.map((one) => one.least)), Math.max(...more.map((one) => one.greatest)));
    texts.push(`${range} the other ${more.length}`);
  }
  return texts.join(", ");
}

/** `wind 3.56 × water at iron`: where the pick is faster all the same than a value that is as good elsewhere. */
function nearTexts({ places }: Question, { also }: JudgedQuestion, pick: string): string[] {
  return also.flatMap(({ value }) => {
    const won = places.filter((place) => place.values.includes(value) && place.over(pick, value).verdict === "faster");
    const { least, greatest } = rangeOf(won.flatMap((place) => place.over(pick, value).ratio ?? []));
    if (least === null || greatest === null) return [];
    return `${pick} ${rangeText(least, greatest)} ${value} at ${placesText(won, places)}`;
  });
}

/** `except at iron, where wind is faster, and at bone, where water is faster`; `not compared at rope, where wind leads`. */
function exceptTexts({ exceptions }: Pick<JudgedQuestion, "exceptions">): string[] {
  const beaten = exceptions.filter(({ why }) => why === "beaten").map(({ value, at }) =>
    `at ${at}, where ${value} is faster`
  );
  const absent = exceptions.filter(({ why }) => why === "absent")
    .map(({ value, at }) => `not compared at ${at}${value === null ? "" : `, where ${value} leads`}`);
  return [...(beaten.length === 0 ? [] : [`except ${beaten.join(", and ")}`]), ...absent];
}

/** Where the pick leads but is told from others at other places only. */
function levelText(led: readonly Place[], all: readonly Place[], { also }: JudgedQuestion, pick: string): string {
  const ties = new Set(also.map(({ value }) => value));
  const near = led.flatMap((place) =>
    place.values.filter((value) => !ties.has(value) && place.over(pick, value).verdict === "not-separable")
      .map((value) => ({ place, value }))
  );
  return [...Map.groupBy(near, ({ value }) => value)].slice(0, MOST_NAMED).map(([value, own]) => {
    const places = own.map(({ place }) => place);
    return `not separable from ${value}${places.length === all.length ? "" : ` at ${placesText(places, all)}`}`;
  }).join(", ");
}

function dependsSentence({ places }: Question, judged: JudgedQuestion): string {
  const leaders = (place: Place) => place.values.filter((value) => leads(place, value));
  const groups = [...Map.groupBy(places, (place) => listed(leaders(place), "or"))]
    .filter(([names]) => names !== "").toSorted(([, a], [, b]) => b.length - a.length);
  const told = groups.slice(0, MOST_NAMED + 1).map(([names, own]) =>
    `${names} ${own.length === places.length ? "everywhere" : `at ${placesText(own, places)}`}`
  );
  const open = places.length - groups.slice(0, MOST_NAMED + 1).reduce((sum, [, own]) => sum + own.length, 0);
  const rest = open === 0 ? "" : `; open or others at ${counted(open, "place")}`;
  return `It depends: take ${told.join(", ")}${rest}; ${decidedText(judged)}.`;
}

function openSentence(question: Question, judged: JudgedQuestion): string {
  const { values, places } = question;
  const measured = values.filter((value) =>
    places.some((place) => place.values.some((other) => place.over(value, other).verdict !== "no-verdict"))
  );
  const untold = values.filter((value) => !measured.includes(value));
  if (untold.length > 0 && measured.length > 1) {
    const rest = among(question, measured);
    const found = judgeQuestion(rest);
    if (found.pick !== null) {
      return `Open: no verdict on ${listed(untold)}; of the others ${lowered(questionSentence(rest, found))}`;
    }
  }
  const text = [...knownTexts(question), separableText(question)].find((each) => each !== "");
  return text === undefined
    ? `Open: no verdict in ${counted(judged.of, "comparison")}.`
    : `Open: ${text}; ${decidedText(judged)}.`;
}

/** A sentence from a part of one. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence as a part of another. */
export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** What is decided although nothing leads: at most one text, of the pairs with most to say. */
function knownTexts({ values, places }: Question): string[] {
  const told = everyTwo(values).flatMap(([a, b]) => [[a, b], [b, a]] as const).flatMap(([one, other]) => {
    const met = places.filter(({ values }) => values.includes(one) && values.includes(other));
    const said = met.map((place) => place.over(one, other));
    const wins = said.filter(({ verdict }) => verdict === "faster").flatMap(({ ratio }) => ratio ?? []);
    const { least, greatest } = rangeOf(wins);
    return least === null || greatest === null || said.some(({ verdict }) => verdict === "slower")
      ? []
      : { one, other, least, greatest, wins: wins.length, of: met.length };
  }).toSorted((a, b) => b.wins - a.wins).slice(0, MOST_NAMED);
  const texts = told.map(({ one, other, least, greatest, wins, of }) =>
    `${one} is ${rangeText(least, greatest)} ${other}${of === 1 ? "" : ` at ${wins} of ${counted(of, "place")}`}`
  );
  return texts.length === 0 ? [] : [`nothing leads, but ${listed(texts)}`];
}

/** Values that the run measured well enough to compare and still cannot tell apart. */
function separableText({ values, places }: Question): string {
  const near = places.flatMap(({ comparisons }) =>
    comparisons.flatMap(({ comparison }) => comparison.verdict === "not-separable" ? [comparison] : [])
  );
  if (near.length === 0) return "";
  const names = values.length <= MOST_NAMED + 1 ? `${listed(values)} are` : `all ${values.length} are`;
  const seen = near.flatMap(({ smallest_detectable }) => smallest_detectable ?? []);
  const would = seen.length === 0 ? "" : ` (a difference of ${percent(Math.max(...seen))} would have been seen)`;
  const untold = places.some(({ comparisons }) =>
    comparisons.some(({ comparison }) => comparison.verdict === "no-verdict")
  );
  return untold ? `what has a verdict is not separable${would}` : `${names} not separable${would}`;
}
