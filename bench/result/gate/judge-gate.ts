import { APP_AXIS } from "../../core/own/own-words.ts";
import { turn } from "../compare-runs.ts";
import type { Summary, VerdictEntry } from "../../record/summary.ts";
import { BASE, HEAD } from "./gate-profile.ts";

/**
 * What a gate says of one place, or of all. `regression`: proven slower by more than the limit; `no-regression`: proven
 * to be slower by no more than the limit, or not slower at all; `not-proven`: neither.
 */
export type GateOutcome = "regression" | "no-regression" | "not-proven";

/** Base against head at one place: on one runtime, all else being equal. */
export interface GatePlace {
  /** What the place is, for people; empty where there is one only. */
  readonly title: string;
  readonly outcome: GateOutcome;
  /** CPU time per request of head over that of base; null without a verdict. */
  readonly ratio: number | null;
  /** All intervals of a gate hold together at this level. */
  readonly interval: { readonly low: number; readonly high: number; readonly level: number } | null;
  readonly rounds: number | null;
  /** Why there is no verdict; empty where there is one. */
  readonly reasons: readonly string[];
}

/** What a gate says of a run. */
export interface Gate {
  readonly outcome: GateOutcome;
  /** Slowdown from which it fails, as a share. */
  readonly limit: number;
  readonly places: readonly GatePlace[];
}

/**
 * Judges base against head from a run's verdicts. It is a regression only where the verdict says that base is faster and
 * the whole interval lies beyond the limit; one place with a regression is enough. What is not proven is no regression.
 * @param limit a share: 0.03 is 3 %
 */
export function judgeGate({ families, cells }: Pick<Summary, "families" | "cells">, limit: number): Gate {
  const appOf = new Map(cells.map(({ name, cell }) => [name, cell.point.at[APP_AXIS]]));
  const places = families.filter(({ axis }) => axis === APP_AXIS).flatMap(({ title, verdicts }) =>
    verdicts.flatMap((entry): GatePlace[] => {
      const apps = [appOf.get(entry.a), appOf.get(entry.b)];
      if (!apps.includes(BASE) || !apps.includes(HEAD)) return [];
      return [{ title, ...judged(apps[0] === BASE ? entry : turn(entry), limit) }];
    })
  );
  const outcomes = places.map(({ outcome }) => outcome);
  return {
    outcome: outcomes.includes("regression")
      ? "regression"
      : outcomes.length > 0 && outcomes.every((one) => one === "no-regression")
      ? "no-regression"
      : "not-proven",
    limit,
    places,
  };
}

/**
 * Whether a run has to be made again: it found a difference between a cell and itself, so it says nothing, whatever base and
 * head did. By chance that happens to one in a hundred. What it says of base and head plays no part in this, and of two runs
 * the second alone is judged: so nothing is tried until it comes out.
 */
export function contradictsItself({ families }: Pick<Summary, "families">): boolean {
  return families.some(({ axis, verdicts }) =>
    axis === APP_AXIS &&
    verdicts.some((entry) => entry.verdict === "no-verdict" && entry.cause === "run-contradicted")
  );
}

/** @param entry base first: its speed over that of head is what head costs over what base costs */
function judged(entry: VerdictEntry, limit: number): Omit<GatePlace, "title"> {
  if (entry.verdict === "no-verdict") {
    const reasons = entry.reasons.length === 0 ? [entry.cause] : entry.reasons;
    return { outcome: "not-proven", ratio: null, interval: null, rounds: null, reasons };
  }
  const { ratio, interval, rounds } = entry;
  const slower = entry.verdict === "faster" && entry.winner === "a" && interval.low > 1 + limit;
  return {
    outcome: slower ? "regression" : interval.high <= 1 + limit ? "no-regression" : "not-proven",
    ratio,
    interval,
    rounds,
    reasons: [],
  };
}
