import { log } from "../statistics/logarithms.ts";
import { counted } from "../basics/units.ts";
import { leakText, type SizeReading } from "./leak.ts";
import { percent } from "../basics/percent.ts";
import type { Warmup } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { type Flatness, flatnessOf, logChangeAtEnd } from "../statistics/steady.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { trend } from "../statistics/trend.ts";
import { variation } from "../statistics/variation.ts";
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
  | "slowing-down"
  | "never-steady"
  | "noisy-warm-up"
  | "rounds-lost"
  | "leak";

/** Something to know before a cell's figures are believed; the cell stays valid. */
export interface Flag {
  readonly code: FlagCode;
  readonly message: string;
  /**
   * Whether it keeps solo rates of this cell out of verdicts, where what happened in its windows may have moved them; the
   * others are covered by their intervals.
   */
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
  readonly latency: { readonly littles_law_gap: number | null } | null;
  readonly counters: {
    readonly steal_share: number | null;
    readonly foreign_share: number | null;
    readonly server_foreign_share: number | null;
    readonly server_wait_share: number | null;
  } | null;
  readonly member: {
    readonly warmup: Pick<Warmup, "ended" | "duration_us" | "steadiness" | "curves"> | null;
    readonly sizes?: readonly SizeReading[] | undefined;
  };
}

/**
 * All flags of a cell.
 *
 * @param ok its ok observations
 * @param lost how many were not ok
 * @param ceiling requests a second the generator reaches with the cell's kind of request; null unknown
 */
export function flagsOf(ok: readonly FlaggedObservation[], lost: number, ceiling: number | null): Flag[] {
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
  const foreign = middle((one) => one.counters?.server_foreign_share);
  if (foreign > THRESHOLDS.foreignShare) {
    add("foreign-cpu", true, `other processes used ${percent(foreign)} of the server's cores`);
  } else {
    const all = middle((one) => one.counters?.foreign_share);
    if (all > THRESHOLDS.foreignShare) {
      add("foreign-cpu", false, `other processes used ${percent(all)} of a core beside server and load generator`);
    }
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
  if (lost > 0 && ok.length > 0) add("rounds-lost", false, `${lost} of ${counted(lost + ok.length, "round")} are lost`);
  const restless = ok.filter(({ member: { warmup } }) => warmup?.ended === "most");
  if (2 * restless.length > ok.length) {
    const longest = Math.max(...restless.map(({ member }) => member.warmup!.duration_us)) / 1e6;
    const seconds = longest.toFixed(longest < 10 ? 1 : 0);
    const overRounds = warmupFlatness(ok);
    const few = overRounds.change === null &&
      restless.some(({ member }) => member.warmup!.steadiness.includes("moving"));
    if (few || overRounds.kind === "moving") {
      const by = few
        ? "was still changing"
        : `still ${overRounds.change! < 0 ? "fell" : "rose"} by ${percent(Math.abs(overRounds.change!))}`;
      add("never-steady", true, `its cost ${by} after ${seconds} s of warm-up`);
    } else add("noisy-warm-up", false, `its cost was too noisy to be seen steady within ${seconds} s of warm-up`);
  }
  const leak = leakText(ok.map(({ member }) => member.sizes ?? []));
  if (leak !== undefined) add("leak", false, leak);
  const steadiness = steadinessOf(ok);
  if (steadiness === "warming-up") add(steadiness, true, "it still grew faster inside the window: warm up longer");
  if (steadiness === "slowing-down") add(steadiness, true, "it grew slower inside the window");
  return flags;
}

/**
 * Whether a request still grew cheaper, or dearer, at the end of warm-ups: the mean change over all rounds. A machine that
 * changes its speed moves single rounds, up or down; so many rounds would hold one that moved whatever the server did.
 * Of too few rounds for an interval nothing is said.
 */
function warmupFlatness(ok: readonly FlaggedObservation[]): Flatness {
  const changes = ok.flatMap(({ member }) => (member.warmup?.curves ?? []).map(logChangeAtEnd));
  return flatnessOf(changes, thresholds.steadyChange.value);
}

/**
 * Whether warm-up was long enough, after the fact: the rate of the window's last third over that of its first third, mean
 * over rounds. The first slot of time is left out: making connections in it costs requests, which is no warm-up. `flat` only
 * when the whole interval lies inside the limit.
 */
export function steadinessOf(ok: readonly FlaggedObservation[]): Steadiness {
  const { kind, change } = windowChange(ok);
  if (kind !== "moving") return kind;
  return change! > 0 ? "warming-up" : "slowing-down";
}

/** The change {@link steadinessOf} names, of the rate: 0.05 grew faster by 5 %. */
export function windowChange(ok: readonly FlaggedObservation[]): Flatness {
  const changes = ok.flatMap((one) => {
    const slots = one.load!.sent_per_slot.slice(1, -1);
    const third = Math.floor(slots.length / 3);
    const sum = (part: readonly number[]) => part.reduce((a, b) => a + b, 0);
    const head = sum(slots.slice(0, third)), tail = sum(slots.slice(-third));
    return third === 0 || head < THRESHOLDS.steadinessMinRequests ? [] : [log(tail / head)];
  });
  return flatnessOf(changes);
}
