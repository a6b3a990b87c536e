/** The picks of a question: values that verdicts support. It takes no library, because the page runs it too. */
import type { Place, Question } from "./questions.ts";

/**
 * The standing of a value at a place. `best`: faster than all others there or equivalent to them. `level`: the same,
 * except for values that are not separable from it, or compared only at other places. `beaten`: another is faster.
 * `absent`: it was not compared there. `open`: anything else. A place that separates no values supports none.
 */
export function standingOf(place: Place, value: string): "best" | "level" | "open" | "beaten" | "absent" {
  if (!place.values.includes(value)) return "absent";
  const { values, untold } = place;
  const verdicts = values.filter((other) => other !== value && !untold.includes(other))
    .map((other) => place.over(value, other).verdict);
  if (verdicts.includes("slower")) return "beaten";
  if (untold.length === 0 && verdicts.every((verdict) => verdict === "faster" || verdict === "equivalent")) {
    return "best";
  }
  return verdicts.includes("faster") && !verdicts.includes("no-verdict") ? "level" : "open";
}

/** True if a value leads at a place: verdicts find nothing better there. */
export const leads = (place: Place, value: string): boolean => ["best", "level"].includes(standingOf(place, value));

/**
 * Returns the values to take. The first leads at the most places, and at more than those where it is beaten; of several
 * such it has the most verdicts for it, then the first place in the plan. The others are those that no verdict
 * separates from it, nor from each other, at any place. None if two lead at equally many places and each beats the
 * other at equally many. Rates do not count.
 */
export function picksOf(question: Question): string[] {
  const pick = pickOf(question);
  if (pick === null) return [];
  const good = question.values.filter((value) => value === pick || isAsGood(question, pick, value));
  const beats = (one: string, other: string) =>
    question.places.some((place) => place.over(one, other).verdict === "faster");
  return good.filter((value) => !good.some((other) => beats(other, value)));
}

function pickOf({ values, places }: Question): string | null {
  const tallies = values.map((value) => {
    const standings = places.map((place) => standingOf(place, value));
    const count = (...some: readonly string[]) => standings.filter((each) => some.includes(each)).length;
    const wins = places.reduce(
      (sum, place) => sum + place.values.filter((other) => place.over(value, other).verdict === "faster").length,
      0,
    );
    return { value, led: count("best", "level"), best: count("best"), lost: count("beaten"), wins };
  });
  const order = tallies.filter(({ led, lost }) => led > lost)
    .toSorted((a, b) => b.led - a.led || b.best - a.best || b.wins - a.wins);
  const [first, ...rest] = order;
  const beats = (a: string, b: string) => places.filter((place) => place.over(a, b).verdict === "faster").length;
  const even = rest.some(({ value, led, best }) =>
    led === first!.led && best === first!.best && beats(value, first!.value) > 0 &&
    beats(value, first!.value) >= beats(first!.value, value)
  );
  return even ? null : first?.value ?? null;
}

const isTie = (verdict: string) => verdict === "equivalent" || verdict === "not-separable";

/**
 * True if a value equals the pick: no verdict separates them, and at most places where the pick leads nothing beats the
 * value.
 */
function isAsGood({ places }: Question, pick: string, value: string): boolean {
  const met = places.filter((place) => place.values.includes(pick) && place.values.includes(value));
  const verdicts = met.map((place) => place.over(pick, value).verdict);
  if (verdicts.includes("slower") || verdicts.includes("faster")) return false;
  const led = met.filter((place) => leads(place, pick));
  // A value that a third one beats is no second choice, only too noisy to separate.
  const tied = led.filter((place) => isTie(place.over(pick, value).verdict) && standingOf(place, value) !== "beaten");
  return 2 * tied.length > led.length;
}

/** The value nobody warns of that is slower than most others at most places nobody warns of; the first of the plan where none is. */
export function slowestOf({ values, places, notes }: Question): string {
  const calm = places.filter(({ warned }) => warned.length === 0);
  const losses = (value: string) =>
    (calm.length === 0 ? places : calm).reduce(
      (sum, place) => sum + place.values.filter((other) => place.over(value, other).verdict === "slower").length,
      0,
    );
  const usual = values.filter((value) => notes.get(value)?.kind !== "warning");
  return (usual.length > 1 ? usual : values).toSorted((a, b) => losses(b) - losses(a))[0]!;
}
