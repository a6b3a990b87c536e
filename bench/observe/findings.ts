import type { LoadPlan, LoadResult } from "../generators/generator.ts";
import type { Counters } from "../record/counters-schema.ts";
import { connectionsOf } from "../plan/plan-parts.ts";
import { derivedLoad, inFlightOf } from "../plan/derived-line.ts";
import type { Member } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import { compactHistogram, type LatencyHistogram, meanUs, percentileUs } from "../statistics/latency-histogram.ts";
import { sum } from "../statistics/variation.ts";
import { quantilesUs } from "../record/latency-schema.ts";

/** The empty record of a member. */
export const openMember = (cell: Member["cell"]): Member => ({
  cell,
  server: null,
  oracle: null,
  audit_facts: {},
  marks: [],
  warmup: null,
  alone: null,
  requests: null,
  cpu_ns: null,
  cpu_ns_per_request: null,
  parts: null,
});

/** The connections of a load to each server: each thread opens the same number, so four threads make 48 of 50. */
export function openedConnections({ targets: [{ requests }, ...others], threads }: LoadPlan): number {
  const connections = connectionsOf(requests);
  return others.length > 0 ? connections : Math.floor(connections / threads) * threads;
}

/**
 * A load as results keep it, before it is judged.
 *
 * @param shape turns of its servers, and CPUs of the generator's threads, as read back
 */
export function loadedOf(
  plan: LoadPlan,
  result: LoadResult,
  counters: Counters,
  shape: Pick<NonNullable<Loaded["load"]>, "turn_ms" | "lead_in_ms" | "thread_cpus">,
  ceiling = false,
): Loaded {
  const { requests } = plan.targets[0];
  const { rows, mix, pace } = requests;
  const connections = openedConnections(plan);
  const { threads, errors, untold, late, sent, messages } = result;
  const slots = Math.max(0, ...threads.map((thread) => thread.slots.length));
  // The null server gives the same reply to all requests, also to those that should fail.
  const due = ceiling ? 0 : sum(threads.map(({ errorsDue }) => errorsDue));
  const most = due + sum(threads.map(({ errorsAllowed }) => errorsAllowed));
  const open = !("closed" in pace);
  const latency = latencyOf(result);
  const inFlight = open || messages !== undefined || plan.targets.length > 1
    ? null
    : inFlightOf({ requests: result.requests, duration_us: result.durationUs, connections, latency });
  const whole: Loaded = {
    bound: "unknown",
    load: {
      duration_us: result.durationUs,
      requests: result.requests,
      requests_per_second: 0,
      ...(inFlight === null ? {} : { in_flight: inFlight }),
      ...(requests.calls ? { calls: true as const } : {}),
      rows_per_request: rows ?? null,
      reply_bytes: result.bytes,
      ...(result.bodyBytes === undefined ? {} : { body_bytes: result.bodyBytes }),
      ...(typeof result.keptShare === "number" ? { kept_share: result.keptShare } : {}),
      ...(plan.targets.length === 1 && result.byConnection !== undefined
        ? { by_connection: result.byConnection[0]! }
        : {}),
      ...(result.reopened ? { reopened: result.reopened } : {}),
      sent_per_slot: Array.from({ length: slots }, (_, n) => sum(threads.map((thread) => thread.slots[n] ?? 0))),
      slot_us: result.slotUs,
      sent_per_template: threads.length === 0 ? [] : mix.map((_, n) => sum(threads.map(({ sent }) => sent[n] ?? 0))),
      connections,
      ...shape,
      threads: Math.max(1, threads.length),
      errors: {
        ...errors,
        expected_status: Math.min(errors.status ?? 0, most),
        ...(due === 0 ? {} : { due_status: due }),
      },
      ...(open ? { offered_per_second: pace.perSecond, dropped: result.dropped ?? null } : {}),
      ...(messages === undefined ? {} : { messages }),
      ...(late === undefined || late.length === 0 ? {} : { lateness: latenessOf(late) }),
      ...(Object.keys(untold).length === 0 ? {} : { untold: { ...untold } }),
    },
    latency,
    ...(sent === undefined || sent.length === 0 ? {} : {
      sent: quantilesUs((share) => percentileUs(sent, share)),
    }),
    counters,
    marks: [],
  };
  return derivedLoad(whole, plan.targets.length);
}

/** A request counts as in time within this lateness: timers of most programs tick once a millisecond. */
const ON_TIME_US = 1_000;

/** Returns how late requests left, from their histogram in microseconds. */
function latenessOf(late: LatencyHistogram) {
  const count = (histogram: LatencyHistogram) => sum(histogram.map(([, each]) => each));
  return {
    ...quantilesUs((share) => percentileUs(late, share)),
    on_time_share: count(late.filter(([us]) => us <= ON_TIME_US)) / count(late),
  };
}

/** The latencies that a generator counted, without its rate. */
export function latencyOf(
  { requests, latency }: Pick<LoadResult, "requests" | "latency">,
): Loaded["latency"] {
  if (latency === null || requests === 0) return null;
  // Negative counts mean that the histogram misses requests.
  const held = latency.filter(([, count]) => count > 0);
  return {
    ...quantilesUs((share) => held.length === 0 ? null : percentileUs(held, share)),
    mean_us: held.length === 0 ? null : meanUs(held),
    histogram: compactHistogram(held).map(([us, count]) => [us, count]),
    littles_law_gap: null,
  };
}
