import { isLowerBound } from "../judge/bound.ts";
import { rateOf, sortLines } from "../judge/lines.ts";
import type { CellCard } from "../record/card.ts";
import { AA, cellKey } from "../record/cell.ts";
import type { LatencyCell } from "../record/latency-cell.ts";
import type { Observation } from "../record/observation-record.ts";

/** A rate that a server is known to do, in requests a second, and between what it lies. */
export interface KnownRate {
  readonly name: string;
  readonly perSecond: number;
  readonly low: number;
  /** Null where it may do more than was asked of it. */
  readonly high: number | null;
  /** How often it was measured. */
  readonly samples: number;
}

/**
 * Rates of a closed loop that server, generator or network limited: with where their median lies, or below six samples from
 * the least to the most. Of anything else nobody knows what the server can do.
 *
 * @returns those of two samples or more, names of those of one, and how many cells say nothing
 */
export function knownRates(cards: readonly CellCard[], lines: readonly Observation[]) {
  const { solo } = sortLines(lines);
  const own = cards.filter(({ cell, status }) => cell.label !== AA && status !== "unsupported");
  const rates = own.flatMap((card): KnownRate[] => {
    const { name, cell, status, bound, open_loop, requests_per_second: perSecond, requests_per_second_interval } = card;
    const atLeast = isLowerBound(bound);
    if (status !== "ok" || open_loop !== undefined || perSecond === null || (bound !== "server" && !atLeast)) return [];
    const seen = (solo.get(cellKey(cell)) ?? []).flatMap((one) => rateOf(one) ?? []);
    const { low, high } = requests_per_second_interval ?? { low: Math.min(...seen), high: Math.max(...seen) };
    return [{ name, perSecond, low, high: atLeast ? null : high, samples: seen.length }];
  });
  return {
    rates: rates.filter(({ samples }) => samples > 1),
    single: rates.filter(({ samples }) => samples === 1).map(({ name }) => name),
    silent: own.length - rates.length,
  };
}

/** Rates that hold a limit, as searches found them: from the one that held to the least above it that did not. */
export function keptRates(cells: readonly LatencyCell[]): KnownRate[] {
  return cells.flatMap(({ name, knee, contradictions }) => {
    const perSecond = knee?.per_second ?? null;
    if (knee === null || perSecond === null || contradictions !== undefined) return [];
    const failed = knee.steps.flatMap((step) => step.holds === false ? [step.per_second] : []);
    return [{
      name,
      perSecond,
      low: perSecond,
      high: knee.capped || failed.length === 0 ? null : Math.min(...failed),
      samples: knee.steps.filter((step) => step.holds === true && step.per_second === perSecond).length,
    }];
  });
}
