import { percent } from "./percent.ts";
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

/** What flags are read from: one ok observation of a cell alone. */
export interface FlaggedObservation {
  readonly load: {
    readonly requests: number;
    readonly requests_per_second: number;
    readonly connections: number;
    /** Requests sent in each slot of the window; empty where the generator does not tell. */
    readonly sent_per_slot: readonly number[];
  } | null;
  readonly latency: { readonly littles_law_gap: number } | null;
  readonly counters: {
    readonly steal_share: number | null;
    readonly foreign_share: number | null;
    readonly server_wait_share: number | null;
  } | null;
}

/**
 * All flags of a cell.
 *
 * @param ok its ok observations
 * @param ceiling requests a second the generator reaches with the cell's kind of request; null unknown
 */
export function flagsOf(ok: readonly FlaggedObservation[], ceiling: number | null): Flag[] {
  const flags: Flag[] = [];
  const add = (code: FlagCode, objection: boolean, message: string) => flags.push({ code, objection, message });
  const middle = (pick: (one: FlaggedObservation) => number | null | undefined) => {
    const values = ok.map(pick).filter((value) => value !== null && value !== undefined);
    return values.length === 0 ? 0 : median(values);
  };
  const rates = ok.map((one) => one.load!.requests_per_second);
  if (ceiling !== null && rates.length > 0 && median(rates) > THRESHOLDS.nearCeiling * ceiling) {
    add(
      "near-ceiling",
      true,
      `at ${percent(median(rates) / ceiling)} of what the generator can do with these requests`,
    );
  }
  const steal = middle((one) => one.counters?.steal_share);
  if (steal > THRESHOLDS.stealShare) add("steal", true, `the hypervisor took ${percent(steal)} of a core`);
  const foreign = middle((one) => one.counters?.foreign_share);
  if (foreign > THRESHOLDS.foreignShare) {
    add("foreign-cpu", true, `other processes used ${percent(foreign)} of its cores`);
  }
  const wait = middle((one) => one.counters?.server_wait_share);
  if (wait > THRESHOLDS.waitShare) {
    add("cpu-wait", false, `its busiest waiting thread waited ${percent(wait)} for a CPU`);
  }
  const idle = -middle((one) => one.latency?.littles_law_gap);
  if (
    idle > THRESHOLDS.littlesLawGap &&
    middle((one) => one.load!.requests / one.load!.connections) >= THRESHOLDS.littlesLawMinRequestsPerConnection
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
  const steadiness = steadinessOf(ok);
  if (steadiness === "warming-up") add(steadiness, true, "it still grew faster inside the window: warm up longer");
  if (steadiness === "slowing-down") add(steadiness, true, "it grew slower inside the window");
  return flags;
}

/**
 * Whether warm-up was long enough, after the fact: the rate of the window's last third over that of its first third,
 * median over rounds. One round's ratio is as noisy as the machine; their median is not.
 */
export function steadinessOf(ok: readonly FlaggedObservation[]): Steadiness {
  const ratios = ok.flatMap((one) => {
    const slots = one.load!.sent_per_slot.slice(0, -1);
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
