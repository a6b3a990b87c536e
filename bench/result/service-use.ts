import { counted } from "../basics/units.ts";
import type { CellCard } from "../record/card.ts";

/** Counts by which one use of a service is told from another, and the words for so many of them. */
const TOLD: readonly (readonly [count: string, text: (n: number) => string])[] = [
  ["round_trips", (n) => n === 0 ? "pipelined in under 1 round trip" : counted(n, "round trip")],
  ["parse", (n) => n === 0 ? "prepared" : `${counted(n, "statement")} parsed`],
];

/**
 * How a server uses its services for each request, in words that are the same where the use is: `2 round trips, 1 statement
 * parsed`. Null where no service counts.
 */
export function useText({ services = [] }: Pick<CellCard, "services">): string | null {
  const parts = services.flatMap(({ counts_per_request: counts }) =>
    TOLD.flatMap(([name, text]) => {
      // Who counts round trips of one protocol may know no such message; who counts statements knows them unparsed.
      const value = counts[name] ?? (name === "parse" && "execute" in counts ? 0 : undefined);
      return value === undefined ? [] : [text(Math.round(value))];
    })
  );
  return parts.length === 0 ? null : parts.join(", ");
}
