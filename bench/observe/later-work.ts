import { setTimeout as sleep } from "node:timers/promises";
import { present } from "../basics/present.ts";
import { cpuNsBetween } from "./counters/cpu-time.ts";
import { isIdle, laterShareOf, mostWatchedMs, type Stretch, type WatchLimits } from "../judge/later-work.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { HostSample } from "../record/samples.ts";
import { sum } from "../statistics/variation.ts";
import type { Running } from "./running.ts";
import type { Site } from "./site.ts";

/**
 * Watches servers after their last reply until all are idle, with all their processes, and notes what they used. A
 * server that works on is watched for longer, so that its use in each stretch is known. Then they rest for the given
 * time.
 * @param inFlight requests to each that had no reply when the load ended, at most
 */
export async function noteLaterWork(
  running: readonly Running[],
  { hosts, plan: { rest_ms: restMs = 0 } }: Pick<Site, "hosts" | "plan">,
  inFlight: number,
  limits: WatchLimits = THRESHOLDS,
): Promise<void> {
  const known = running.filter(({ server, idle }) => server.pid !== null && idle !== null)
    .map((each) => ({ each, idle: each.idle!, stretches: [] as Stretch[], rested: false, gone: false }));
  if (known.length === 0) return;
  const sample = () =>
    hosts.server.sample({ pids: known.map(({ each }) => each.server.pid), what: "processes", sizes: true });
  const usedBy = ({ stretches, idle }: typeof known[number]) => ({
    cpu_ns: sum(stretches.map((kept) => kept.cpuNs)),
    ms: sum(stretches.map(({ ms }) => ms)),
    idle_share: idle.idle_share,
    ...present({ idle: idle.idle }),
    in_flight: inFlight,
  });
  const first = await sample(), started = performance.now();
  const isWatched = (one: typeof known[number]) => {
    const share = laterShareOf({
      later: usedBy(one),
      cpu_ns: one.each.member.cpu_ns,
      requests: one.each.member.requests,
    });
    // Time in which the driver was halted does not count.
    return !one.rested && !one.gone && usedBy(one).ms < mostWatchedMs(share, limits);
  };
  let before = first;
  while (known.some(isWatched)) {
    await sleep(THRESHOLDS.restStretchMs);
    const now = await sample();
    for (const [n, one] of known.entries()) {
      if (one.rested || one.gone) continue;
      const found = stretchBetween(before, now, n);
      one.gone = found === null;
      if (found !== null) one.stretches.push(found);
      one.rested = isIdle(one.stretches, one.idle.idle_share);
    }
    before = now;
  }
  // A server that has ended is not idle any more.
  let last = before;
  while (performance.now() - started < restMs && last.processes.every((one) => "value" in one)) {
    await sleep(THRESHOLDS.restStretchMs);
    last = await sample();
  }
  for (const [n, one] of known.entries()) {
    const { member, startedBytes: atStart } = one.each;
    const [loaded, ended, rested] = [first, before, last].map(({ sizes }) => sizes[n]?.bytes ?? null);
    if (typeof loaded === "number" && typeof rested === "number" && atStart !== null) {
      member.memory = { started: atStart, loaded, ...(restMs === 0 ? {} : { rested }) };
    }
    if (one.stretches.length === 0) continue;
    member.later = { ...usedBy(one), rested: one.rested, bytes: [loaded!, ended!] };
  }
}

/** Returns the CPU use of the n-th server between two readings; null if one of them is missing. */
export function stretchBetween(from: HostSample, to: HostSample, n: number): Stretch | null {
  const [before, after] = [from.processes[n]!, to.processes[n]!];
  if (!("value" in before && "value" in after)) return null;
  const waited = [...after.value.threads].map(([id, { waitNs }]) =>
    (waitNs ?? 0) - (before.value.threads.get(id)?.waitNs ?? 0)
  );
  return {
    ms: after.value.atMs - before.value.atMs,
    cpuNs: Math.max(0, cpuNsBetween(before.value, after.value)),
    waitNs: Math.max(0, sum(waited)),
  };
}
