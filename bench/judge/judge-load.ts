import { counted } from "../basics/units.ts";
import type { LatencyHistogram } from "../statistics/latency-histogram.ts";
import { compact, countOf, littlesLawGap, meanUs, percentileUs } from "../statistics/latency-histogram.ts";
import { percent } from "../basics/percent.ts";
import type { Observation, Reason } from "../record/observation-record.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { type ToldLatency, toldUs } from "./told-latency.ts";

/** What a generator counted, of one server or of several loaded together, as far as judging it needs. */
export interface CountedLoad {
  readonly durationUs: number;
  /** Replies. */
  readonly requests: number;
  /** To all servers together. */
  readonly connections: number;
  /** Null for what the generator does not count. */
  readonly errors: {
    readonly connect: number | null;
    readonly read: number | null;
    readonly write: number | null;
    readonly timeout: number | null;
    /** Replies with an error status. */
    readonly status: number | null;
    /** Requests that failed in a way the generator does not tell apart. */
    readonly other?: number | undefined;
  };
  /** Of the requests sent, those that must be answered with an error status, and those that may be. */
  readonly errorsDue: number;
  readonly errorsAllowed: number;
  /** Null where the load was not asked for it, or the generator keeps none. */
  readonly latency: LatencyHistogram | null;
  /** What a generator without a histogram tells of latencies. */
  readonly told?: ToldLatency | undefined;
  /** Requests a second that were due, of an open loop. */
  readonly offeredPerSecond?: number | undefined;
}

/** Every reason why a load's figures may not be used; empty when they may. */
export function faultsOf(load: CountedLoad): Reason[] {
  const reasons: Reason[] = [];
  const { errors, requests, connections, errorsDue, errorsAllowed } = load;
  const sockets = socketErrors(errors);
  if (sockets > 0) {
    const kinds = (["connect", "read", "write", "other"] as const).flatMap((kind) =>
      typeof errors[kind] === "number" ? [`${kind} ${errors[kind]}`] : []
    );
    reasons.push({ code: "socket-errors", message: `${sockets} socket errors (${kinds.join(", ")})` });
  }
  if (errors.timeout !== null && errors.timeout > 0) {
    reasons.push({ code: "timeouts", message: `${counted(errors.timeout, "reply", "replies")} came too late` });
  }
  // Those still in flight at the end were sent but not answered.
  const { status } = errors;
  if (status !== null && (status > errorsDue + errorsAllowed || status < errorsDue - connections)) {
    const allowed = errorsAllowed === 0 ? "" : ` and ${errorsAllowed} more allowed`;
    reasons.push({
      code: "unexpected-status",
      message: `${counted(status, "reply", "replies")} had an error status, ${
        counted(errorsDue, "was asked for", "were asked for")
      }${allowed}`,
    });
  }
  if (requests === 0) {
    reasons.push({ code: "no-requests", message: "no request was answered in the window" });
    return reasons;
  }
  if (load.latency !== null) {
    const held = countOf(load.latency);
    const late = errors.timeout ?? 0;
    if (held !== requests - late || load.latency.some(([, count]) => count < 0)) {
      reasons.push({
        code: "histogram-broken",
        message: `the latency histogram holds ${counted(held, "request")}, the generator counted ${requests}${
          late === 0 ? "" : `, ${late} of them too late`
        }`,
      });
    }
  }
  if (load.told !== undefined && load.told.percentiles.some(([, us], n, all) => n > 0 && us < all[n - 1]![1])) {
    reasons.push({ code: "histogram-broken", message: "the percentiles the generator tells fall" });
  }
  // Too many in flight cannot be: rate and latencies contradict each other. Too few can: those connections were waiting
  // for the generator to send again, which is a flag, not a contradiction.
  const gap = lawGapOf(load);
  const enough = requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  if (gap !== null && enough && gap > THRESHOLDS.littlesLawGap) {
    reasons.push({
      code: "littles-law-broken",
      message: `rate × mean latency is ${percent(gap)} above the ${counted(connections, "connection")}`,
    });
  }
  return reasons;
}

/** Errors of connections, of every kind the generator counts. */
export function socketErrors({ connect, read, write, other }: CountedLoad["errors"]): number {
  return (connect ?? 0) + (read ?? 0) + (write ?? 0) + (other ?? 0);
}

/** The gap to Little's law; null without a mean, and for an open loop: how many are in flight there is nobody's choice. */
function lawGapOf(load: CountedLoad): number | null {
  if (load.offeredPerSecond !== undefined) return null;
  if (load.latency !== null) return load.latency.length === 0 ? null : littlesLawGap(load.latency, load);
  const mean = load.told?.meanUs ?? null;
  return mean === null ? null : (load.requests / load.durationUs) * mean / load.connections - 1;
}

/** The latency part of an observation. */
export function latencyOf(load: CountedLoad): Observation["latency"] {
  const { told } = load;
  if (load.latency === null && told !== undefined && load.requests > 0) {
    return {
      p50_us: toldUs(told, 0.5),
      p90_us: toldUs(told, 0.9),
      p99_us: toldUs(told, 0.99),
      p999_us: toldUs(told, 0.999),
      max_us: told.maxUs,
      mean_us: told.meanUs,
      histogram: [],
      littles_law_gap: lawGapOf(load),
      percentiles: told.percentiles.map(([share, us]) => [share, us]),
    };
  }
  if (load.latency === null || load.latency.length === 0) return null;
  return {
    p50_us: percentileUs(load.latency, 0.5),
    p90_us: percentileUs(load.latency, 0.9),
    p99_us: percentileUs(load.latency, 0.99),
    p999_us: percentileUs(load.latency, 0.999),
    max_us: load.latency.at(-1)![0],
    mean_us: meanUs(load.latency),
    histogram: compact(load.latency).map(([us, count]) => [us, count]),
    littles_law_gap: lawGapOf(load),
  };
}
