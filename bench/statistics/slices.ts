import { exp, geometricMean, log } from "./logarithms.ts";
import type { Member, Slice } from "../record/observation-record.ts";

/** CPU time in nanoseconds for each request of some work; null without requests, and if either is unknown. */
export const costOf = ({ cpu_ns, requests }: Pick<Member, "cpu_ns" | "requests">): number | null =>
  cpu_ns === null || !requests ? null : cpu_ns / requests;

/** The number of requests sent until a moment. */
export interface SentPoint {
  /** Wall clock in microseconds. */
  readonly atUs: number;
  readonly requests: number;
}

/** Requests sent by a moment, between the points around it; null before the first or after the last. */
export function sentAt(points: readonly SentPoint[], atUs: number): number | null {
  const after = points.findIndex((point) => point.atUs >= atUs);
  if (after < 0) return null;
  const next = points[after]!;
  if (after === 0) return next.atUs === atUs ? next.requests : null;
  const last = points[after - 1]!;
  return last.requests + (next.requests - last.requests) * (atUs - last.atUs) / (next.atUs - last.atUs);
}

/**
 * Returns the requests sent until a moment at which their server was paused: the first number reported after it
 * resumed; null after the last.
 */
export function sentBeforeStill(points: readonly SentPoint[], atUs: number): number | null {
  return points.find((point) => point.atUs >= atUs)?.requests ?? null;
}

/** Fewer requests than this in a slice, and those in flight at its edges weigh too much. */
const LEAST_REQUESTS = 10;

/**
 * Slices of servers, joined to the next where some server has too few requests; what is left over at the end is dropped.
 *
 * @param servers as many slices for each
 */
export function joinedSlices(servers: readonly (readonly Slice[])[]): Slice[][] {
  const joined: Slice[][] = servers.map(() => []);
  const nothing = () => servers.map((): Slice => ({ requests: 0, cpu_ns: 0 }));
  let open = nothing();
  for (let n = 0; n < (servers[0]?.length ?? 0); n++) {
    open = open.map((sum, server) => {
      const { requests, cpu_ns } = servers[server]![n]!;
      return { requests: sum.requests + requests, cpu_ns: sum.cpu_ns + cpu_ns };
    });
    if (open.some(({ requests }) => requests < LEAST_REQUESTS)) continue;
    open.forEach((slice, server) => joined[server]!.push(slice));
    open = nothing();
  }
  return joined;
}

/**
 * The slices of servers that shared a core, each cost as a multiple of what all of them cost in that slice (geometric
 * mean): what slows the core slows all alike and cancels. That mean holds the server's own cost, so (N - 1) / N of its
 * change is left, and is brought back to the whole. One server is left as it is.
 */
export function relativeSlices(servers: readonly (readonly Slice[])[]): Slice[][] {
  if (servers.length < 2) return servers.map((slices) => [...slices]);
  const common = servers[0]!.map((_, n) => {
    const costs = servers.map((slices) => costOf(slices[n]!) ?? 0);
    return costs.every((cost) => cost > 0) ? geometricMean(costs) : null;
  });
  return servers.map((slices) =>
    slices.flatMap((slice, n) =>
      common[n] === null ? [] : {
        requests: slice.requests,
        cpu_ns: slice.requests * exp(log(costOf(slice)! / common[n]!) * servers.length / (servers.length - 1)),
      }
    )
  );
}

/**
 * Requests a generator thread had sent by a moment, to about a batch: whole slots and a share of the one begun.
 *
 * @param slots requests sent in each slot since `startedUs`
 * @param slotUs length of a slot in microseconds
 * @param startedUs wall clock at the first slot's begin
 * @param atUs wall clock to count up to
 */
export function sentUntil(slots: readonly number[], slotUs: number, startedUs: number, atUs: number): number {
  const passed = Math.max(0, (atUs - startedUs) / slotUs);
  const whole = Math.min(slots.length, Math.floor(passed));
  const before = slots.slice(0, whole).reduce((sum, sent) => sum + sent, 0);
  return before + (passed - whole) * (slots[whole] ?? 0);
}
