/**
 * The public face of Levelfield: measure a point of a suite from a program, read runs back, and do the statistics by
 * themselves.
 *
 * ```ts
 * import { measurePoint, suiteNamed } from "levelfield";
 * const suite = suiteNamed("users")!;
 * const observation = await measurePoint({ suite, at: { runtime: "bun", store: "sqlite", size: 10_000 } });
 * ```
 */
import { SUITES } from "./suites/registry.ts";
import type { Suite } from "./suites/suite.ts";

/** A suite of this project by its name; undefined when there is none. */
export function suiteNamed(name: string): Suite | undefined {
  return SUITES.find((suite) => suite.name === name);
}

export * from "./suites/suite.ts";
export { connectionsAxis, countAxis, numberAxis, runtimeAxis, runtimeOf, wordAxis } from "./suites/axes.ts";
export type { App, AppContext, AppFacts, OpenApp } from "./servers/app.ts";
export { type Bound, boundOf } from "./bench/core/bound.ts";
export { cellName, pointName } from "./bench/core/cell.ts";
export type { Cell, PlanAxis } from "./bench/core/cell-schema.ts";
export {
  expectedIntervalUs,
  type LatencyHistogram,
  recoverRaw,
  type WrkCorrection,
} from "./bench/core/latency-histogram.ts";
export { type Cpu, type Placement, placeProcesses, type Topology } from "./bench/core/placement.ts";
export type { Plan } from "./bench/core/plan.ts";
export type { CellCard } from "./bench/core/result/cell-card.ts";
export type { Observation } from "./bench/core/result/observation-record.ts";
export { publish, type Published } from "./bench/core/result/published.ts";
export type { RunRecord } from "./bench/core/result/run-record.ts";
export type { Summary } from "./bench/core/result/summary.ts";
export type { BlockTable } from "./bench/core/statistics/blocks.ts";
export type { Evidence } from "./bench/core/statistics/evidence.ts";
export { medianInterval } from "./bench/core/statistics/median.ts";
export { type Contest, type JudgedFamily, judgeFamily, type Verdict } from "./bench/core/statistics/verdict.ts";
export { formatRate, formatUs } from "./bench/core/units.ts";
export { findRun, readRun, type StoredRun } from "./bench/host/read-run.ts";
export { measurePoint, type PointRequest } from "./bench/observe/measure-point.ts";
export type { Store, StoreDriver } from "./stores/store.ts";
export type { User } from "./stores/user.ts";
