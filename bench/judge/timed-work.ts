import { cellKey } from "../record/cell.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { THRESHOLDS } from "./thresholds.ts";

type Line = Pick<Observation, "status" | "members" | "load">;
type Load = NonNullable<Observation["load"]>;

/** A server whose work at intervals falls into the ramp-ups of its turns. */
interface TimedWork {
  readonly member: Member;
  /** CPU time of a request in ramp-ups, over that in counted turns: the median over rounds. */
  readonly times: number;
}

/** The cost of a request in ramp-ups over its cost in the part that counts, and the most that it is without timed work. */
interface RampUp {
  readonly times: number;
  readonly most: number;
}

/**
 * Returns a server's ramp-ups beside its turns; null where requests are too few in a ramp-up to say. Where each connection
 * gets less than a reply in it, many requests are begun there and end later.
 */
function rampUpOf({ lead_in, requests, cpu_ns, server }: Member, { lead_in_ms, connections }: Load): RampUp | null {
  if (lead_in === undefined || lead_in_ms === undefined || !requests || !cpu_ns) return null;
  const cost = cpu_ns / requests, due = lead_in.cpu_ns / cost, inEach = 1e6 * lead_in_ms / cost;
  if (inEach < Math.max(THRESHOLDS.rampUpRequests, connections) || due < THRESHOLDS.rampUpRequestsInAll) return null;
  const isPlain = server?.services === undefined && server?.facts["calls"] === undefined &&
    inEach >= THRESHOLDS.rampUpRequestsEach * connections;
  return {
    times: due / Math.max(1, lead_in.requests),
    most: isPlain ? THRESHOLDS.rampUpTimes : THRESHOLDS.rampUpTimesUnsure,
  };
}

/**
 * Returns servers for which time triggers work: a server that stood still finds it due on waking, so it is done in ramp-ups,
 * which do not count. Refilled caches make a request dearer there, too, by far less. A service that wakes up makes it dearer
 * by more, and so do replies in bursts, one of which may end after the ramp-up, and functions whose garbage is collected.
 *
 * @param lines of the same servers together
 */
export function timedWork(lines: readonly Line[]): TimedWork[] {
  const members = lines.flatMap(({ status, load, members }) =>
    status !== "ok" || load?.lead_in_ms === undefined ? [] : members.map((member) => ({
      ...{ member, rampUp: member.marks.length === 0 ? rampUpOf(member, load) : null },
    }))
  );
  return [...Map.groupBy(members, ({ member }) => cellKey(member.cell)).values()].flatMap((same) => {
    const known = same.flatMap(({ rampUp }) => rampUp ?? []);
    if (known.length === 0) return [];
    const times = median(known.map(({ times }) => times));
    // One round may be dearer by chance.
    const most = known.length === 1 ? THRESHOLDS.rampUpTimesUnsure : median(known.map(({ most }) => most));
    return times <= most ? [] : [{ member: same[0]!.member, times }];
  });
}

/** Returns in words what a server does by the clock. */
export const timedWorkText = (name: string, times: number): string =>
  `a request to ${name} costs ${times.toPrecision(2)} × as much right after a halt, which does not count, as later: ` +
  "time triggers work there";
