import type { CellOutcome } from "../record/card.ts";
import { BOUND, type Mark } from "../record/outcome-schema.ts";
import type { Summary } from "../record/summary.ts";

/** The most important doubt about a cell's figure, in a word; null without any. */
export function badgeOf(
  card: CellOutcome,
  marks: readonly Mark[],
): { readonly text: string; readonly level: "bad" | "warn" | "note" } | null {
  // An unsupported cell is no failure.
  if (card.status === "unsupported") return { text: card.status, level: "note" };
  if (card.status !== "ok") return { text: card.status, level: "bad" };
  const { level } = BOUND[card.bound];
  if (level === "warn") return { text: `${card.bound}-bound`, level };
  const withheld = marks.filter(({ effect }) => effect === "withholds");
  if (withheld.length > 0) {
    const more = withheld.length > 1 ? ` +${withheld.length - 1}` : "";
    return { text: withheld[0]!.code.replaceAll("-", " ") + more, level: "warn" };
  }
  if (level !== null) return { text: `bound: ${card.bound}`, level };
  return marks.length === 0 ? null : { text: marks[0]!.code.replaceAll("-", " "), level: "note" };
}

/** The marks of each cell of a run, by the cell's name. */
export function marksByName({ cells }: Pick<Summary, "cells">): (name: string) => readonly Mark[] {
  const marks = new Map(cells.map((cell) => [cell.name, cell.marks]));
  return (name) => marks.get(name) ?? [];
}

/** True if a cell was measured and something went wrong. */
export const isFaulty = ({ status }: Pick<CellOutcome, "status">): boolean =>
  status !== "ok" && status !== "unsupported";
