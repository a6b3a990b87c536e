import { percent } from "../basics/units.ts";
import { estimateOf } from "../statistics/estimate.ts";
import { expm1, log, log1p } from "../statistics/logarithms.ts";
import { sampleOf, tInterval } from "../statistics/t-interval.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { mean } from "../statistics/variation.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { EnsembleTable } from "./block-tables.ts";

/** Returns the log growth of one server's cost from alone to together over that of another, by round. */
function crowdingRounds({ members: names, rounds }: EnsembleTable, a: string, b: string): number[] {
  const [x, y] = [a, b].map((name) => names.indexOf(name)) as [number, number];
  return rounds.flatMap(({ members }) => {
    const growth = [members[x], members[y]].map((member) => {
      const alone = member?.alone?.marks.length === 0 ? member.alone.counters?.server_cpu_ns_per_request : null;
      return alone && member!.cpu_ns_per_request ? log(member!.cpu_ns_per_request / alone) : null;
    });
    return growth.some((one) => one === null) ? [] : [growth[0]! - growth[1]!];
  });
}

/** The confidence at which two servers crowd each other, so that their verdict is withheld. */
const LEVEL = 0.99;

/**
 * Returns the mark of two servers that must not be compared where they share a core; null for others. Large
 * data sets crowd each other out of the cache, so a server's cost together is not its cost alone. The ratio together has
 * to agree with that of the costs alone, measured in the same processes a moment before.
 */
export function crowdingMark(ensemble: EnsembleTable, a: string, b: string): Mark | null {
  const rounds = crowdingRounds(ensemble, a, b);
  if (rounds.length === 0) return null;
  const off = mean(rounds);
  if (rounds.length < thresholds.leastRounds.value) {
    const isFar = rounds.every((one) => one * Math.sign(off) > log1p(THRESHOLDS.crowdedInFewRounds));
    return isFar ? mark("crowded", sentence(a, b, off)) : null;
  }
  const { low, high } = tInterval(estimateOf(sampleOf(rounds)), LEVEL);
  const edge = log1p(THRESHOLDS.crowded);
  return low > edge || high < -edge ? mark("crowded", sentence(a, b, off)) : null;
}

function sentence(a: string, b: string, off: number): string {
  const [more, less] = off > 0 ? [a, b] : [b, a];
  return `beside the others ${more} costs ${percent(expm1(Math.abs(off)), 0)} more against ${less} than alone: ` +
    "they crowd each other";
}
