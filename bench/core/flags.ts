import type { TrialRecord } from "./result/trial-record.ts";
import { median } from "./statistics/median.ts";
import { trend } from "./statistics/trend.ts";
import { variation } from "./statistics/variation.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Every flag there is. */
export type FlagCode =
  | "near-ceiling"
  | "steal"
  | "foreign-cpu"
  | "cpu-wait"
  | "generator-wait"
  | "spread"
  | "trend"
  | "warming-up"
  | "slowing-down";

/** Something to know before a cell's figures are believed; the cell stays valid. */
export interface Flag {
  readonly code: FlagCode;
  readonly message: string;
  /** Whether it keeps solo rates of this cell out of verdicts; the others are covered by their intervals. */
  readonly objection: boolean;
}

/** How a cell's rate went within its windows. */
export type Steadiness = "flat" | "warming-up" | "slowing-down" | "unknown";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** All flags of a cell, from its ok trials. */
export function flagsOf(trials: readonly TrialRecord[], ceiling: number | null): Flag[] {
  const flags: Flag[] = [];
  const add = (code: FlagCode, objection: boolean, message: string) => flags.push({ code, objection, message });
  const middle = (pick: (trial: TrialRecord) => number | null | undefined) => {
    const values = trials.map(pick).filter((value) => value !== null && value !== undefined);
    return values.length === 0 ? 0 : median(values);
  };
  const rates = trials.map((trial) => trial.load!.requests_per_second);
  if (ceiling !== null && rates.length > 0 && median(rates) > THRESHOLDS.nearCeiling * ceiling) {
    add("near-ceiling", true, `at ${percent(median(rates) / ceiling)} of what the generator can do at all`);
  }
  const steal = middle((trial) => trial.counters?.steal_share);
  if (steal > THRESHOLDS.stealShare) add("steal", true, `the hypervisor took ${percent(steal)} of a core`);
  const foreign = middle((trial) => trial.counters?.foreign_share);
  if (foreign > THRESHOLDS.foreignShare) {
    add("foreign-cpu", true, `other processes used ${percent(foreign)} of its cores`);
  }
  const wait = middle((trial) => trial.counters?.server_wait_share);
  if (wait > THRESHOLDS.waitShare) {
    add("cpu-wait", false, `its busiest waiting thread waited ${percent(wait)} for a CPU`);
  }
  const idle = -middle((trial) => trial.latency?.littles_law_gap);
  if (
    idle > THRESHOLDS.littlesLawGap &&
    middle((trial) => trial.load!.requests / trial.load!.connections) >= THRESHOLDS.littlesLawMinRequestsPerConnection
  ) {
    add("generator-wait", false, `connections waited ${percent(idle)} of the time for the generator`);
  }
  const spread = variation(rates);
  if (spread.kind === "known" && spread.cv > THRESHOLDS.cv) {
    add("spread", false, `its rates vary by ${percent(spread.cv)} (CV)`);
  }
  const drift = trend(rates);
  if (drift.kind === "known" && drift.flagged) {
    add("trend", false, `its rates changed by ${percent(drift.relativeChange)} over the run`);
  }
  const steadiness = steadinessOf(trials);
  if (steadiness === "warming-up") add(steadiness, true, "it still grew faster inside the window: warm up longer");
  if (steadiness === "slowing-down") add(steadiness, true, "it grew slower inside the window");
  return flags;
}

/**
 * Whether warm-up was long enough, after the fact: the rate of the window's last third over that of its first third,
 * median over trials. One trial's ratio is as noisy as the machine; the median over rounds is not.
 */
export function steadinessOf(trials: readonly TrialRecord[]): Steadiness {
  const ratios = trials.flatMap((trial) => {
    const slots = trial.load!.sent_per_100ms.slice(0, -1);
    const third = Math.floor(slots.length / 3);
    const sum = (part: readonly number[]) => part.reduce((a, b) => a + b, 0);
    const head = sum(slots.slice(0, third)), tail = sum(slots.slice(-third));
    return third === 0 || head < THRESHOLDS.steadinessMinRequests ? [] : [tail / head];
  });
  if (ratios.length < 3) return "unknown";
  const ratio = median(ratios);
  if (ratio > 1 + THRESHOLDS.steadiness) return "warming-up";
  return ratio < 1 - THRESHOLDS.steadiness ? "slowing-down" : "flat";
}
