/** Remedies against the marks that keep comparisons from their verdicts: never more than acts on a mark. */
import { isJudged } from "../record/verdicts.ts";
import { type MarkCode, type Remedy, rowOf } from "../record/mark.ts";
import type { CellOutcome, Parts, Subject } from "../record/card.ts";
import type { Comparison } from "../record/comparison.ts";

/** The cards of a run, as far as they say what would help. */
export type Helped = Subject & CellOutcome & Pick<Parts, "services">;

/** Returns what helps against a mark of a comparison, if anything is known to. */
export function remedyOf(
  code: MarkCode,
  { over, under, basis }: Pick<Comparison, "over" | "under" | "basis">,
  cards: readonly Helped[],
): Remedy | null {
  const sides = cards.filter(({ name }) => name === over || name === under);
  const { of, helps, counted } = rowOf({ code });
  if (of === "limit" && helps === null) {
    const bounds = sides.map(({ bound }) => bound);
    if (bounds.includes("generator")) return "generator";
    return sides.some(({ services = [] }) => services.length > 0) ? "service" : null;
  }
  // Whose fault it is of servers that share a core, their windows alone say.
  if (counted !== undefined && basis === "together") {
    return sides.some(({ marks }) => marks.some((one) => one.code === code)) ? "server" : "alone";
  }
  return helps;
}

/** Returns the remedy that settles most comparisons, all of whose marks it acts on, or else that acts on most; null if none does. */
export function commonestRemedy(
  comparisons: readonly Comparison[],
  cards: readonly Helped[],
): { readonly remedy: Remedy | null; readonly of: readonly Comparison[] } {
  const marked = comparisons.flatMap((one) =>
    !isJudged(one) ? [{ one, remedies: new Set(one.marks.map(({ code }) => remedyOf(code, one, cards))) }] : []
  );
  const known = [...new Set(marked.flatMap(({ remedies }) => [...remedies]))];
  const counted = known.map((remedy) => {
    const acts = marked.filter(({ remedies }) => remedies.has(remedy));
    return { remedy, acts: acts.length, of: acts.filter(({ remedies }) => remedies.size === 1).map(({ one }) => one) };
  }).toSorted((a, b) => b.of.length - a.of.length || b.acts - a.acts);
  const [first = { remedy: null, of: [] }] = counted;
  return first;
}

/** What a remedy does, a clause without a stop; `%` stands for the comparisons. */
const TEXTS: Readonly<Partial<Record<Remedy, string>>> = {
  quiet: "repeat it when the machine is quiet",
  again: "repeat it: chance makes a run contradict itself once in a hundred times",
  alone: "decide % by servers measured alone, which need not share a core",
  longer: "decide % by longer windows (--duration)",
  generator: "decide % by more cores for the load generator, or another host (--load-host)",
  service: "decide % by a core of its own for the service, or another host (--service-host)",
  limited: "no number of rounds decides %: limit what the server keeps, and measure it with that",
  server: "no number of rounds decides %: what is marked has to change first",
};

/** Returns what a remedy does for some comparisons; `null` where nothing is known to help. */
export const remedyText = (remedy: Remedy | null, which: string): string =>
  (TEXTS[remedy ?? "rounds"] ?? "no number of rounds decides %").replace("%", () => which);
