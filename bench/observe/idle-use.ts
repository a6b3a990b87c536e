import { setTimeout as sleep } from "node:timers/promises";
import {
  type Idle,
  IDLE_STRETCHES,
  idleShareOf,
  laterShareOf,
  longIdle,
  type Stretch,
  type WatchLimits,
} from "../judge/later-work.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { cellKey } from "../record/cell.ts";
import type { Member } from "../record/observation-record.ts";
import { sum } from "../statistics/variation.ts";
import { stretchBetween } from "./later-work.ts";
import type { Running } from "./running.ts";
import type { Site } from "./site.ts";

/** Share of a core in one stretch that is so little that no further one is watched: a fraction between 0 and 1. */
const QUIET_SHARE = 0.01;

/**
 * Watches a server without requests, to recognise later when it is idle, and records what it holds. One that did not come
 * to rest in an earlier line is watched for long, once in a run: a timer may be slower than a few stretches.
 */
export async function noteIdleUse(
  each: Running,
  { hosts, made = [] }: Pick<Site, "hosts" | "made">,
  { idleMostMs }: Pick<WatchLimits, "idleMostMs"> = THRESHOLDS,
): Promise<void> {
  const { pid } = each.server;
  if (pid === null) return;
  const key = cellKey(each.member.cell);
  const earlier = made.flatMap(({ members }) => members).filter(({ cell }) => cellKey(cell) === key);
  const known = longIdle(earlier), long = known === null && isRestless(earlier);
  const stretches: Stretch[] = [];
  const isEnough = () =>
    long
      ? sum(stretches.map(({ ms }) => ms)) >= idleMostMs
      : stretches.length === IDLE_STRETCHES || idleShareOf(stretches) <= QUIET_SHARE;
  let before = await hosts.server.sample({ pids: [pid], what: "processes" });
  while (!isEnough()) {
    await sleep(THRESHOLDS.restStretchMs);
    const now = await hosts.server.sample({ pids: [pid], what: "processes", sizes: true });
    const idle = stretchBetween(before, now, 0);
    if (idle === null) return;
    stretches.push(idle);
    before = now;
  }
  each.startedBytes = before.sizes[0]?.bytes ?? null;
  each.idle = known ?? (long ? longIdleOf(stretches) : { idle_share: idleShareOf(stretches) });
}

/** True if observations of a cell leave open what a timer does and what outlives the reply. */
const isRestless = (members: readonly Member[]): boolean =>
  members.some((one) => one.later?.rested === false || (laterShareOf(one) ?? 0) > THRESHOLDS.laterShare);

/**
 * Returns the use of a server that was watched for long, for what timers do in between: its mean, in the later half, since
 * it may have started up in the other, and how far beyond that it went in any time.
 */
export function longIdleOf(stretches: readonly Stretch[]): Idle {
  const late = stretches.slice(Math.floor(stretches.length / 2));
  const idle_share = sum(late.map(({ cpuNs }) => cpuNs)) / (1e6 * sum(late.map(({ ms }) => ms)));
  let [beyond, beyond_ns] = [0, 0];
  for (const { ms, cpuNs } of late) {
    beyond = Math.max(0, beyond + cpuNs - idle_share * 1e6 * ms);
    beyond_ns = Math.max(beyond_ns, Math.round(beyond));
  }
  return { idle_share, idle: { ms: sum(stretches.map(({ ms }) => ms)), beyond_ns } };
}
