import { isLowerBound } from "../judge/bound.ts";
import type { CellCard } from "../result/cell-card.ts";
import type { Summary } from "../record/summary.ts";

/** Flags of a cell, as the summary has them. */
export type Flags = Summary["cells"][number]["flags"];

/** What must be known before a cell's figure is believed, in a word; null when nothing must. */
export function markOf(
  card: CellCard,
  flags: Flags,
): { readonly text: string; readonly level: "bad" | "warn" | "note" } | null {
  // What cannot be is nobody's fault.
  if (card.status === "unsupported") return { text: card.status, level: "note" };
  if (card.status !== "ok") return { text: card.status, level: "bad" };
  if (isLowerBound(card.bound)) return { text: `${card.bound}-bound`, level: "warn" };
  const objections = flags.filter((flag) => flag.objection);
  if (objections.length > 0) {
    const more = objections.length > 1 ? ` +${objections.length - 1}` : "";
    return { text: objections[0]!.code.replaceAll("-", " ") + more, level: "warn" };
  }
  if (card.bound !== "server") return { text: `bound: ${card.bound}`, level: "note" };
  return flags.length === 0 ? null : { text: flags[0]!.code.replaceAll("-", " "), level: "note" };
}

/** The flags of each cell of a run, by the cell's name. */
export function flagsByName({ cells }: Pick<Summary, "cells">): (name: string) => Flags {
  const flags = new Map(cells.map((cell) => [cell.name, cell.flags]));
  return (name) => flags.get(name) ?? [];
}

/** Whether something went wrong with a cell: what cannot be measured did not. */
export const isFaulty = ({ status }: Pick<CellCard, "status">): boolean => status !== "ok" && status !== "unsupported";
