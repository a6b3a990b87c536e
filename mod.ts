/**
 * The public face of Levelfield: plan a benchmark, run it and hear what happens, read runs back, sum them up, compare,
 * verify and render them; wrk's raw histogram and the statistics by themselves.
 *
 * ```ts measures
 * import { plan, render, run } from "levelfield";
 *
 * const made = await plan("users", { at: { runtime: ["node", "bun"], store: ["map"], size: [1_000] }, rounds: 1 });
 * for await (const event of run(made)) {
 *   if (event.kind === "progress") console.error(`${event.made} of ${event.planned}: ${event.step}`);
 *   if (event.kind === "warning") console.error(event.message);
 *   if (event.kind === "ended") console.log(await render(event.result, "text"));
 * }
 * ```
 *
 * Times and rates carry their units in their names. What goes wrong is a {@link BenchError}: one line, and what to try.
 * docs/library.md says more.
 */
import { SUITES } from "./suites/registry.ts";
import type { Suite } from "./suites/suite.ts";

/**
 * A suite of this project by its name; undefined when there is none.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { suiteNamed } from "levelfield";
 * assert.ok(suiteNamed("users")!.axes.some(({ name }) => name === "runtime"));
 * assert.equal(suiteNamed("no such suite"), undefined);
 * ```
 */
export function suiteNamed(name: string): Suite | undefined {
  return SUITES.find((suite) => suite.name === name);
}

export * from "./bench/engine/statistics.ts";
export {
  type Config,
  type ConfigAmounts,
  type ConfigPreset,
  defineConfig,
  defineSuite,
} from "./bench/options/config.ts";
export type { ConfigRequest } from "./bench/options/user-options.ts";
export * from "./suites/suite.ts";
export { connectionsAxis, countAxis, numberAxis, runtimeAxis, runtimeOf, wordAxis } from "./suites/axes.ts";
export type { App, AppContext, AppFacts, OpenApp } from "./servers/app.ts";
export type { Bound } from "./bench/record/outcome-schema.ts";
export { boundOf } from "./bench/judge/bound.ts";
export { cellName, pointName } from "./bench/record/cell.ts";
export type { Cell, PlanAxis } from "./bench/record/cell-schema.ts";
export { BenchError, type ExitCode } from "./bench/basics/errors.ts";
export {
  countOf,
  expectedIntervalUs,
  type LatencyHistogram,
  littlesLawGap,
  meanUs,
  percentileUs,
  recoverRaw,
  type WrkCorrection,
} from "./bench/statistics/latency-histogram.ts";
export { type Cpu, type CpuOptions, type Placement, placeProcesses, type Topology } from "./bench/plan/placement.ts";
export type { Plan, PlannedObservation } from "./bench/record/plan.ts";
export type { CellCard } from "./bench/record/card.ts";
export type { ComparedCell, RunComparison } from "./bench/result/compare-runs.ts";
export type { Observation } from "./bench/record/observation-record.ts";
export type { Published } from "./bench/result/published.ts";
export type { RunRecord } from "./bench/record/run-record.ts";
export type { Summary } from "./bench/record/summary.ts";
export { formatRate, formatUs } from "./bench/basics/units.ts";
export { findRun, readRun, type StoredRun } from "./bench/runs/read-run.ts";
export { type Verified, verify } from "./bench/runs/verify-run.ts";
export { plan, type PlanChoices } from "./bench/engine/plan.ts";
export { type Format, render, renderCard, renderComparison } from "./bench/engine/results.ts";
export { compare, type ComparedLabels, type RunData, summarise } from "./bench/engine/results.ts";
export { run, type RunEvent, type RunOptions } from "./bench/engine/run.ts";
export type { FinishedRun } from "./bench/observe/conduct-run.ts";
export type { HostOptions } from "./bench/plan/plan-actions.ts";
export { measurePoint, type PointRequest } from "./bench/observe/measure-point.ts";
export type { Store, StoreDriver } from "./stores/store.ts";
export type { User } from "./stores/user.ts";
