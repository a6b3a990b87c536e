import type { Plan } from "../../record/plan.ts";
import { CEILING_MS, windowTogetherMs } from "../../core/schedule.ts";
import { THRESHOLDS } from "../../judge/thresholds.ts";
import { replyMsOf, windowMs } from "../../core/window-length.ts";
import { SETTLE_MS, settles } from "../../core/warm-up-lengths.ts";
import type { Loaded, Observation } from "../../record/observation-record.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { type Claim, momentNs, near } from "./claim.ts";

/** By how much a wall clock may differ from a steady one over so long: what NTP slews, and the millisecond cut off. */
const clockSlackMs = (ms: number) => 1 + THRESHOLDS.clockStepMs + 0.0005 * ms;

/** A generator's own clock may stop before the plan's: some tell whole hundredths of their duration. */
const SHORTER = 0.01;

/** Steps that begin before the one before has ended, or lie outside the run, one sentence each. */
export function orderFaults({ started_at, finished_at, state }: RunRecord, lines: readonly Observation[]): string[] {
  const faults: string[] = [];
  if ((state === "running") !== (finished_at === null)) faults.push(`the run is ${state} and ended ${finished_at}`);
  let ended = Date.parse(started_at), before = "the run began";
  let slack = clockSlackMs(0);
  for (const { index, started_at, wall_ms } of lines) {
    const began = Date.parse(started_at);
    const early = ended - began;
    if (early > slack) faults.push(`step ${index} began ${early.toFixed(0)} ms before ${before}`);
    ended = began + wall_ms;
    before = `step ${index} had ended`;
    slack = clockSlackMs(wall_ms);
  }
  const late = finished_at === null ? 0 : ended - Date.parse(finished_at);
  if (late > slack) faults.push(`the run ended ${late.toFixed(0)} ms before ${before}`);
  return faults;
}

/** How long a load was under way for its driver, in milliseconds. */
const loadMs = ({ load, counters }: Pick<Loaded, "load" | "counters">) =>
  load === null ? 0 : Math.max(load.duration_us / 1e3, (counters?.cpu_window_ns ?? 0) / 1e6);

/** A step's parts come one after the other, so together they take no longer than it did. */
export function partsTime({ members, load, counters, wall_ms, alone }: Observation, claim: Claim): void {
  let ms = loadMs({ load, counters });
  for (const { server, warmup, alone: own } of members) {
    ms += (server?.startup_ms ?? 0) + (warmup?.duration_us ?? 0) / 1e3 + (own === null ? 0 : loadMs(own));
    // Over new connections, before each window of one server.
    const window = own ?? (members.length === 1 && alone ? { load } : null);
    if (warmup !== null && window?.load && settles(warmup, window.load.connections)) ms += SETTLE_MS;
    claim(
      server === null || server.startup_ms === null || (server.open_ms ?? 0) <= server.startup_ms,
      "a server opened its app for longer than it started",
    );
  }
  claim(ms <= wall_ms + clockSlackMs(wall_ms), `its parts took ${ms.toFixed(0)} ms, it took ${wall_ms.toFixed(0)}`);
}

/** The window of one server is as long as planned; what is left of it at its end is a reply and the generator's pause. */
export function windowTime(loaded: Loaded, plan: Plan, ceiling: boolean, claim: Claim): void {
  const { load, latency, counters } = loaded;
  if (load === null) return;
  const us = load.duration_us;
  const window = counters?.share_window_ns ?? 0;
  claim(window <= 1e6 * loadMs(loaded) + momentNs(loaded), "its shares were read over longer than its window");
  const longest = latency?.max_us ?? null;
  claim(longest === null || longest <= us, "a reply took longer than the window");
  // Only a generator that tells when it sent what is known to be as long as it was asked to.
  if (plan.requests !== undefined || load.sent_per_slot.length === 0) return;
  const plannedUs = 1e3 * (ceiling ? CEILING_MS : windowMs(plan.duration_ms, load.expected_reply_ms ?? 0, 1));
  claim(us >= (1 - SHORTER) * plannedUs, "its window is shorter than planned");
  // What is told to have lasted longer excuses nothing.
  const lateUs = 2 * momentNs(loaded, plannedUs) / 1e3;
  claim(us <= plannedUs + (longest ?? 0) + lateUs, "its window is longer than planned");
}

/** A window is longer than planned only for replies that the warm-ups before it showed to be slow. */
export function longerWindows({ kind, load, members }: Observation, plan: Plan, claim: Claim): void {
  const together = members.flatMap(({ requests, warmup }) => requests === null || warmup === null ? [] : [warmup]);
  const longer = [
    {
      load,
      warmups: together,
      plannedMs: members.length === 1 ? plan.duration_ms : windowTogetherMs(plan, together.length),
    },
    ...members.map(({ alone, warmup }) => ({
      ...{ load: alone?.load ?? null, warmups: warmup === null ? [] : [warmup], plannedMs: plan.duration_ms },
    })),
  ];
  for (const { load, warmups, plannedMs } of longer) {
    const replyMs = load?.expected_reply_ms;
    if (replyMs === undefined) continue;
    const known = warmups.map((warmup) => replyMsOf(warmup, load!.connections));
    const slowest = Math.max(...known.map((ms) => ms ?? 0));
    // Where a warm-up had none, the slowest reply before it is what was expected.
    const follows = known.includes(null) ? replyMs >= slowest : near(replyMs, slowest);
    claim(kind !== "ceiling" && follows, "its window is longer than its warm-ups ask for");
    claim(
      windowMs(plannedMs, replyMs, Math.max(1, warmups.length)) > plannedMs,
      "its window is longer than planned for nothing",
    );
  }
}

/** The window of several servers is cut out of their load, after they settled in it. */
export function togetherTime(observation: Observation, servers: number, plan: Plan, claim: Claim): void {
  const { load, warmup, counters } = observation;
  if (load === null || warmup === null) return;
  const windowNs = counters?.share_window_ns ?? null;
  if (windowNs === null) return;
  const { turn_ms: turn = 0, lead_in_ms: leadIn = 0 } = load;
  claim((turn + leadIn) * servers <= windowNs / 1e6 + 2 * servers, "its window is shorter than a turn for each server");
  const counted = windowMs(windowTogetherMs(plan, servers), load.expected_reply_ms ?? 0, servers);
  // Timers of some runtimes come up to a millisecond early, twice here.
  claim(
    windowNs >= 1e6 * ((leadIn === 0 ? counted : counted * (1 + leadIn / turn)) - 2),
    "its window is shorter than planned",
  );
  claim(
    windowNs + 1e3 * warmup.duration_us <= 1e3 * load.duration_us + momentNs(observation),
    "settling and window took longer than the load they are part of",
  );
}
