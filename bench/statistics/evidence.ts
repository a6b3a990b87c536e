import { type BlockTable, compareBlocks } from "./blocks.ts";
import { type Better, compareRounds, compareUnpaired, type RatioEstimate, type RoundPair } from "./compare.ts";
import { compareMedians } from "./median-ratio.ts";

/** The measurements that a comparison of two cells is computed from. */
export type Evidence =
  /** CPU cost of many cells measured together; less is better. */
  | { readonly kind: "blocks"; readonly table: BlockTable }
  /** Values of the two alone, in one unit, one pair a round. */
  | { readonly kind: "rounds"; readonly pairs: readonly RoundPair[]; readonly better: Better }
  /** The same for quantiles, which single windows may move by many times: the median ratio counts. */
  | { readonly kind: "quantiles"; readonly pairs: readonly RoundPair[]; readonly better: Better }
  /** Values in one unit, one of each whole run; no run of one side belongs to one of the other. */
  | {
    readonly kind: "runs";
    readonly over: readonly number[];
    readonly under: readonly number[];
    readonly better: Better;
  };

/** Two cells, by their names in the evidence, and that evidence. */
export interface Compared {
  readonly over: string;
  readonly under: string;
  readonly evidence: Evidence;
}

/** Compares two cells by what there is: see {@link compareBlocks}, {@link compareRounds}, {@link compareMedians} and {@link compareUnpaired}. */
export function compareBy({ over, under, evidence }: Compared): RatioEstimate {
  switch (evidence.kind) {
    case "blocks":
      return compareBlocks(evidence.table, over, under);
    case "rounds":
      return compareRounds(evidence.pairs, evidence.better);
    case "quantiles":
      return compareMedians(evidence.pairs, evidence.better);
    case "runs":
      return compareUnpaired(evidence.over, evidence.under, evidence.better);
  }
}
