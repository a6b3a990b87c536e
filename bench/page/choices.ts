/**
 * The choices of a page's reader, and the values of a cell that they are held against. Both are named by places, from 1,
 * because names may hold anything: `axis2` is the second axis with several values, `trait1` the first promise.
 */
import type { Figures, Subject } from "../record/card.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { shownAxes } from "../record/cell.ts";
import type { PageData } from "./shown-run.ts";
import { type Html, markup } from "./html.ts";

/** A group of boxes: the cells of unticked ones are hidden. */
interface BoxGroup {
  readonly field: string;
  readonly title: string;
  readonly texts: readonly string[];
  /** The place of a cell's box, from 0; less if it has none, so that nothing hides it. */
  readonly placeOf: (cell: Subject["cell"]) => number;
}

/** A figure of a cell that may be limited: its field, the words before and after it, and its value; null if not read. */
interface LimitField {
  readonly field: string;
  readonly before: string;
  readonly unit: string;
  readonly valueOf: (card: Figures) => number | null;
}

/** All that can be chosen among on a page. */
export interface PageChoices {
  readonly filters: readonly BoxGroup[];
  readonly traits: readonly BoxGroup[];
  readonly limits: readonly LimitField[];
}

const limit = (
  field: string,
  before: string,
  unit: string,
  key: "peak_rss_bytes" | "startup_ms" | "p99_us",
  size: number,
): LimitField => ({ ...{ field, before, unit }, valueOf: ({ [key]: value }) => value === null ? null : value / size });

const LIMITS: readonly LimitField[] = [
  limit("memory_mib", "Memory at most", "MiB", "peak_rss_bytes", 1_048_576),
  limit("startup", "Ready within", "ms", "startup_ms", 1),
  limit("p99_ms", "99 % of requests within", "ms", "p99_us", 1_000),
];

/** Facts that describe a value and promise nothing. */
const NO_TRAIT = ["title", "version", "caveat", "style", "runtimes", "elsewhere", "file", "sha256"];
/** With more kinds than these they are names. */
const MOST_KINDS = 5;

/** Returns the choices of a page: filters and needs in the order its runs name their axes. */
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
  const cards = runs.flatMap(({ cells }) => cells);
  return {
    filters: axes.filter(({ values }) => values.length > 1).map(({ name, title, values }, n) => ({
      ...{ field: `axis${n + 1}`, title, texts: values.map(({ text }) => text) },
      placeOf: ({ point: { at } }) => values.findIndex(({ value }) => value === at[name]),
    })),
    traits: shownAxes(axes).flatMap(traitsOf).map((trait, n) => ({ field: `trait${n + 1}`, ...trait })),
    limits: LIMITS.filter(({ valueOf }) => cards.some((card) => valueOf(card) !== null)),
  };
}

/** Promises in which the values of an axis differ, and the suite's warnings about some of them. */
function traitsOf({ name, title, values }: PlanAxis): Omit<BoxGroup, "field">[] {
  const trait = (
    fact: string,
    texts: readonly string[],
    kindOf: (facts: PlanAxis["values"][number]["facts"]) => number,
  ) => ({
    ...{ title: `${title}, ${fact}`, texts },
    placeOf: ({ point: { at } }: Subject["cell"]) => {
      const facts = values.find(({ value }) => value === at[name])?.facts;
      return facts === undefined ? -1 : kindOf(facts);
    },
  });
  const names = [...new Set(values.flatMap(({ facts }) => Object.keys(facts)))];
  const warned = values.flatMap(({ text, facts }) => facts["caveat"] === undefined ? [] : `${text} ${facts["caveat"]}`);
  return [
    ...names.filter((fact) => !NO_TRAIT.includes(fact)).flatMap((fact) => {
      const kinds = [...new Set(values.flatMap(({ facts }) => facts[fact] ?? []))];
      return kinds.length < 2 || kinds.length > MOST_KINDS
        ? []
        : [trait(fact, kinds.map(String), (facts) => kinds.indexOf(facts[fact]!))];
    }),
    ...(warned.length === 0 || values.length < 2 ? [] : [
      trait("warnings", ["none", warned.join("; ")], (facts) => facts["caveat"] === undefined ? 0 : 1),
    ]),
  ];
}

/** Returns the fields of a cell by which choices filter it, as text; empty for a figure that was not read. */
export function chosenBy(
  { filters, traits, limits }: PageChoices,
  card: Subject & Figures,
): (readonly [field: string, value: string])[] {
  return [
    ...[...filters, ...traits].flatMap(({ field, placeOf }) => {
      const place = placeOf(card.cell);
      return place < 0 ? [] : [[field, String(place + 1)] as const];
    }),
    ...limits.map(({ field, valueOf }) => [field, String(valueOf(card) ?? "")] as const),
  ];
}

/** The form that says which cells are shown, and its place in the page's link. */
export function controls({ runs }: PageData, { filters, traits, limits }: PageChoices): Html {
  const groups = (of: PageChoices["filters"]) =>
    of.map(({ field, title, texts }) =>
      markup`<fieldset><legend>${title}</legend>${
        texts.map((text, place) => checkbox(field, place, text, true))
      }</fieldset>`
    );
  const fields = limits.map(({ field, before, unit }) =>
    markup`<label>${before} <input type="number" name="${field}" min="0" step="any" inputmode="decimal"> ${unit}</label>`
  );
  const options = runs.map(({ run }, index) => markup`<option value="${index + 1}">${run.run}</option>`);
  return markup`<div class="bar scripted"><details class="fold choose"><summary>Filter, pick your needs</summary><form id="filters" class="filters" autocomplete="off" aria-label="Cells to show">${
    runs.length < 2 ? null : markup`<label class="pickone">Run <select name="run">${options}</select></label>`
  }${groups(filters)}<button type="reset">Show all</button><div class="needrow">${fields}${
    groups(traits)
  }<p class="hint">The table below hides what does not meet your needs. A figure that was not read meets no limit.</p></div><input name="sort" value="0" hidden><input name="cell" hidden></form></details>
<button type="button" id="theme">Theme: auto</button><p id="notice" role="status"></p></div>`;
}

/** A box of the form, wherever it stands. */
export const checkbox = (field: string, place: number, text: string, ticked: boolean): Html =>
  markup`<label><input type="checkbox" form="filters" name="${field}" value="${place + 1}"${
    ticked ? markup` checked` : null
  }> ${text}</label>`;
