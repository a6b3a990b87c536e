import type { CellCard, Observed } from "../record/card.ts";
import type { RunComparison } from "../result/compare-runs.ts";
import type { LinkSeen } from "../result/link-seen.ts";
import type { Member } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";

/** One observation of a cell in few words: what a chart of rounds and a table of evidence need. */
interface RoundFacts extends Partial<Observed> {
  readonly round: number;
  readonly status: string;
  readonly bound: string;
}

/** Latencies of all ok observations of a cell together. Bin n holds those from 10^(n / BINS_PER_DECADE) µs on. */
export interface BinnedHistogram {
  /** The first bin that holds any. */
  readonly from: number;
  /** Requests in that bin and each after it, to three significant digits: a picture shows no more. */
  readonly counts: readonly number[];
}

/** The evidence behind a cell's card. */
export interface CellEvidence {
  readonly rounds: readonly RoundFacts[];
  readonly histogram: BinnedHistogram;
  /** Medians over ok observations. */
  readonly counters: Readonly<Record<string, number | null>>;
  readonly unreadable: Readonly<Record<string, string>>;
  readonly server: NonNullable<Member["server"]> | null;
  /** Last words of the first observation that is not ok. */
  readonly stderr_tail: string | null;
}

/** Resolution of the histograms shown: a bin is 7.5 % wide. */
export const BINS_PER_DECADE = 32;

/** A run as its folder publishes it. */
export interface RunResults {
  readonly run: RunRecord;
  readonly summary: Summary;
  readonly cells: readonly CellCard[];
}

/** A run ready to be shown. */
export interface ShownRun extends RunResults {
  /** By name of cell; empty when only cards are at hand. */
  readonly evidence: Readonly<Record<string, CellEvidence>>;
  readonly link?: LinkSeen;
}

/** Everything the page shows. */
export interface PageData {
  readonly runs: readonly ShownRun[];
  readonly comparisons: readonly RunComparison[];
}

/** The evidence behind a card; undefined if only the card is available. */
export function evidenceOf({ evidence }: Pick<ShownRun, "evidence">, name: string): CellEvidence | undefined {
  return Object.hasOwn(evidence, name) ? evidence[name] : undefined;
}
