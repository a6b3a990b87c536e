import type { LatencyHistogram } from "../statistics/latency-histogram.ts";

/** A request of a log, in microseconds: when it left, and how long its reply took. */
export interface SentRequest {
  readonly atUs: number;
  readonly tookUs: number;
}

/** Connections that begin one after the other, each with requests due at equal intervals from its first one. */
export interface Schedule {
  readonly perSecond: number;
  readonly connections: number;
  readonly requests: number;
}

/**
 * Holds requests against their schedule: the n-th to leave was the n-th due. A log does not name connections, and no user
 * shares theirs; the mean is the same as connection by connection. When a connection began is known from the earliest that
 * its place in the order was ever taken, so nothing counts as late that was not.
 *
 * @returns latencies from when requests were due, how late they left, and by how much all of the last twentieth did, which is
 * what was never caught up; null of no request
 */
export function againstSchedule(sent: readonly SentRequest[], { perSecond, connections }: Schedule) {
  if (sent.length === 0) return null;
  const inOrder = sent.toSorted((a, b) => a.atUs - b.atUs);
  const first = inOrder[0]!.atUs;
  const stepUs = 1e6 * connections / perSecond;
  const turnUs = (n: number) => Math.floor(n / connections) * stepUs;
  const begun = new Float64Array(connections).fill(Infinity);
  for (const [n, { atUs }] of inOrder.entries()) {
    begun[n % connections] = Math.min(begun[n % connections]!, atUs - first - turnUs(n));
  }
  const due = Float64Array.from(inOrder, (_, n) => begun[n % connections]! + turnUs(n)).sort();
  const late = inOrder.map(({ atUs }, n) => Math.max(0, atUs - first - due[n]!));
  return {
    latency: histogramOf(inOrder.map(({ tookUs }, n) => Math.round(tookUs + late[n]!))),
    late: histogramOf(late.map(Math.round)),
    behindUs: Math.min(...late.slice(Math.floor(0.95 * late.length))),
  };
}

/** One count a value, in ascending order. */
export function histogramOf(values: readonly number[]): LatencyHistogram {
  const counts = new Map<number, number>();
  for (const us of values) counts.set(us, (counts.get(us) ?? 0) + 1);
  return [...counts].sort((a, b) => a[0] - b[0]);
}
