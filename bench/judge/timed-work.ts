import { percent } from "../basics/units.ts";
import { cellKey } from "../record/cell.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { median } from "../statistics/median.ts";
import { sum } from "../statistics/variation.ts";
import { lostToOthers } from "./status.ts";
import { THRESHOLDS } from "./thresholds.ts";

type Line = Pick<Observation, "status" | "members" | "load" | "marks">;
type Load = NonNullable<Observation["load"]>;

/** A server whose work at intervals falls into the ramp-ups of its turns, or comes in bursts as long as a turn. */
interface TimedWork {
  readonly member: Member;
  /** CPU time of a request in ramp-ups, over that in counted turns: the median over rounds; 0 if unknown. */
  readonly times: number;
  /** Its {@link burstShareOf} in half of the rounds at least, two or more; null if ramp-ups show it. */
  readonly bursts: number | null;
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
 * Returns the share of a server's CPU time in bursts, alone and half warmed up: beyond the cost of the slice at a third of
 * all, by cost, in slices in which requests cost twice that. Null with few slices, or few requests in that one.
 *
 * @param connections that its load has
 */
export function burstShareOf({ warmup }: Pick<Member, "warmup">, connections: number): number | null {
  const all = warmup?.slices?.[0] ?? [];
  const slices = all.slice(Math.ceil(all.length / 2))
    .map(([requests, ns]) => ({ requests, ns, cost: ns / Math.max(1, requests) })).toSorted((a, b) => a.cost - b.cost);
  const usual = slices[Math.floor((slices.length - 1) / 3)];
  if (usual === undefined || slices.length < THRESHOLDS.burstSlices) return null;
  if (usual.requests < THRESHOLDS.rampUpRequestsEach * connections) return null;
  const inBursts = slices.filter(({ cost }) => cost > THRESHOLDS.burstTimes * usual.cost);
  return sum(inBursts.map(({ requests, ns }) => ns - usual.cost * requests)) / sum(slices.map(({ ns }) => ns));
}

/**
 * Returns servers for which time triggers work: a server that stood still finds it due on waking, so it is done in ramp-ups,
 * which do not count. Refilled caches make a request dearer there, too, by far less. A service that wakes up makes it dearer
 * by more, and so do replies in bursts, one of which may end after the ramp-up, and functions whose garbage is collected.
 * Work that takes a turn and more is seen alone, also where it voids rounds: clocks go on while a server halts.
 *
 * @param lines of the same servers together
 */
export function timedWork(lines: readonly Line[]): TimedWork[] {
  const members = lines.flatMap((line) => {
    const { status, load } = line;
    if (load?.lead_in_ms === undefined || lostToOthers(line)) return [];
    return line.members.map((member) => ({
      member,
      rampUp: status === "ok" && member.marks.length === 0 ? rampUpOf(member, load) : null,
      bursts: burstShareOf(member, load.connections),
    }));
  });
  return [...Map.groupBy(members, ({ member }) => cellKey(member.cell)).values()].flatMap((same) => {
    const [rampUps, shares] = [same.flatMap(({ rampUp }) => rampUp ?? []), same.flatMap(({ bursts }) => bursts ?? [])];
    const times = rampUps.length === 0 ? 0 : median(rampUps.map(({ times }) => times));
    // One round may be dearer by chance.
    const most = rampUps.length < 2 ? THRESHOLDS.rampUpTimesUnsure : median(rampUps.map(({ most }) => most));
    const bursts = shares.length < 2 ? 0 : shares.toSorted((a, b) => a - b)[Math.floor((shares.length - 1) / 2)]!;
    return times > most || bursts > THRESHOLDS.burstShare
      ? [{ member: same[0]!.member, times, bursts: times > most ? null : bursts }]
      : [];
  });
}

/** Returns in words what a server does by the clock. */
export const timedWorkText = (name: string, { times, bursts }: Omit<TimedWork, "member">): string =>
  bursts !== null
    ? `bursts of work of ${name}, alone ${percent(bursts, 0)} of its CPU time, fall into too many turns or too few: ` +
      "time may trigger them"
    : `a request to ${name} costs ${times.toPrecision(2)} × as much right after a halt, which does not count, ` +
      "as later: time triggers work there";
