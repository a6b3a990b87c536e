import type { ExpectedMetric } from "../../suites/suite.ts";
import { counted } from "../basics/units.ts";
import { compareRounds, type RatioEstimate, type RoundPair } from "../statistics/compare.ts";
import { ratioInterval } from "../statistics/estimate.ts";
import { lossText } from "../statistics/lacks.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { rateOf, type Solo } from "../judge/lines.ts";

const LEVEL = 0.95;

/** Checks if rounds prove that a ratio is outside its bounds: its whole interval is, which one round has not. */
export function ratioEvidence(
  over: readonly Solo[],
  under: readonly Solo[],
  metric: ExpectedMetric,
  { least = 0, most = Infinity }: { readonly least?: number | undefined; readonly most?: number | undefined },
): { readonly kind: "outside" } | { readonly kind: "open"; readonly compared: RatioEstimate } {
  const compared = ratioByRounds(over, under, metric);
  if (compared.kind === "unmeasured") return { kind: "open", compared };
  const { low, high } = ratioInterval(compared.logRatio, LEVEL);
  return high < least || low > most ? { kind: "outside" } : { kind: "open", compared };
}

/** Returns why rounds do not refute an expectation, in words. */
export function openText(compared: RatioEstimate): string {
  const rounds = counted(compared.n, "round");
  if (compared.kind === "unmeasured") {
    return compared.lack.code === "no-spread" ? lossText(compared.lack) : `${rounds} of both, too few to refute it`;
  }
  const { low, high } = ratioInterval(compared.logRatio, LEVEL);
  return `${low.toFixed(2)} to ${high.toFixed(2)} in ${rounds}`;
}

/** The ratio of two cells by the rounds in which each was measured alone. */
export function ratioByRounds(over: readonly Solo[], under: readonly Solo[], metric: ExpectedMetric): RatioEstimate {
  return compareRounds(soloRounds(over, under, (solo) => valueOf(solo, metric)), "higher");
}

const valueOf = (solo: Solo, metric: ExpectedMetric): number | null =>
  solo.status === "ok" ? observedFigures(solo)[metric] : null;

/** A figure of two cells, each measured alone: one pair a round, null if a round has no valid one; rates by default. */
export function soloRounds(
  over: readonly Solo[],
  under: readonly Solo[],
  figureOf: (solo: Solo) => number | null = rateOf,
): RoundPair[] {
  const rounds = [...new Set([...over, ...under].map(({ round }) => round))].sort((x, y) => x - y);
  const of = (observations: readonly Solo[], round: number) => {
    const found = observations.find((one) => one.round === round);
    return found === undefined ? null : figureOf(found);
  };
  return rounds.map((round) => ({ round, over: of(over, round), under: of(under, round) }));
}
