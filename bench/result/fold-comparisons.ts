/** What several runs of one machine say of one comparison. It takes no library, because the page runs it too. */
import type { Comparison } from "../record/comparison.ts";
import { isDecided } from "../record/inverse.ts";

/** A comparison without its evidence: what a machine says of it. */
export type SaidComparison = Pick<Comparison, "verdict" | "ratio">;

/** What runs said so far: small, however many they are. */
export interface FoldedComparison {
  readonly verdict: Comparison["verdict"];
  /** Sum of the logarithms of the decided ratios, and how many there are. */
  readonly logs: number;
  readonly decided: number;
  readonly runs: number;
  /** Whether runs decided it in unlike ways. */
  readonly contradicted: boolean;
}

/** Takes what one more run says. All runs of a comparison have the same one over the other. */
export function foldedWith(so: FoldedComparison | undefined, { verdict, ratio }: SaidComparison): FoldedComparison {
  const { logs, decided, runs, contradicted, verdict: known } = so ??
    { verdict: "no-verdict", logs: 0, decided: 0, runs: 0, contradicted: false };
  if (ratio === null || !isDecided({ verdict })) {
    return { verdict: known, logs, decided, runs: runs + 1, contradicted };
  }
  return {
    verdict,
    // Math's, because the page runs this too, and nothing is verified by it.
    logs: logs + Math.log(ratio),
    decided: decided + 1,
    runs: runs + 1,
    contradicted: contradicted || decided > 0 && known !== verdict,
  };
}

/** What they say together: the mean of their ratios; nothing where none decided it or they contradict each other. */
export function saidTogether({ verdict, logs, decided, contradicted }: FoldedComparison): SaidComparison {
  return decided === 0 || contradicted ? UNSAID : { verdict, ratio: Math.exp(logs / decided) };
}

const UNSAID: SaidComparison = { verdict: "no-verdict", ratio: null };
