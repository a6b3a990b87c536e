import { cpuNs } from "../core/cpu-time.ts";
import { IDLE_STRETCHES, idleShareOf, isAtRest, type Stretch } from "../judge/later-work.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { HostSample } from "../record/samples.ts";
import { sum } from "./findings.ts";
import type { Running } from "./running.ts";
import type { Site } from "./site.ts";

type Where = Pick<Site, "hosts">;

/** Watches a server that nobody asks, to know later when it rests. */
export async function noteIdle(each: Running, { hosts }: Where): Promise<void> {
  const { pid } = each.server;
  if (pid === null) return;
  const stretches: Stretch[] = [];
  let before = await hosts.server.sample({ pids: [pid], what: "processes" });
  for (let n = 0; n < IDLE_STRETCHES; n++) {
    await stretch();
    const now = await hosts.server.sample({ pids: [pid], what: "processes" });
    const own = stretchBetween(before, now, 0);
    if (own === null) return;
    stretches.push(own);
    before = now;
  }
  each.idleShare = idleShareOf(stretches);
}

/** Watches servers after their last reply until all rest, each with all it has started, and notes what they used. */
export async function noteLater(running: readonly Running[], { hosts }: Where): Promise<void> {
  const known = running.filter(({ server, idleShare }) => server.pid !== null && idleShare !== null)
    .map((each) => ({ each, idleShare: each.idleShare!, stretches: [] as Stretch[], rested: false }));
  if (known.length === 0) return;
  const sample = () =>
    hosts.server.sample({ pids: known.map(({ each }) => each.server.pid), what: "processes", sizes: true });
  const first = await sample();
  let before = first;
  for (const started = performance.now(); performance.now() - started < THRESHOLDS.restMostMs;) {
    await stretch();
    const now = await sample();
    for (const [n, one] of known.entries()) {
      const own = stretchBetween(before, now, n);
      if (own === null || one.rested) continue;
      one.stretches.push(own);
      one.rested = isAtRest(one.stretches, one.idleShare);
    }
    before = now;
    if (known.every(({ rested }) => rested)) break;
  }
  for (const [n, { each, idleShare, stretches, rested }] of known.entries()) {
    if (stretches.length === 0) continue;
    each.member.later = {
      cpu_ns: sum(stretches.map((own) => own.cpuNs)),
      ms: sum(stretches.map(({ ms }) => ms)),
      rested,
      idle_share: idleShare,
      bytes: [first.sizes[n]?.bytes ?? null, before.sizes[n]?.bytes ?? null],
    };
  }
}

const stretch = () => new Promise((resolve) => setTimeout(resolve, THRESHOLDS.restStretchMs));

/** What the n-th server used between two readings; null where one of them could not be read. */
function stretchBetween(from: HostSample, to: HostSample, n: number): Stretch | null {
  const [before, after] = [from.processes[n]!, to.processes[n]!];
  const used = cpuNs(before, after);
  return used === null || !("value" in before && "value" in after)
    ? null
    : { ms: after.value.atMs - before.value.atMs, cpuNs: Math.max(0, used) };
}
