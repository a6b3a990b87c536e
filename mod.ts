/**
 * The public face of Levelfield: measure a cell from a program, read runs back, and do the statistics by themselves.
 *
 * ```ts
 * import { measureCell } from "levelfield";
 * const trial = await measureCell({ runtime: "bun", store: "sqlite", size: 10_000 });
 * ```
 */
export { type Cell, cellName } from "./bench/core/cell.ts";
export { type Bound, boundOf } from "./bench/core/bound.ts";
export {
  expectedIntervalUs,
  type LatencyHistogram,
  recoverRaw,
  type WrkCorrection,
} from "./bench/core/latency-histogram.ts";
export { type Cpu, type Placement, placeProcesses, type Topology } from "./bench/core/placement.ts";
export type { CellCard } from "./bench/core/result/cell-card.ts";
export type { JournalLine } from "./bench/core/result/journal-line.ts";
export { publish, type Published } from "./bench/core/result/published.ts";
export type { RunRecord } from "./bench/core/result/run-record.ts";
export type { Summary } from "./bench/core/result/summary.ts";
export type { TrialRecord } from "./bench/core/result/trial-record.ts";
export { medianInterval } from "./bench/core/statistics/median.ts";
export { type Contest, judgeFamily, type Verdict } from "./bench/core/statistics/verdict.ts";
export { formatRate, formatSize, formatUs, parseSize } from "./bench/core/units.ts";
export { findRun, readRun, type StoredRun } from "./bench/host/read-run.ts";
export { type CellRequest, measureCell } from "./bench/trial/measure-cell.ts";
export type { Store, StoreDriver } from "./stores/store.ts";
export type { User } from "./stores/user.ts";
