import type { LatencyHistogram } from "./latency-histogram.ts";
import { compact, countOf, littlesLawGap, meanUs, percentileUs } from "./latency-histogram.ts";
import { percent } from "./percent.ts";
import type { Observation, Reason } from "./result/observation-record.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** What a generator counted, of one server or of several loaded together, as far as judging it needs. */
export interface CountedLoad {
  readonly durationUs: number;
  /** Replies. */
  readonly requests: number;
  /** To all servers together. */
  readonly connections: number;
  readonly errors: {
    readonly connect: number;
    readonly read: number;
    readonly write: number;
    readonly timeout: number;
    /** Replies with an error status. */
    readonly status: number;
  };
  /** Of the requests sent, those that must be answered with an error status, and those that may be. */
  readonly errorsDue: number;
  readonly errorsAllowed: number;
  /** Null where the load was not asked for it. */
  readonly latency: LatencyHistogram | null;
}

/** Every reason why a load's figures may not be used; empty when they may. */
export function faultsOf(load: CountedLoad): Reason[] {
  const reasons: Reason[] = [];
  const { errors, requests, connections, errorsDue, errorsAllowed } = load;
  const sockets = errors.connect + errors.read + errors.write;
  if (sockets > 0) {
    reasons.push({
      code: "socket-errors",
      message: `${sockets} socket errors (connect ${errors.connect}, read ${errors.read}, write ${errors.write})`,
    });
  }
  if (errors.timeout > 0) reasons.push({ code: "timeouts", message: `${errors.timeout} replies came too late` });
  // Those still in flight at the end were sent but not answered.
  if (errors.status > errorsDue + errorsAllowed || errors.status < errorsDue - connections) {
    const allowed = errorsAllowed === 0 ? "" : ` and ${errorsAllowed} more allowed`;
    reasons.push({
      code: "unexpected-status",
      message: `${errors.status} replies had an error status, ${errorsDue} were asked for${allowed}`,
    });
  }
  if (requests === 0) {
    reasons.push({ code: "no-requests", message: "no request was answered in the window" });
    return reasons;
  }
  if (load.latency === null) return reasons;
  const counted = countOf(load.latency);
  if (counted !== requests - errors.timeout || load.latency.some(([, count]) => count < 0)) {
    reasons.push({
      code: "histogram-broken",
      message: `the latency histogram holds ${counted} requests, the generator counted ${requests}`,
    });
  }
  // Too many in flight cannot be: rate and latencies contradict each other. Too few can: those connections were waiting
  // for the generator to send again, which is a flag, not a contradiction.
  const gap = littlesLawGap(load.latency, load);
  const enough = requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  if (enough && gap > THRESHOLDS.littlesLawGap) {
    reasons.push({
      code: "littles-law-broken",
      message: `rate × mean latency is ${percent(gap)} above the ${connections} connections`,
    });
  }
  return reasons;
}

/** The latency part of an observation. */
export function latencyOf(load: CountedLoad): Observation["latency"] {
  if (load.latency === null || load.latency.length === 0) return null;
  return {
    p50_us: percentileUs(load.latency, 0.5),
    p90_us: percentileUs(load.latency, 0.9),
    p99_us: percentileUs(load.latency, 0.99),
    p999_us: percentileUs(load.latency, 0.999),
    max_us: load.latency.at(-1)![0],
    mean_us: meanUs(load.latency),
    histogram: compact(load.latency).map(([us, count]) => [us, count]),
    littles_law_gap: littlesLawGap(load.latency, load),
  };
}
