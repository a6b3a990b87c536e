/**
 * The choices of a page, and the cells that a choice shows. A choice is the fields of the page's form, as its link has them.
 * Boxes are named by their places, from 1, because names may hold anything.
 */
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { shownAxes } from "../record/cell.ts";
import type { Figures, Subject } from "../record/card.ts";
import type { PageData } from "./page-data.ts";

/** An axis with several values on the page: one group of boxes. */
interface Filter {
  readonly axis: string;
  readonly title: string;
  readonly values: PlanAxis["values"];
}

/** A promise in which the values of an axis differ: how durable their data are, how they grow. */
interface Trait {
  readonly axis: PlanAxis;
  readonly fact: string;
  readonly kinds: readonly string[];
}

/** All that can be chosen among on a page. */
export interface PageChoices {
  readonly axes: readonly PlanAxis[];
  readonly filters: readonly Filter[];
  readonly traits: readonly Trait[];
}

/** The limits that can be set: field, words before and after it, the figure, and what one of the field's units is of it. */
export const LIMITS = [
  ["memory_mib", "Memory at most", "MiB", "peak_rss_bytes", 1_048_576],
  ["startup", "Ready within", "ms", "startup_ms", 1],
  ["p99_ms", "99 % of requests within", "ms", "p99_us", 1_000],
] as const;

/** The choices of a page: filters and needs in the order its runs name their axes. */
export function choicesOf({ runs }: Pick<PageData, "runs">): PageChoices {
  const byName = Map.groupBy(runs.flatMap(({ run }) => run.plan.axes), ({ name }) => name);
  const axes = [...byName.values()].map((same): PlanAxis => {
    const known = Map.groupBy(same.flatMap(({ values }) => values), ({ value }) => value);
    return {
      ...same[0]!,
      shown: same.some(({ shown }) => shown),
      values: [...known.values()].map(([first]) => first!),
    };
  });
  return {
    axes,
    filters: axes.flatMap(({ name, title, values }) => values.length < 2 ? [] : [{ axis: name, title, values }]),
    traits: traitsOf(axes),
  };
}

/** Facts that say what a value is, not what it promises. */
const NO_TRAIT = ["title", "version", "caveat", "style", "runtimes", "elsewhere", "file", "sha256"];
/** With more kinds than these they are names. */
const MOST_KINDS = 5;

function traitsOf(axes: readonly PlanAxis[]): Trait[] {
  return shownAxes(axes).flatMap((axis) => {
    const facts = [...new Set(axis.values.flatMap(({ facts }) => Object.keys(facts)))];
    return facts.filter((fact) => !NO_TRAIT.includes(fact)).flatMap((fact): Trait[] => {
      const kinds = [...new Set(axis.values.flatMap(({ facts }) => facts[fact] ?? []))];
      return kinds.length < 2 || kinds.length > MOST_KINDS ? [] : [{ axis, fact, kinds }];
    });
  });
}

/** Warnings of the suite about a plan's values: `mill loses flour`. */
export function caveatsOf(axes: readonly PlanAxis[]): string[] {
  return shownAxes(axes).filter(({ values }) => values.length > 1).flatMap(({ values }) =>
    values.flatMap(({ text, facts: { caveat } }) => caveat === undefined ? [] : `${text} ${caveat}`)
  );
}

/** True if a choice among boxes includes the one at a place, from 0; without a choice all are included. */
const holds = (choice: URLSearchParams, boxes: string, place: number) =>
  choice.get(boxes)?.split(",").includes(String(place + 1)) ?? true;

/** True if the filters show a cell; a filter on an axis that the cell's suite lacks hides nothing. */
export function shows(choice: URLSearchParams, { filters }: PageChoices, { point: { at } }: Cell): boolean {
  return filters.every(({ axis, values }, n) =>
    !Object.hasOwn(at, axis) || holds(choice, `axis${n + 1}`, values.findIndex(({ value }) => value === at[axis]))
  );
}

/** True if the choice has needs besides speed. */
export const needsAnything = (choice: URLSearchParams): boolean =>
  LIMITS.some(([name]) => limitOf(choice, name) !== null) ||
  [...choice.keys()].some((name) => /^(caveats$|trait)/.test(name));

/** True if a card passes the filters and meets the needs. A figure that was not read meets no limit. */
export function showsCard(choice: URLSearchParams, choices: PageChoices, card: Subject & Figures): boolean {
  const { axes, traits } = choices;
  const factsOf = (axis: PlanAxis) => axis.values.find(({ value }) => value === card.cell.point.at[axis.name])?.facts;
  return shows(choice, choices, card.cell) &&
    LIMITS.every(([name, , , figure, unit]) => {
      const most = limitOf(choice, name);
      return most === null || (card[figure] !== null && card[figure] <= most * unit);
    }) &&
    (choice.get("caveats") !== "no" || shownAxes(axes).every((axis) => factsOf(axis)?.["caveat"] === undefined)) &&
    traits.every(({ axis, fact, kinds }, n) => {
      const kind = factsOf(axis)?.[fact];
      return kind === undefined || holds(choice, `trait${n + 1}`, kinds.indexOf(kind));
    });
}

function limitOf(choice: URLSearchParams, name: string): number | null {
  const most = Number(choice.get(name) ?? Number.NaN);
  return Number.isFinite(most) && most > 0 ? most : null;
}

/** The place from 0 that a field holds; 0 if it is none of so many. */
export function placeOf(choice: URLSearchParams, name: string, among: number): number {
  const place = Number(choice.get(name)) - 1;
  return Number.isInteger(place) && place >= 0 && place < among ? place : 0;
}

/** The column of the table that orders its rows, from 0; null for the picture's order. */
export const columnOf = (choice: URLSearchParams): number | null =>
  choice.has("sort") ? placeOf(choice, "sort", 1_000) : null;
