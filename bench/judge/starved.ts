import { counted, formatUs } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { sum } from "../statistics/variation.ts";
import { THRESHOLDS } from "./thresholds.ts";

type Judged = Partial<Pick<Loaded, "load" | "latency" | "counters">>;

/** Times the mean wait from which one is that of a connection with few replies, and the least part of its time it waits so. */
const LONG_TIMES = 5, LONG_PART = 0.4;

/**
 * Returns the connections of a closed loop that had few replies, and the wait in µs that fills their time; null without any. An open
 * loop gives a slow one fewer requests and counts all waits. Counts may be few for another reason, such as a late beginning
 * or replies of unlike sizes; then no such waits fill the time.
 */
function slowlyServed({ load, latency }: Judged): { readonly few: number; readonly us: number } | null {
  const few = load?.by_connection?.few ?? 0;
  if (few === 0 || load!.offered_per_second !== undefined) return null;
  const { duration_us: lasted, connections, requests } = load!;
  const long = (latency?.histogram ?? []).filter(([us]) => us > LONG_TIMES * connections * lasted / requests);
  const waitedUs = sum(long.map(([us, count]) => us * count));
  return waitedUs < LONG_PART * few * lasted
    ? null
    : { few, us: sum(long.map(([us, count]) => us ** 2 * count)) / waitedUs };
}

/**
 * Returns the share of the connections that were not served, 0 to 1, by counts of each or by Little's law; null if none is
 * known to be. A generator at its limit keeps connections waiting itself, so there the law says nothing.
 */
function unservedShare({ load, latency, counters }: Judged): number | null {
  const { by_connection: by, connections = 1 } = load ?? {};
  if (by !== undefined) {
    const unserved = by.unanswered + by.stuck + (slowlyServed({ load: load!, latency: latency ?? null })?.few ?? 0);
    return unserved === 0 ? null : unserved / connections;
  }
  const gap = latency?.littles_law_gap ?? null, busy = counters?.generator_share ?? null;
  if (load === null || load === undefined || gap === null || busy === null) return null;
  const isEnough = load.requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  return isEnough && busy < THRESHOLDS.generatorBoundShare && -gap > THRESHOLDS.littlesLawMostWaits ? -gap : null;
}

/** True if some connections were not served, so that latencies are those of the others alone. */
export const isStarved = (load: Judged): boolean => unservedShare(load) !== null;

/**
 * Returns the mark of a cell some connections of which got no reply, none any more, or few; null if all were served.
 *
 * @param together counts of its servers among others
 */
export function starvedMark(alone: readonly Judged[], together: readonly ByConnectionOf[] = []): Mark | null {
  const starved = alone.filter(isStarved);
  const beside = together.filter(({ by_connection: by }) => by !== undefined && by.unanswered + by.stuck > 0);
  if (starved.length + beside.length === 0) return null;
  const worst = starved.toSorted((a, b) => unservedShare(b)! - unservedShare(a)!)[0];
  const [all, bad] = worst === undefined ? [together.length, beside.length] : [alone.length, starved.length];
  const windows = `in ${bad} of ${counted(all, "window")}${worst === undefined ? " together with others" : ""}`;
  const by = worst === undefined ? beside[0]!.by_connection : worst.load!.by_connection;
  if (by === undefined) {
    const served = (1 + worst!.latency!.littles_law_gap!) * worst!.load!.connections;
    return mark(
      "connections-starved",
      `rate × mean latency comes to ${served.toPrecision(2)} of ${
        counted(worst!.load!.connections, "connection")
      } ${windows}: ` +
        "the others got no reply, and latencies say nothing of them",
    );
  }
  const { unanswered, stuck, replies } = by;
  const of = worst === undefined ? "" : ` of ${worst.load!.connections}`;
  const slow = worst === undefined ? null : slowlyServed(worst);
  const said = [
    ...(unanswered > 0 ? [`${counted(unanswered, "connection")}${of} got no reply`] : []),
    ...(stuck > 0 ? [`${counted(stuck, "connection")}${of} waited in vain for one more reply`] : []),
    ...(slow === null ? [] : [
      `${counted(slow.few, "connection")}${of} got under a tenth of the mean number of replies, each after ${
        formatUs(slow.us)
      },`,
    ]),
  ];
  const each = replies === undefined ? "" : `; replies each: ${replies[0]} to ${replies[2]}, median ${replies[1]}`;
  return mark("connections-starved", `${said.join(", ")} ${windows}${each}`);
}

interface ByConnectionOf {
  readonly by_connection?: NonNullable<Loaded["load"]>["by_connection"];
}
