import { isLowerBound } from "../judge/bound.ts";
import { isFaulty } from "./badge.ts";
import type { CellOutcome, Cost, Figures, OpenLoop, Speed, Subject } from "../record/card.ts";
import { formatRate } from "../basics/units.ts";
import { protocolAt } from "../record/cell.ts";
import { BOUND } from "../record/outcome-schema.ts";
import { type Figure, FIGURES } from "./figures.ts";

/** True if a figure may be ranked: without fault, not limited by generator or network, and no given rate. */
export function isRanked(card: CellOutcome & Speed & OpenLoop, key: Figure["key"] = FIGURES[0]!.key): boolean {
  if (card.open_loop !== undefined && key.endsWith("_per_second")) return false;
  return card.status === "ok" && !isLowerBound(card.bound) && card.requests_per_second !== null;
}

/** A card's value of a figure as shown: `72.1k`, `≥ 72.1k` where it is a lower bound, `–` without one or if the cell is void. */
export function valueText(card: CellOutcome & Figures, { key, format }: Figure): string {
  const value = card[key];
  if (value === null || isFaulty(card)) return "–";
  return (key.endsWith("_per_second") ? BOUND[card.bound].sign : "") + format(value);
}

/** The interval of a card's rate, `[70.2k, 74.0k]`; empty where there is none or the figure has none. */
export function intervalText(card: CellOutcome & Speed, { key }: Figure = FIGURES[0]!): string {
  const interval = card.requests_per_second_interval;
  if (key !== FIGURES[0]!.key || interval === null || isFaulty(card)) return "";
  return `[${formatRate(interval.low)}, ${formatRate(interval.high)}]`;
}

/** `98.2k req/s [97.0k, 99.1k]`, `≥` included; of a card that has a rate. */
export function rateText(card: CellOutcome & Figures): string {
  return `${valueText(card, FIGURES[0]!)} req/s ${intervalText(card)}`.trimEnd();
}

/** By protocol without a server that does nothing: what the generator could do over its fastest cell, by its busiest thread. */
export function spokenCeilings(cards: readonly (Subject & Speed & Cost)[]): string[] {
  const byProtocol = Map.groupBy(cards, ({ cell }) => protocolAt(cell.point.at));
  return [...byProtocol].filter(([protocol]) => protocol !== "http").flatMap(([protocol, same]) => {
    const [fastest] = same.toSorted((a, b) => (b.requests_per_second ?? 0) - (a.requests_per_second ?? 0));
    const share = fastest!.generator_share ?? 0;
    return share === 0 ? [] : `over ${protocol} the generator could do ${(1 / share).toFixed(2)} × its fastest cell`;
  });
}

/** The kind of figures of cells measured alone: `one sample`, `median of 14`, `median of 3 to 4, with 95 % intervals`. */
export function sampleText(cards: readonly (Pick<CellOutcome, "observations_ok"> & Partial<Speed>)[]): string {
  const counts = cards.map(({ observations_ok }) => observations_ok).filter((count) => count > 0);
  const [least, most] = [Math.min(...counts, Infinity), Math.max(...counts, 1)];
  if (most === 1) return "one sample";
  const intervals = cards.some((card) => (card.requests_per_second_interval ?? null) !== null)
    ? ", with 95 % intervals"
    : "";
  return `median of ${least < most ? `${least} to ` : ""}${most}${intervals}`;
}
