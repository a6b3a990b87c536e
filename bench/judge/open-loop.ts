/** The open loop: requests are due at a rate, whatever the server does. It takes no library, because the page runs it too. */
import type { RequestPlan } from "../../suites/suite.ts";
import type { Loaded } from "../record/observation-record.ts";
import { formatRate, percent } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";

/** Share of the due requests that must have been answered for a rate to count as offered. */
export const SENT = 0.99;

/** Connections an open loop may have busy, for each of a closed one: so that a late server is not spared its requests. */
const OPEN_CONNECTIONS = 4;

/** Requests a second due on one connection at most: h2load looks at each every ten milliseconds. */
const PER_CONNECTION = 100;
/** Connections that are not opened for that alone: many systems give a process 1024 files. */
const MOST_CONNECTIONS = 900;

/** The pace of a plan's requests when so many a second are due. */
export function atRate(
  { pace }: Pick<RequestPlan, "pace">,
  perSecond: number,
): RequestPlan["pace"] {
  const needed = Math.min(MOST_CONNECTIONS, Math.ceil(perSecond / PER_CONNECTION));
  const connections = "closed" in pace ? Math.max(OPEN_CONNECTIONS * pace.closed, needed) : pace.connections;
  return { perSecond, connections };
}

type Sent = {
  readonly requests: number;
  readonly requests_per_second: number;
  readonly offered_per_second?: number | undefined;
};

/** Requests answered of those that were due in the time the generator ran; null for a closed loop. */
export function answeredShare({ requests_per_second: rate, offered_per_second: due }: Sent): number | null {
  return due === undefined ? null : rate / due;
}

/** True if a rate was offered. Of few requests one may be missing: the end of the window cut it off. */
export function isOffered(load: Sent): boolean {
  const { requests, requests_per_second: rate, offered_per_second: due } = load;
  return due === undefined || requests === 0 || rate * (requests + 1) / requests >= SENT * due;
}

/**
 * Returns the mark of figures that are not of their rate, with the evidence; undefined if they are, and for a closed
 * loop.
 */
export function rateMark({ load, bound }: Pick<Loaded, "load" | "bound">): Mark | undefined {
  if (load === null || isOffered(load)) return undefined;
  const never = load.dropped === null || load.dropped === undefined ? "" : `, ${load.dropped} were never sent`;
  const limit = bound === "server" || bound === "generator" ? `: the ${bound} was the limit` : "";
  return mark(
    "rate-not-kept",
    `only ${percent(answeredShare(load)!)} of the ${
      formatRate(load.offered_per_second!)
    } req/s that were due were answered` +
      `${never}${limit}`,
  );
}

/** Latencies from when requests were due, as a user waits; null if the generator counts from when it sent them. */
export function dueLatency({ load, latency }: Pick<Loaded, "load" | "latency">): Loaded["latency"] {
  return load?.untold?.["latency"] === undefined ? latency : null;
}

/** Latencies of an open loop from when requests were sent; null for a closed loop, and where they were not measured. */
export function sentLatency(
  own: Pick<Loaded, "load" | "latency" | "sent">,
): NonNullable<Loaded["sent"]> | Loaded["latency"] {
  if (own.load?.offered_per_second === undefined) return null;
  return dueLatency(own) === null ? own.latency : own.sent ?? null;
}
