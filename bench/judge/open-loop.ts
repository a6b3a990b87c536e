/** The open loop: requests are due at a rate, whatever the server does. */
import type { RequestPlan } from "../../suites/suite.ts";
import type { OpenLoop } from "../record/card.ts";
import type { Loaded } from "../record/load-record.ts";
import { formatRate, formatUs, percent } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { quantilesUs } from "../record/latency-schema.ts";
import { isStarved } from "./starved.ts";

/** Share of the due requests that must have been answered for a rate to count as offered. */
const SENT = 0.99;

/**
 * Connections an open loop may have busy, for each of a closed one, so that a late server is not spared its requests. A
 * generator that counts a request that finds none free from when it was due spares it nothing, and has those of the closed
 * loop: after a halt of the server all of them are free at once, and the last is served late by the generator itself.
 */
const OPEN_CONNECTIONS = 4;

/** Connections that are not opened for that alone: many systems give a process 1024 files. */
const MOST_CONNECTIONS = 900;

/**
 * Returns the pace of a plan's requests when so many a second are due.
 *
 * @param options.each requests a second that a connection takes at most
 * @param options.queues true if requests that find no free connection wait, and count from when they were due
 * @param options.schedule of the requests; fixed by default
 */
export function requestsAtRate(
  { pace }: Pick<RequestPlan, "pace">,
  perSecond: number,
  { each = Infinity, queues = false, schedule }: {
    readonly each?: number | undefined;
    readonly queues?: boolean | undefined;
    readonly schedule?: string | undefined;
  } = {},
): RequestPlan["pace"] {
  const needed = Math.min(MOST_CONNECTIONS, Math.ceil(perSecond / each));
  const connections = "closed" in pace
    ? Math.max((queues ? 1 : OPEN_CONNECTIONS) * pace.closed, needed)
    : pace.connections;
  return { perSecond, connections, ...(schedule === "poisson" ? { schedule } : {}) };
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
export function isRateReached(load: Sent): boolean {
  const { requests, requests_per_second: rate, offered_per_second: due } = load;
  return due === undefined || requests === 0 || rate * (requests + 1) / requests >= SENT * due;
}

/** Returns the mark of a rate that was not kept, with the evidence; undefined if it was, and for a closed loop. */
export function rateMark({ load, bound }: Pick<Loaded, "load" | "bound">): Mark | undefined {
  if (load === null || isRateReached(load)) return undefined;
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

/** The largest part of a wait that may be the generator's lateness at the same quantile. */
const MOST_LATE = 0.1;

/** True if a wait of some microseconds is the server's: the generator was late by a tenth of it at most. */
export function isOnTime({ load }: Pick<Loaded, "load">, share: number, us: number): boolean {
  const late = load?.lateness;
  if (late === undefined) return true;
  const known = Object.values(quantilesUs((at, key) => ({ at, us: late[key] })));
  return known.find(({ at }) => at >= share)!.us <= MOST_LATE * us;
}

/** Returns latencies from when requests were due, null if not counted so; a quantile is null if sent late itself. */
export function dueLatency(
  { load, latency, counters }: Pick<Loaded, "load" | "latency"> & Partial<Pick<Loaded, "counters">>,
): Loaded["latency"] {
  // Latencies of the connections that were served say nothing of the others.
  if (isStarved({ load, latency, ...(counters === undefined ? {} : { counters }) })) return null;
  if (latency === null || load?.untold?.["latency"] !== undefined) return null;
  if (load?.lateness === undefined) return latency;
  const held = (share: number, us: number | null) => us !== null && isOnTime({ load }, share, us) ? us : null;
  const due = quantilesUs((share, key) => held(share, latency[key]));
  // A mean includes all waits.
  return { ...latency, ...due, mean_us: due.p50_us === null || due.p99_us === null ? null : latency.mean_us };
}

/** Latencies of an open loop from when requests were sent; null for a closed loop, and where they were not measured. */
export function sentLatency(
  loaded: Pick<Loaded, "load" | "latency" | "sent">,
): NonNullable<Loaded["sent"]> | Loaded["latency"] {
  if (loaded.load?.offered_per_second === undefined || isStarved(loaded)) return null;
  return loaded.load.untold?.["latency"] === undefined ? loaded.sent ?? null : loaded.latency;
}

/** Returns the mark of quantiles withheld because the generator was late itself; null if none is. */
export function lateMark({ due, sent, late }: ByClock, ...of: readonly ("p50" | "p99")[]): Mark | null {
  const withheld = of.filter((key) => due[key] === null && sent[key] !== null && late[key] !== null);
  if (withheld.length === 0) return null;
  const at = withheld.map((key) => `${formatUs(late[key]!.us)} late at ${key}`);
  return mark(
    "generator-late",
    `has no ${withheld.join(" and no ")}: the generator itself sent ${
      at.join(" and ")
    }, more than a tenth of the wait; ` +
      "repeat it on a quieter machine, or with a core for the generator alone",
  );
}

type ByClock = NonNullable<OpenLoop["open_loop"]>["by_clock"];
