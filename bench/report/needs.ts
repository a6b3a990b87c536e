/** What a reader needs of what is taken, beside speed. It takes no library, because the page runs it too. */
import { shownAxes } from "../record/cell.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import type { CellCard } from "../result/cell-card.ts";

/** Limits on figures of a card; null for none. */
export interface Needs {
  readonly memoryBytes: number | null;
  readonly startupMs: number | null;
  readonly p99Us: number | null;
  /** Whether what a suite warns of is out. */
  readonly noCaveat: boolean;
  /** By place among {@link traitsOf}: places of the values that are good enough; null for all. */
  readonly traits: readonly (readonly number[] | null)[];
}

/** What values of an axis promise and differ in: how durable their data are, how they grow. */
export interface Trait {
  readonly axis: PlanAxis;
  /** Name of the fact. */
  readonly fact: string;
  readonly kinds: readonly string[];
}

/** Facts that say what a value is, not what it promises. */
const NO_TRAIT = ["title", "version", "caveat", "style", "runtimes", "elsewhere", "file", "sha256"];
/** More kinds than these are names, not traits. */
const MOST_KINDS = 5;

/** What values promise and differ in, for the axes of a plan's axes. */
export function traitsOf(axes: readonly PlanAxis[]): Trait[] {
  return shownAxes(axes).flatMap((axis) => {
    const facts = [...new Set(axis.values.flatMap(({ facts }) => Object.keys(facts)))];
    return facts.filter((fact) => !NO_TRAIT.includes(fact)).flatMap((fact): Trait[] => {
      const kinds = [...new Set(axis.values.flatMap(({ facts }) => facts[fact] ?? []))];
      return kinds.length < 2 || kinds.length > MOST_KINDS ? [] : [{ axis, fact, kinds }];
    });
  });
}

/** What suites warn of among a plan's values: `mill loses flour`. */
export function caveatsOf(axes: readonly PlanAxis[]): string[] {
  return shownAxes(axes).filter(({ values }) => values.length > 1).flatMap(({ values }) =>
    values.flatMap(({ text, facts: { caveat } }) => caveat === undefined ? [] : `${text} ${caveat}`)
  );
}

/** No needs at all. */
export function noNeeds(traits: readonly Trait[]): Needs {
  return { memoryBytes: null, startupMs: null, p99Us: null, noCaveat: false, traits: traits.map(() => null) };
}

/** Whether anything is needed. */
export function needsAnything({ memoryBytes, startupMs, p99Us, noCaveat, traits }: Needs): boolean {
  return [memoryBytes, startupMs, p99Us].some((limit) => limit !== null) || noCaveat ||
    traits.some((kinds) => kinds !== null);
}

/** Whether a card meets needs; a figure that was not read meets no limit. */
export function meets(needs: Needs, axes: readonly PlanAxis[], traits: readonly Trait[], card: CellCard): boolean {
  const factsOf = (axis: PlanAxis) => axis.values.find(({ value }) => value === card.cell.point.at[axis.name])?.facts;
  const within = (value: number | null, most: number | null) => most === null || (value !== null && value <= most);
  return within(card.peak_rss_bytes, needs.memoryBytes) && within(card.startup_ms, needs.startupMs) &&
    within(card.p99_us, needs.p99Us) &&
    (!needs.noCaveat || shownAxes(axes).every((axis) => factsOf(axis)?.["caveat"] === undefined)) &&
    traits.every(({ axis, fact, kinds }, n) => {
      const good = needs.traits[n] ?? null;
      const own = factsOf(axis)?.[fact];
      return good === null || own === undefined || good.includes(kinds.indexOf(own));
    });
}
