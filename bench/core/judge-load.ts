import type { LatencyHistogram } from "./latency-histogram.ts";
import { compact, countOf, littlesLawGap, meanUs, percentileUs } from "./latency-histogram.ts";
import type { Reason, TrialRecord } from "./result/trial-record.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** What a generator counted, as far as judging it needs. */
export interface CountedLoad {
  readonly durationUs: number;
  readonly requests: number;
  readonly sentMisses: number;
  readonly connections: number;
  readonly errors: { connect: number; read: number; write: number; timeout: number; status: number };
  readonly latency: LatencyHistogram;
}

/** Every reason why a load's figures may not be used; empty when they may. */
export function faultsOf(load: CountedLoad): Reason[] {
  const reasons: Reason[] = [];
  const { errors, requests, connections, sentMisses } = load;
  const sockets = errors.connect + errors.read + errors.write;
  if (sockets > 0) {
    reasons.push({
      code: "socket-errors",
      message: `${sockets} socket errors (connect ${errors.connect}, read ${errors.read}, write ${errors.write})`,
    });
  }
  if (errors.timeout > 0) reasons.push({ code: "timeouts", message: `${errors.timeout} replies came too late` });
  // Misses still in flight at the end were sent but not answered.
  if (errors.status > sentMisses || errors.status < sentMisses - connections) {
    reasons.push({
      code: "unexpected-status",
      message: `${errors.status} replies had an error status, ${sentMisses} were asked for`,
    });
  }
  if (requests === 0) {
    reasons.push({ code: "no-requests", message: "no request was answered in the window" });
    return reasons;
  }
  const counted = countOf(load.latency);
  if (counted !== requests - errors.timeout || load.latency.some(([, count]) => count < 0)) {
    reasons.push({
      code: "histogram-broken",
      message: `the latency histogram holds ${counted} requests, wrk counted ${requests}`,
    });
  }
  // Too many in flight cannot be: rate and latencies contradict each other. Too few can: those connections were waiting
  // for the generator to send again, which is a flag, not a contradiction.
  const gap = littlesLawGap(load.latency, load);
  const enough = requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  if (enough && gap > THRESHOLDS.littlesLawGap) {
    reasons.push({
      code: "littles-law-broken",
      message: `rate × mean latency is ${(100 * gap).toFixed(1)} % above the ${connections} connections`,
    });
  }
  return reasons;
}

/** The latency part of a trial record. */
export function latencyOf(load: CountedLoad): TrialRecord["latency"] {
  if (load.latency.length === 0) return null;
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
