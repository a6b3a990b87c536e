import { isOpen } from "../record/verdicts.ts";
import { type Place, type Question, questionAmong } from "./questions.ts";

const MOST_PICKS = 3;
/** The most groups of places where a pick may be slower; beyond that it is no winner. */
const MOST_LOSSES = 2;

const verdictOf = (place: Place, over: string, under: string) => place.over(over, under).verdict;

/** Returns true if another value is proven faster at a place. */
export const isBeaten = (place: Place, value: string): boolean =>
  place.values.some((other) => other !== value && verdictOf(place, other, value) === "faster");

/** True if nothing is faster at a place, and it beats a value, and beats or equals most that are no picks. */
function isDecidedFor(place: Place, value: string, picks: readonly string[]): boolean {
  if (!place.values.includes(value) || isBeaten(place, value)) return false;
  const verdicts = place.values.filter((other) => !picks.includes(other)).map((other) =>
    verdictOf(place, value, other)
  );
  const decided = verdicts.filter((one) => one === "faster" || one === "equivalent").length;
  return verdicts.includes("faster") && 2 * decided > verdicts.length;
}

/**
 * Returns the values to take: as few as possible, each decided at more than half of the question's places, and with at
 * most two groups of places where another value is faster. Values that are as good join them. None if no such values
 * exist, if two are even and beat each other, or if too many are as good. Rates do not count.
 */
export function picksOf(question: Question): string[] {
  const { values, places } = question;
  const isOnTop = (place: Place, value: string) =>
    !isBeaten(place, value) && place.values.some((other) => verdictOf(place, value, other) === "faster");
  const likely = values.filter((value) => 2 * places.filter((place) => isOnTop(place, value)).length > places.length);
  for (let count = 1; count <= Math.min(MOST_PICKS, values.length - 1); count++) {
    const [first, second] = setsOf(likely, count).flatMap((picks) => candidateOf(question, picks) ?? [])
      .toSorted((a, b) => b.decided - a.decided || a.lost - b.lost || b.wins - a.wins);
    if (first === undefined) continue;
    const even = second !== undefined && second.decided === first.decided && second.lost === first.lost &&
      !isLevel(question, [...new Set([...first.picks, ...second.picks])]);
    if (even) return [];
    const picks = widened(question, first.picks);
    return picks.length > MOST_PICKS ? [] : picks;
  }
  return [];
}

/** Returns the picks by the values of the one axis that gives picks at most places; null where no axis has any. */
export function picksBy(question: Question) {
  const { places, values } = question;
  const choices = Object.keys(places[0]?.at ?? {}).map((axis) => {
    const texts = [...new Set(places.map(({ at }) => at[axis]!))];
    const each = texts.map((text) => {
      const part = questionAmong(question, values, ({ at }) => at[axis] === text);
      return { text, picks: part.values.length < 2 ? [] : picksOf(part) };
    });
    const groups = [...Map.groupBy(each, ({ picks }) => picks.join("\n"))].map(([, same]) => {
      const own = same.map(({ text }) => text);
      return {
        values: own,
        picks: same[0]!.picks,
        question: questionAmong(question, values, ({ at }) => own.includes(at[axis]!)),
      };
    });
    const covered = groups.reduce(
      (sum, { picks, question }) => sum + (picks.length > 0 ? question.places.length : 0),
      0,
    );
    return { axis, groups, covered, isSplit: texts.length > 1 };
  });
  const [best] = choices.filter(({ covered, isSplit }) => covered > 0 && isSplit)
    .toSorted((a, b) => b.covered - a.covered || a.groups.length - b.groups.length);
  const isCalm = ({ places }: Question) => places.some(({ warned }) => warned.length === 0);
  return best === undefined ? null : {
    axis: best.axis,
    groups: best.groups.toSorted((a, b) => Number(isCalm(b.question)) - Number(isCalm(a.question))),
  };
}

const setsOf = (values: readonly string[], count: number): string[][] =>
  count === 0
    ? [[]]
    : values.flatMap((value, n) => setsOf(values.slice(n + 1), count - 1).map((rest) => [value, ...rest]));

function candidateOf(question: Question, picks: readonly string[]) {
  const { places } = question;
  const decided = Math.min(
    ...picks.map((pick) => places.filter((place) => isDecidedFor(place, pick, picks)).length),
  );
  if (2 * decided <= places.length || lossGroups(question, picks) > MOST_LOSSES) return null;
  const lost = places.filter((place) => picks.some((pick) => isBeaten(place, pick))).length;
  const wins =
    places.flatMap((place) =>
      picks.flatMap((pick) => place.values.filter((other) => verdictOf(place, pick, other) === "faster"))
    ).length;
  return { picks, decided, lost, wins };
}

const isLevel = ({ places }: Question, values: readonly string[]): boolean =>
  places.every((place) => values.every((one) => values.every((other) => verdictOf(place, one, other) !== "faster")));

/** Returns the number of sets of places at which a value is faster than a pick; places with a warning excluded. */
function lossGroups({ values, places }: Question, picks: readonly string[]): number {
  const sets = [false, true].flatMap((isWarned) =>
    values.flatMap((value) =>
      picks.map((pick) =>
        places.flatMap((place, n) =>
          (place.warned.length > 0) === isWarned && verdictOf(place, value, pick) === "faster" ? [n] : []
        ).join()
      )
    )
  );
  return new Set(sets.filter((set) => set !== "")).size;
}

/** Returns the picks and all values equivalent to them; the list may be longer than an answer names. */
function widened(question: Question, picks: readonly string[]): string[] {
  const isTie = (place: Place, one: string, other: string) =>
    verdictOf(place, one, other) === "equivalent" || isOpen(place.over(one, other));
  const isSame = (one: string, other: string) => {
    const met = question.places.filter(({ values }) => values.includes(one) && values.includes(other));
    return isLevel(question, [one, other]) && 2 * met.filter((place) => isTie(place, one, other)).length > met.length;
  };
  const wider = question.values.filter((value) =>
    picks.includes(value) ||
    picks.every((pick) => isSame(pick, value)) && candidateOf(question, [...picks, value]) !== null
  );
  if (wider.length > MOST_PICKS) return wider;
  return isLevel(question, wider) && candidateOf(question, wider) !== null ? wider : [...picks];
}

/** The value without warnings that is slower than most at most places without warnings; else the plan's first one. */
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
