/** The verdicts of a run sorted by question and place. It takes no library, because the page runs it too. */
import { counted } from "../basics/units.ts";
import { placeText, shownAxes, textOf } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import type { Summary, VerdictEntry } from "../record/summary.ts";

type Family = Summary["families"][number];

/** What a verdict says of the first of two values. */
export interface Relation {
  readonly kind: "faster" | "slower" | "equivalent" | "not-separable" | "no-verdict";
  /** Speed of the first over that of the second; null without a verdict. */
  readonly ratio: number | null;
}

/** Where the values of a question meet: everything but the question being equal. */
export interface Place {
  /** By axis, in words, only where places differ. */
  readonly at: Readonly<Record<string, string>>;
  /** The values compared here. */
  readonly values: readonly string[];
  /** Those of the values that have no verdict here, with whichever other, but have one at another place. */
  readonly untold: readonly string[];
  readonly comparisons: readonly { readonly one: string; readonly other: string; readonly entry: VerdictEntry }[];
  readonly over: (one: string, other: string) => Relation;
}

/** A question and all that was compared for it. */
export interface Question {
  readonly kind: Family["kind"];
  readonly axis: string | null;
  readonly title: string;
  /** In the plan's order. */
  readonly values: readonly string[];
  readonly places: readonly Place[];
}

/** The questions that verdicts speak of: one for each contrast axis, one for labels, one for each pair named by hand. */
export function questionsOf(
  { axes }: Pick<Plan, "axes">,
  families: readonly Family[],
  cells: readonly Pick<Summary["cells"][number], "name" | "cell">[],
): Question[] {
  const cellOf = new Map(cells.map(({ name, cell }) => [name, cell]));
  const asked = Map.groupBy(
    families.filter(({ verdicts }) => verdicts.length > 0),
    ({ kind, axis, title }) => JSON.stringify([kind, kind === "pair" ? title : axis]),
  );
  return [...asked.values()].map((own): Question => {
    const { kind, axis: name, title } = own[0]!;
    const axis = axes.find((one) => one.name === name);
    const valueOf = (cell: string) => {
      const known = cellOf.get(cell);
      if (known === undefined || kind === "pair") return cell;
      return axis === undefined ? known.label : textOf(axis, known.point.at);
    };
    const shared = shownAxes(axes).filter((one) => one !== axis);
    const everywhere = own.map((family) => {
      const label = kind === "axis" ? cellOf.get(family.verdicts[0]!.a)?.label ?? "" : "";
      const at = Object.fromEntries(shared.map((one) => [one.name, placeText([one], family.at)]));
      const whole: Record<string, string> = { ...at, "": label };
      return { at: whole, family };
    });
    const differing = Object.keys(everywhere[0]!.at).filter((each) =>
      new Set(everywhere.map(({ at }) => at[each])).size > 1
    );
    const places = withUntold(
      everywhere.map(({ at, family: { verdicts } }) =>
        placeOf(Object.fromEntries(differing.map((each) => [each, at[each]!])), verdicts, valueOf)
      ),
    );
    const met = [...new Set(places.flatMap(({ values }) => values))];
    const order = axis?.values.map(({ text }) => text).filter((text) => met.includes(text)) ?? [];
    return {
      kind,
      axis: axis?.name ?? null,
      title: axis?.title ?? (kind === "label" ? "Label" : title),
      values: [...order, ...met.filter((value) => !order.includes(value))],
      places,
    };
  });
}

function placeOf(at: Place["at"], entries: readonly VerdictEntry[], valueOf: (cell: string) => string): Place {
  const key = (one: string, other: string) => JSON.stringify([one, other]);
  const comparisons = entries.map((entry) => ({ one: valueOf(entry.a), other: valueOf(entry.b), entry }));
  const relations = new Map(comparisons.flatMap(({ one, other, entry }) => [
    [key(one, other), relationOf(entry, "a")] as const,
    [key(other, one), relationOf(entry, "b")] as const,
  ]));
  return {
    at,
    values: [...new Set(comparisons.flatMap(({ one, other }) => [one, other]))],
    untold: [],
    comparisons,
    over: (one, other) => relations.get(key(one, other)) ?? NOTHING,
  };
}

const isTold = (place: Place, value: string): boolean =>
  place.values.some((other) => place.over(value, other).kind !== "no-verdict");

function withUntold(places: readonly Place[]): Place[] {
  return places.map((place) => ({
    ...place,
    untold: place.values.filter((value) => !isTold(place, value) && places.some((other) => isTold(other, value))),
  }));
}

const NOTHING: Relation = { kind: "no-verdict", ratio: null };

function relationOf(entry: VerdictEntry, side: "a" | "b"): Relation {
  if (entry.verdict === "no-verdict") return NOTHING;
  const ratio = side === "a" ? entry.ratio : 1 / entry.ratio;
  if (entry.verdict !== "faster") return { kind: entry.verdict, ratio };
  return { kind: entry.winner === side ? "faster" : "slower", ratio };
}

/** The same question among some of its values. */
export function among(question: Question, values: readonly string[]): Question {
  const kept = question.values.filter((value) => values.includes(value));
  const places = question.places.flatMap((place): Place[] => {
    const own = place.values.filter((value) => kept.includes(value));
    const comparisons = place.comparisons.filter(({ one, other }) => kept.includes(one) && kept.includes(other));
    return own.length < 2 ? [] : [{ ...place, values: own, comparisons }];
  });
  return { ...question, values: kept, places: withUntold(places) };
}

/** Up to so many places or values are named one by one. */
const MOST_NAMED = 3;

/**
 * Some places of a question in words: by the axes that tell them apart where they are all that have these values
 * (`iron`, `iron with 10k items`), else one by one, else by their number.
 */
export function placesText(some: readonly Place[], all: readonly Place[]): string {
  const axes = Object.keys(all[0]?.at ?? {}).map((axis) => {
    const texts = (places: readonly Place[]) => [...new Set(places.map(({ at }) => at[axis]!))];
    return { axis, own: texts(some), every: texts(all) };
  });
  const same = all.filter(({ at }) => axes.every(({ axis, own }) => own.includes(at[axis]!)));
  const telling = axes.filter(({ own, every }) => own.length < every.length);
  if (same.length === some.length && telling.every(({ own }) => own.length <= MOST_NAMED)) {
    const words = telling.map(({ own }) => listed(own.filter((text) => text !== ""))).filter((text) => text !== "");
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
