import { cellKey } from "../record/cell.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { THRESHOLDS } from "./thresholds.ts";

type Line = Pick<Observation, "status" | "members" | "load">;

/** A server whose work at intervals falls into the ramp-ups of its turns. */
interface TimedWork {
  readonly member: Member;
  /** CPU time of a request in ramp-ups, over that in counted turns: the median over rounds. */
  readonly times: number;
}

/**
 * Returns the cost of a request in the ramp-ups of a server's turns over its cost in the part that counts; null where
 * requests are too few in a ramp-up to say.
 */
function rampUpTimes({ lead_in, requests, cpu_ns }: Member, leadInMs: number): number | null {
  if (lead_in === undefined || !requests || !cpu_ns) return null;
  const cost = cpu_ns / requests, due = lead_in.cpu_ns / cost;
  const isEnough = 1e6 * leadInMs / cost >= THRESHOLDS.rampUpRequests && due >= THRESHOLDS.rampUpRequestsInAll;
  return isEnough ? due / Math.max(1, lead_in.requests) : null;
}

/**
 * Returns servers for which time triggers work: a server that stood still finds it due on waking, so it is done in ramp-ups,
 * which do not count. Refilled caches make a request dearer there, too, by far less.
 *
 * @param lines of the same servers together
 */
export function timedWork(lines: readonly Line[]): TimedWork[] {
  const members = lines.flatMap(({ status, load, members }) =>
    status !== "ok" || load?.lead_in_ms === undefined ? [] : members.map((member) => ({
      ...{ member, times: member.marks.length === 0 ? rampUpTimes(member, load.lead_in_ms!) : null },
    }))
  );
  return [...Map.groupBy(members, ({ member }) => cellKey(member.cell)).values()].flatMap((same) => {
    const known = same.flatMap(({ times }) => times ?? []);
    const times = known.length === 0 ? 0 : median(known);
    return times > THRESHOLDS.rampUpTimes ? [{ member: same[0]!.member, times }] : [];
  });
}

/** Returns in words what a server does by the clock. */
export const timedWorkText = (name: string, times: number): string =>
  `a request to ${name} costs ${times.toPrecision(2)} × as much right after a halt, which does not count, as later: ` +
  "time triggers work there";
