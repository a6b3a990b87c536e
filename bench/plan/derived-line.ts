import { boundOfCounters } from "../judge/bound.ts";
import type { Member, Observation, Warmup } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import { costOf } from "../statistics/slices.ts";
import { judgedSlices, warmupEnd, type WarmupRule } from "./warm-up-end.ts";

/** Returns the requests in flight at a server in a closed loop: one for each connection, of messages the number planned. */
const inFlightIn = ({ connections, messages }: NonNullable<Loaded["load"]>): number =>
  connections * (messages?.in_flight ?? 1);

/**
 * Returns a load with each figure that follows from its others computed anew: rate, gap to Little's law, CPU time per
 * request, bound. Measuring and verifying share it. Requests in flight are counted only if the load has them: earlier
 * versions left them out.
 *
 * @param servers number of loaded servers
 */
export function derivedLoad<T extends Loaded>(loaded: T, servers: number): T {
  const { load, counters } = loaded;
  if (load === null) return loaded;
  const { latency } = loaded;
  const { requests, duration_us } = load;
  const closed = load.offered_per_second === undefined;
  const inFlight = load.in_flight === undefined || !closed || servers > 1 ? null : inFlightOf({ ...load, latency });
  const { in_flight: _, ...rest } = load;
  const mean = latency?.mean_us ?? null;
  return {
    ...loaded,
    bound: counters === null ? "unknown" : boundOfCounters(counters),
    load: {
      ...rest,
      requests_per_second: (requests + (inFlight ?? 0)) / (duration_us / 1e6),
      ...(inFlight === null ? {} : { in_flight: inFlight }),
    },
    latency: latency && {
      ...latency,
      // A room's messages are under way to others when their sender sends the next.
      littles_law_gap: closed && mean !== null && (load.messages?.members ?? 1) === 1
        ? (requests / duration_us) * mean / (inFlightIn(load) * servers) - 1
        : null,
    },
    counters: counters && {
      ...counters,
      server_cpu_ns_per_request: costOf({ cpu_ns: counters.server_cpu_ns, requests }),
    },
  };
}

/** Returns a line with each figure that follows from its others computed anew, in its members, warm-ups and windows too. */
export function derivedLine(line: Observation): Observation {
  const { load, counters, members, windows } = line;
  const loaded = members.filter(({ requests }) => requests !== null).length;
  // A server that is alone answered all that the generator counted.
  const single = members.length > 1 || load === null
    ? {}
    : { requests: load.requests, cpu_ns: counters?.server_cpu_ns ?? null };
  const least = load?.calls ? "enough-calls" : "enough-to-compile";
  return {
    ...derivedLoad(line, Math.max(1, loaded)),
    warmup: line.warmup && derivedWarmup(line.warmup, { least: "nothing", until: "not-moving" }),
    members: members.map((each): Member => {
      const member = { ...each, ...single };
      return {
        ...member,
        cpu_ns_per_request: costOf(member) || null,
        warmup: member.warmup && derivedWarmup(member.warmup, { least, until: "flat" }),
        alone: member.alone && derivedLoad(member.alone, 1),
      };
    }),
    ...(windows === undefined ? {} : { windows: windows.map((window) => derivedLoad(window, 1)) }),
  };
}

/** Changes that differ by less are equal: the order of summation differs. */
const ROUNDED = 1e-9;

/** Returns a warm-up whose end is judged anew by its slices; unchanged if an earlier version kept none. */
function derivedWarmup(warmup: Warmup, rule: Pick<WarmupRule, "least" | "until">): Warmup {
  const { slices, judged_slices } = warmup;
  if (slices === null) return warmup;
  // A server that was left out keeps its place, without a slice.
  const judged = slices.filter((ofServer) => ofServer.length > 0)
    .map((ofServer) => ofServer.slice(0, judged_slices ?? 0).map(([requests, cpu_ns]) => ({ requests, cpu_ns })));
  const { steadiness, changes } = judgedSlices(judged);
  const inPlace = <T>(values: readonly T[], none: T) => {
    let n = 0;
    return slices.map((ofServer) => ofServer.length > 0 ? values[n++]! : none);
  };
  const now = { watchedMs: 0, loadedMs: 0, endsMs: null, slices: () => judged };
  const isSteady = () => warmupEnd({ ...rule, leastMs: 0, mostMs: Infinity }, now)?.ended === "steady";
  return {
    ...warmup,
    ended: warmup.ended === "steady" && !isSteady() ? "most" : warmup.ended,
    steadiness: inPlace(steadiness, "unknown"),
    changes: inPlace(changes, null).map((change, place) => {
      const earlier = warmup.changes[place] ?? null;
      return change !== null && earlier !== null && Math.abs(change - earlier) < ROUNDED ? earlier : change;
    }),
  };
}

/** Replies per connection from which requests in flight at a window's end are less than a hundredth. */
const ENOUGH = 100;
/** A smaller share of requests in flight is not added. */
const LEAST_SHARE = 0.01;
/** Limits on the spread of latencies within which requests still in flight are assumed to have the same ones. */
const MOST_P99 = 1.5;
const LEAST_MEAN = 0.8;

interface FewReplies extends Pick<NonNullable<Loaded["load"]>, "requests" | "duration_us" | "connections"> {
  readonly latency: Pick<NonNullable<Loaded["latency"]>, "p50_us" | "p99_us" | "mean_us"> | null;
}

/**
 * Parts of requests that were in flight when a window ended, as whole ones: each connection waits all the time, so by
 * Little's law as much was done as fits in the time of all of them. Null if nothing is to be added: there are replies
 * enough, or latencies differ so much that those in flight may take far longer than those answered.
 */
export function inFlightOf({ requests, duration_us, connections, latency }: FewReplies): number | null {
  const { p50_us: p50 = null, p99_us: p99 = null, mean_us: mean = null } = latency ?? {};
  if (requests < connections || requests >= ENOUGH * connections || p50 === null || p99 === null || mean === null) {
    return null;
  }
  if (p99 > MOST_P99 * p50 || mean < LEAST_MEAN * p50) return null;
  const more = connections * duration_us / mean - requests;
  return more < LEAST_SHARE * requests ? null : Math.min(more, connections);
}
