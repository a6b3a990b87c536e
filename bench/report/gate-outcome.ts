import { isOfOthers } from "../judge/status.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { NoVerdict } from "../record/comparison.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import type { UserRequest } from "../record/user-spec.ts";
import { isJudged } from "../record/verdicts.ts";
import type { CountRow } from "../result/gate-counts.ts";
import { BASE, type Gate, YOURS } from "../result/judge-gate.ts";

/** Both revisions, for people. */
export interface Revisions {
  readonly base_ref: string;
  readonly base_commit: string;
  /** The commit of `base_ref`, which may have gone on since the base. */
  readonly named_commit: string;
  readonly head_commit: string;
  readonly head_changed: boolean;
  /** Paths of yours that were copied into the base. */
  readonly carried: readonly string[];
  /** A line that names what git ignores and only yours has; null without any. */
  readonly lacking: string | null;
  /** A line that says what the base has under another path; null if nothing was moved. */
  readonly moved: string | null;
}

interface ChangedReply {
  readonly text: string;
}

/** A run of a gate, and what it alone says. */
export interface GateRun {
  readonly gate: Gate;
  readonly run: RunRecord;
  readonly summary: Summary;
  readonly lines: readonly Observation[];
  /** The run that this one was made in place of, since it contradicted itself; null for a first one. */
  readonly insteadOf: string | null;
}

/** Revisions that were made ready. */
export interface ReadyGate {
  readonly pair: Revisions;
  /** Replies or results that yours changed. */
  readonly changed: readonly ChangedReply[];
  /** Requests to servers; none for functions, which are called. */
  readonly requests: readonly UserRequest[];
  /** A sentence for each thing that is not compared. */
  readonly leftOut: readonly string[];
}

/** The second run after one that proved a regression; null if none was made. */
interface Confirmed {
  readonly second: GateRun | null;
}

/**
 * How a gate ended: refused, without a base, without a measurement because yours answers with other statuses or its
 * functions give other results, or measured. The outcome of a gate with a second run is that of both.
 */
export type GateReport =
  & { readonly module: string; readonly limit: number }
  & (
    | { readonly kind: "refused"; readonly reason: string; readonly hint: string | undefined }
    | { readonly kind: "nothing-to-compare"; readonly pair: Revisions }
    | ReadyGate & { readonly kind: "other-status" | "other-results" | "no-function" }
    | ReadyGate & GateRun & Confirmed & {
      readonly kind: "measured";
      /** The command that repeats it. */
      readonly command: string;
      /** Counts made outside the rounds; absent if nothing could be counted. */
      readonly counts?: readonly CountRow[];
      readonly explanation?: Explanation;
      /** Sentences on drift over past gates; absent without a history. */
      readonly drifts?: readonly string[];
    }
  );

/** A gate that was measured. */
export type MeasuredGate = GateReport & { readonly kind: "measured" };

/** Base and yours at the place that the headline is about; empty without one. */
export function comparedCells({ gate, summary }: Pick<MeasuredGate, "gate" | "summary">): Cell[] {
  const place = decidingPlace(gate);
  const names = place === undefined ? [] : [place.comparison.over, place.comparison.under];
  const cells = names.flatMap((name) => summary.cells.find((each) => each.name === name)?.cell ?? []);
  return [BASE, YOURS].flatMap((app) => cells.find(({ point }) => point.at[gate.axis] === app) ?? []);
}

export type GatePlace = Gate["places"][number];

/** The place a headline is about: the worst of those that decided it. */
export function decidingPlace({ outcome, places }: Gate): GatePlace | undefined {
  return places.filter((place) => place.outcome === outcome)
    .toSorted((a, b) => (b.comparison.ratio ?? Infinity) - (a.comparison.ratio ?? Infinity))[0];
}

/** True if nothing was measured, or a run of it has no verdict at any place: with --strict such a gate fails. */
export const provesNothing = (report: GateReport): boolean =>
  report.kind !== "measured" ||
  [report, report.second].some((one) => one?.gate.places.every(({ comparison }) => !isJudged(comparison)) ?? false);

/** The doubt for which a comparison of a gate has no verdict: that others had the machine, else the comparison's first. */
export const doubtOf = ({ summary }: Pick<MeasuredGate, "summary">, { marks }: NoVerdict): Mark =>
  summary.marks.find(isOfOthers) ?? marks[0]!;
