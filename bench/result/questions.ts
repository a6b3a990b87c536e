import { isJudged, NOT_COMPARED } from "../record/verdicts.ts";
import { counted } from "../basics/units.ts";
import { MOST_NAMED } from "../basics/visible.ts";
import { factsOf, phraseText, shownAxes, textOf } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import type { Comparison } from "../record/comparison.ts";
import { inverse } from "../record/inverse.ts";
import type { Summary } from "../record/summary.ts";

type Family = NonNullable<Summary["memory"]>[number]["families"][number];

/** A place where the values of a question are compared: all other axes are equal. */
export interface Place {
  /** By axis, in words, only where places differ. */
  readonly at: Readonly<Record<string, string>>;
  /** The same by the short texts of values: `map, 10k`; empty where there is one place. */
  readonly name: string;
  readonly values: readonly string[];
  /** Values without any verdict here that have one at another place. */
  readonly untold: readonly string[];
  readonly comparisons: readonly { readonly over: string; readonly under: string; readonly comparison: Comparison }[];
  readonly over: (over: string, under: string) => Comparison | typeof NOT_COMPARED;
  /** Values of other axes here that the suite warns of. */
  readonly warned: readonly string[];
}

/** A suite's note on a value, whatever its speed: a reason against it, or that it is there as a warning. */
interface Note {
  readonly kind: "caveat" | "warning";
  readonly text: string;
}

/** A question and all that was compared for it. */
export interface Question {
  readonly kind: Family["kind"];
  readonly axis: string | null;
  readonly title: string;
  readonly values: readonly string[];
  readonly places: readonly Place[];
  /** By value, where there is one. */
  readonly notes: ReadonlyMap<string, Note>;
}

/** The questions that verdicts speak of: one for each contrast axis, one for labels, one for each pair named by hand. */
export function questionsOf(
  { axes }: Pick<Plan, "axes">,
  families: readonly Family[],
  cells: readonly Pick<Summary["cells"][number], "name" | "cell">[],
): Question[] {
  const cellOf = new Map(cells.map(({ name, cell }) => [name, cell]));
  const grouped = Map.groupBy(
    families.filter(({ comparisons }) => comparisons.length > 0),
    ({ kind, axis, title }) => JSON.stringify([kind, kind === "pair" ? title : axis]),
  );
  return [...grouped.values()].map((same): Question => {
    const { kind, axis: name, title } = same[0]!;
    const axis = axes.find((one) => one.name === name);
    const valueOf = (cell: string) => {
      const known = cellOf.get(cell);
      if (known === undefined || kind === "pair") return cell;
      return axis === undefined ? known.label : textOf(axis, known.point.at);
    };
    const order = [
      ...new Set([...axis?.values.map(({ text }) => text) ?? [], ...cells.map(({ name }) => valueOf(name))]),
    ];
    const shared = shownAxes(axes).filter((one) => one !== axis);
    const everywhere = same.map((family) => {
      const label = kind === "axis" ? cellOf.get(family.comparisons[0]!.over)?.label ?? "" : "";
      const at = Object.fromEntries(shared.map((one) => [one.name, phraseText([one], family.at)]));
      const whole: Record<string, string> = { ...at, "": label };
      const names: Record<string, string> = {
        ...Object.fromEntries(shared.map((one) => [one.name, one.name in family.at ? textOf(one, family.at) : ""])),
        "": label,
      };
      const warned = axes.filter((one) => one !== axis)
        .flatMap((one) => noteOf(factsOf(one, family.at))?.kind === "warning" ? textOf(one, family.at) : []);
      return { at: whole, names, family, warned };
    });
    const differing = Object.keys(everywhere[0]!.at).filter((each) =>
      new Set(everywhere.map(({ at }) => at[each])).size > 1
    );
    const places = withUndecided(
      everywhere.map(({ at, names, family: { comparisons }, warned }) => ({
        name: differing.map((each) => names[each]!).filter((text) => text !== "").join(", "),
        ...placeOf(Object.fromEntries(differing.map((each) => [each, at[each]!])), comparisons, valueOf, order),
        warned,
      })),
    );
    return {
      kind,
      axis: axis?.name ?? null,
      title: axis?.title ?? (kind === "label" ? "Label" : title),
      values: order.filter((value) => places.some(({ values }) => values.includes(value))),
      places,
      notes: new Map(
        (axis?.values ?? []).flatMap(({ text, facts }) => {
          const note = noteOf(facts);
          return note === null ? [] : [[text, note] as const];
        }),
      ),
    };
  });
}

function noteOf({ warning, caveat }: Readonly<Record<string, string>>): Note | null {
  if (warning !== undefined) return { kind: "warning", text: warning };
  return caveat === undefined ? null : { kind: "caveat", text: caveat };
}

function placeOf(
  at: Place["at"],
  made: readonly Comparison[],
  valueOf: (cell: string) => string,
  order: readonly string[],
): Omit<Place, "warned" | "name"> {
  const key = (over: string, under: string) => JSON.stringify([over, under]);
  const comparisons = made.map((comparison) => ({
    over: valueOf(comparison.over),
    under: valueOf(comparison.under),
    comparison,
  }));
  const known = new Map(comparisons.flatMap(({ over, under, comparison }) => [
    [key(over, under), comparison] as const,
    [key(under, over), inverse(comparison)] as const,
  ]));
  return {
    at,
    values: order.filter((value) => comparisons.some(({ over, under }) => over === value || under === value)),
    untold: [],
    comparisons,
    over: (over, under) => known.get(key(over, under)) ?? NOT_COMPARED,
  };
}

const isNamed = (place: Place, value: string): boolean =>
  place.values.some((other) => isJudged(place.over(value, other)));

function withUndecided(places: readonly Place[]): Place[] {
  return places.map((place) => ({
    ...place,
    untold: place.values.filter((value) => !isNamed(place, value) && places.some((other) => isNamed(other, value))),
  }));
}

/** Returns the same question for some of its values, at some of its places. */
export function questionAmong(
  question: Question,
  values: readonly string[],
  at: (place: Place) => boolean = () => true,
): Question {
  const kept = question.values.filter((value) => values.includes(value));
  const places = question.places.filter(at).flatMap((place): Place[] => {
    const left = place.values.filter((value) => kept.includes(value));
    const comparisons = place.comparisons.filter(({ over, under }) => kept.includes(over) && kept.includes(under));
    return left.length < 2 ? [] : [{ ...place, values: left, comparisons }];
  });
  return { ...question, values: kept, places: withUndecided(places) };
}

/** Places in their order, those with a value that a suite warns of last. */
export const warnedLast = (places: readonly Place[]): Place[] =>
  places.toSorted((a, b) => Math.min(1, a.warned.length) - Math.min(1, b.warned.length));

/** Returns some places in words: by the values that only they have, else one by one, else by their number. */
export function placesText(some: readonly Place[], all: readonly Place[]): string {
  const axes = Object.keys(all[0]?.at ?? {}).map((axis) => {
    const texts = (places: readonly Place[]) => [...new Set(places.map(({ at }) => at[axis]!))];
    return { axis, held: texts(some), every: texts(all) };
  });
  const same = all.filter(({ at }) => axes.every(({ axis, held }) => held.includes(at[axis]!)));
  const telling = axes.filter(({ held, every }) => held.length < every.length);
  if (same.length === some.length && telling.every(({ held }) => held.length <= MOST_NAMED)) {
    const words = telling.map(({ held }) => listed(held.filter((text) => text !== ""))).filter((text) => text !== "");
    if (words.length > 0) return words.join(" with ");
  }
  return some.length <= MOST_NAMED && axes.length > 0
    ? listed(some.map(({ at }) => Object.values(at).filter((text) => text !== "").join(" with ")))
    : `${some.length} of ${counted(all.length, "place")}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last = "and"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** Some words one by one, of more than a few their number: `a and b`, `7 cells`. */
export const listedOr = (words: readonly string[], of: string): string =>
  words.length <= MOST_NAMED ? listed(words) : counted(words.length, of);
