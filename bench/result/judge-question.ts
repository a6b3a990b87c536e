/** Which value verdicts carry for a question. It takes no library, because the page runs it too. */
import { everyTwo } from "../core/families.ts";
import { isDecided } from "../record/inverse.ts";
import type { AnsweredQuestion } from "../record/answer-schema.ts";
import { type Place, placesText, type Question } from "./questions.ts";

/**
 * How a value does at a place. `best`: faster than all others there or equivalent to them; `level`: so except for those
 * it is not separable from, or that are told of at other places only; `beaten`: another is faster; `absent`: it was not
 * compared there; `open`: anything else. A place that separates nothing says nothing of anybody.
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

/** Whether a value leads at a place: verdicts say that nothing there is better. */
export const leads = (place: Place, value: string): boolean => ["best", "level"].includes(standingOf(place, value));

/** What a question comes to, without its words. */
export type JudgedQuestion = Omit<AnsweredQuestion, "sentence">;

/**
 * Judges a question. The pick is the value that leads at the most places, and at more than those where it is beaten; of
 * several such the one with the most verdicts for it, then the first of the plan; none where two lead at as many places
 * and each beats the other at as many. Rates have no say.
 */
export function judgeQuestion(question: Question): JudgedQuestion {
  const { kind, axis, title, places } = question;
  const pairs = places.flatMap((place) => everyTwo(place.values).map(([over, under]) => place.over(over, under)));
  const common = { kind, axis, title, decided: pairs.filter(isDecided).length, of: pairs.length };
  const pick = pickOf(question);
  if (pick === null) {
    const some = places.some((place) => place.values.some((value) => leads(place, value)));
    return { ...common, mark: some ? "partly" : "open", pick, only_at: null, also: [], ratios: [], exceptions: [] };
  }
  const led = places.filter((place) => leads(place, pick));
  const untold = untoldOf(question, led);
  return {
    ...common,
    mark: places.every((place) => standingOf(place, pick) === "best") ? "proven" : "partly",
    pick,
    only_at: 2 * led.length < places.length ? placesText(led, places) : null,
    also: alsoOf(question, pick),
    ratios: ratiosOf(question, pick),
    exceptions: exceptionsOf(question, pick),
    ...(untold.length === 0 ? {} : { untold }),
  };
}

/** Values without any verdict at places where the pick leads those that have one. */
function untoldOf({ values, places }: Question, led: readonly Place[]): NonNullable<JudgedQuestion["untold"]> {
  return values.flatMap((value) => {
    const own = led.filter((place) => place.untold.includes(value));
    const of = places.filter((place) => place.values.includes(value)).length;
    return own.length === 0 ? [] : { value, places: own.length, of, at: placesText(own, places) };
  });
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

/** Values as good as the pick at most of the places where it leads, and faster nowhere. */
function alsoOf({ values, places }: Question, pick: string): JudgedQuestion["also"] {
  return values.filter((value) => value !== pick).flatMap((value) => {
    const met = places.filter((place) => place.values.includes(pick) && place.values.includes(value));
    if (met.some((place) => place.over(pick, value).verdict === "slower")) return [];
    const led = met.filter((place) => leads(place, pick));
    // One that a third value beats is no second choice, only too noisy to tell.
    const tied = led.filter((place) => isTie(place.over(pick, value).verdict) && standingOf(place, value) !== "beaten");
    if (2 * tied.length <= led.length) return [];
    const same = tied.every((place) => place.over(pick, value).verdict === "equivalent");
    return { value, how: same ? "equivalent" : "not-separable", places: tied.length, of: met.length };
  });
}

const isTie = (verdict: string) => verdict === "equivalent" || verdict === "not-separable";

function ratiosOf({ values, places }: Question, pick: string): JudgedQuestion["ratios"] {
  return values.filter((value) => value !== pick).flatMap((value) => {
    const met = places.filter(({ values }) => values.includes(pick) && values.includes(value))
      .map((place) => place.over(pick, value));
    if (met.length === 0) return [];
    return {
      value,
      ...rangeOf(
        met.flatMap(({ verdict, ratio }) => verdict === "faster" || verdict === "equivalent" ? ratio ?? [] : []),
      ),
      decided: met.filter(isDecided).length,
      of: met.length,
    };
  });
}

/** The least and the greatest of some ratios; nulls without any. */
export function rangeOf(ratios: readonly number[]): { least: number | null; greatest: number | null } {
  return ratios.length === 0
    ? { least: null, greatest: null }
    : { least: Math.min(...ratios), greatest: Math.max(...ratios) };
}

function exceptionsOf({ places }: Question, pick: string): JudgedQuestion["exceptions"] {
  const groups = places.flatMap((place) => {
    const why = standingOf(place, pick);
    return why === "beaten" || why === "absent" ? { why, value: leaderInstead(place, pick), place } : [];
  });
  return [...Map.groupBy(groups, ({ why, value }) => JSON.stringify([why, value])).values()].map((own) => {
    const { why, value } = own[0]!;
    const at = own.map(({ place }) => place);
    const ratios = value === null ? [] : at.flatMap((place) => place.over(value, pick).ratio ?? []);
    return { why, value, at: placesText(at, places), places: own.length, ...rangeOf(ratios) };
  });
}

/** What is faster than the pick, best a leader; where the pick was not compared what leads; null where none does. */
function leaderInstead(place: Place, pick: string): string | null {
  const faster = place.values.filter((value) => place.over(value, pick).verdict === "faster");
  const leaders = place.values.filter((value) => leads(place, value));
  const unbeaten = faster.filter((value) => standingOf(place, value) !== "beaten");
  return leaders.find((value) => faster.includes(value)) ?? unbeaten[0] ?? faster[0] ?? leaders[0] ?? null;
}
