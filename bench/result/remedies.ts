/** Remedies against the marks that keep comparisons from their verdicts: never more than acts on a mark that is there. */
import { type MarkCode, MARKS, type Remedy } from "../record/mark.ts";
import type { CellOutcome, Parts, Subject } from "../record/card.ts";
import type { Comparison } from "../record/comparison.ts";

/** The cards of a run, as far as they say what would help. */
export type Helped = Subject & CellOutcome & Pick<Parts, "services">;

/** Faults of servers that share a core: their windows alone say whose they are. */
const OF_SHARING: readonly MarkCode[] = ["socket-errors", "timeouts", "unexpected-status"];

/** Returns what helps against a mark of a comparison, if anything is known to. */
export function remedyOf(
  code: MarkCode,
  { over, under, basis }: Pick<Comparison, "over" | "under" | "basis">,
  cards: readonly Helped[],
): Remedy | null {
  const sides = cards.filter(({ name }) => name === over || name === under);
  if (code === "other-bound") {
    const bounds = sides.map(({ bound }) => bound);
    if (bounds.includes("generator")) return "generator";
    return sides.some(({ services = [] }) => services.length > 0) ? "service" : null;
  }
  // Alone it does not have it.
  if (OF_SHARING.includes(code) && basis === "together") {
    return sides.some(({ marks }) => marks.some((one) => one.code === code)) ? "server" : "alone";
  }
  return MARKS[code].helps;
}

/** Returns the remedy that settles most comparisons, all of whose marks it acts on, or else that acts on most; null if none does. */
export function commonestRemedy(
  comparisons: readonly Comparison[],
  cards: readonly Helped[],
): { readonly remedy: Remedy | null; readonly of: readonly Comparison[] } {
  const marked = comparisons.flatMap((one) =>
    one.verdict === "no-verdict"
      ? [{ one, remedies: new Set(one.marks.map(({ code }) => remedyOf(code, one, cards))) }]
      : []
  );
  const known = [...new Set(marked.flatMap(({ remedies }) => [...remedies]))];
  const counted = known.map((remedy) => {
    const acts = marked.filter(({ remedies }) => remedies.has(remedy));
    return { remedy, acts: acts.length, of: acts.filter(({ remedies }) => remedies.size === 1).map(({ one }) => one) };
  }).toSorted((a, b) => b.of.length - a.of.length || b.acts - a.acts);
  const [first = { remedy: null, of: [] }] = counted;
  return first;
}

/** Says what a remedy does for so many comparisons, in a sentence; `null` where nothing is known to help. */
export function remedyText(remedy: Remedy | null, which: string): string {
  switch (remedy) {
    case "quiet":
      return "Repeat it when the machine is quiet.";
    case "again":
      return "Repeat it: chance makes a run contradict itself once in a hundred times.";
    case "alone":
      return `Servers measured alone may settle ${which}: they need not share a core.`;
    case "longer":
      return `Longer windows (--duration) may settle ${which}.`;
    case "generator":
      return `More cores for the load generator, or another host (--load-host), may settle ${which}.`;
    case "service":
      return `A core of its own for the service, or another host (--service-host), may settle ${which}.`;
    case "limited":
      return `No number of rounds and no longer warm-up would settle ${which}: limit what the server keeps, by number or ` +
        "age, and measure it with that.";
    case "server":
      return `No number of rounds would settle ${which}: what is marked has to change first.`;
    default:
      return `No number of rounds would settle ${which}.`;
  }
}

/** Says what the rest takes that rounds do not settle, as the end of a sentence. */
export const REST: Readonly<Record<Remedy, string>> = {
  rounds: "would take far more",
  warmup: "may take a longer warm-up",
  quiet: "may take a quieter machine",
  again: "may be settled by the same run again",
  alone: "may be settled by servers measured alone",
  longer: "may take longer windows (--duration)",
  generator: "may take more cores for the load generator",
  service: "may take a core of its own for the service",
  server: "would be settled by none",
  limited: "takes a limit on what servers keep",
};
