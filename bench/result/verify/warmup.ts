import { counted } from "../../basics/units.ts";
import { SETTLE_IN_TURNS_MS, SETTLE_TOGETHER_MS } from "../../core/warm-up-lengths.ts";
import { workDone } from "../../core/warm-up-end.ts";
import { THRESHOLDS } from "../../judge/thresholds.ts";
import { judgeWarmup } from "../../judge/judge-warm-up.ts";
import type { Observation, Warmup } from "../../record/observation-record.ts";
import type { Plan } from "../../record/plan.ts";
import type { Slice } from "../../statistics/steady.ts";
import { type Claim, TICK_NS } from "./claim.ts";

/** Milliseconds a generator needs to start and to hear that it is to end: what its clock may lack of the driver's. */
const START_MS = 100;

/** What rounding of slices may move their change by. */
const SLACK = 1e-4;

/** What a warm-up was of. */
export interface WarmupOf {
  /** How servers were loaded: of one alone work is asked for. */
  readonly way: "alone" | "at once" | "in turns";
  /** How many were loaded. */
  readonly servers: number;
  /** How many the observation was to have. */
  readonly listed: number;
  /** To each server; infinity where no load tells, or connections broke: then more may be sent than is answered. */
  readonly connections: number;
  /** CPUs they could be on at once. */
  readonly cpus: number;
  readonly plan: Pick<Plan, "warmup" | "generator">;
}

/**
 * How a warm-up is said to have ended has to be what its slices show, what was said of them, and what the plan lets it
 * end by.
 */
export function warmupFaults(warmup: Warmup | null, of: WarmupOf, claim: Claim): void {
  if (warmup === null) return;
  const { way, servers, listed, plan } = of;
  const { ended, steadiness, changes, slice_ms, duration_us } = warmup;
  const { kind } = plan.warmup;
  // Runs of earlier versions have none; who reads such a run is told.
  const slices = warmup.slices ?? steadiness.map(() => []);
  // One that was left out keeps its place, without a slice.
  const told = slices.filter((own) => own.length > 0).length;
  const whole = slices.length === listed && (servers === 0 || told <= servers);
  const alike = [steadiness, changes].every(({ length }) => length === slices.length);
  claim(alike && (whole || slices.length === servers), "a warm-up lacks the slices of a server");
  const alone = way === "alone";
  claim(
    ended === "most" || (ended === "planned") === (kind === "fixed"),
    `a warm-up ended "${ended}" and is ${kind} in the plan`,
  );
  const ms = duration_us / 1e3;
  const longest = Math.max(0, ...slices.map(({ length }) => length));
  // Timers come late, or a millisecond early; the last slice ends after the load.
  claim((longest - 1) * (slice_ms - 1) <= ms + START_MS, "a warm-up has more slices than it had time for");
  const leastMs = alone ? 0 : servers * (way === "in turns" ? SETTLE_IN_TURNS_MS : SETTLE_TOGETHER_MS);
  claim(ms >= leastMs - START_MS, "a warm-up together is shorter than its least");
  if (plan.warmup.kind === "fixed" && ended === "planned") {
    claim(ms >= plan.warmup.ms - START_MS, "a warm-up is shorter than planned");
  }
  if (plan.warmup.kind === "steady" && ended !== "planned") {
    const most = Math.max(plan.warmup.most_ms, 2 * leastMs) + slice_ms;
    // The generator is given two seconds more to end by itself.
    claim(ms <= most + 2_000, "a warm-up is longer than the most");
  }
  if (ended === "steady") {
    // Of servers that were flat alone it is enough that none is seen to change beside the others.
    const settled = steadiness.every((kind) => alone ? kind === "flat" : kind !== "moving");
    claim(settled, "a warm-up is called steady whose cost was not");
  }
  if (warmup.slices !== null) sliceFaults({ ...warmup, slices }, of, claim);
  else {
    claim(warmup.why_no_slices !== undefined, "a warm-up lacks its slices, and says no reason");
    if (alone && ended === "steady") {
      const { requests } = warmup;
      claim(couldBeWarm(requests, of.cpus * ms), "a warm-up is called steady before engines had compiled");
    }
  }
}

/** Whether so many requests, or the most CPU time they can have taken, are what engines ask for; see {@link warmupWork}. */
function couldBeWarm(requests: number, cpuMs: number): boolean {
  const slow = cpuMs * 1e6 >= requests * THRESHOLDS.warmupSlowRequestNs;
  return requests >= THRESHOLDS.warmupLeastRequests ||
    cpuMs >= (slow ? THRESHOLDS.warmupSlowCpuMs : THRESHOLDS.warmupLeastCpuMs);
}

/** Says how many warm-ups cannot be judged again, and why; nothing where all can. */
export function unjudgedWarmups(lines: readonly Observation[]): string[] {
  const all = lines.flatMap(({ warmup, members }) => [warmup, ...members.map((member) => member.warmup)])
    .filter((warmup) => warmup !== null);
  const without = all.filter(({ slices }) => slices === null);
  if (without.length === 0) return [];
  const why = without[0]!.why_no_slices ?? "no reason kept";
  return [`${without.length} of ${counted(all.length, "warm-up")} cannot be judged again: ${why}`];
}

/** What slices say against the rest of their warm-up. */
function sliceFaults(warmup: Warmup & { slices: NonNullable<Warmup["slices"]> }, of: WarmupOf, claim: Claim): void {
  const { ended, steadiness, changes, slices, judged_slices, requests, duration_us } = warmup;
  const own = slices.filter((each) => each.length > 0)
    .map((each) => each.map(([requests, cpuNs]): Slice => ({ requests, cpuNs })));
  const judged = own.map((each) => each.slice(0, judged_slices ?? 0));
  const places = slices.flatMap((each, place) => each.length > 0 ? [place] : []);
  if (own.length === 0) return;
  claim(
    judgeWarmup(judged).every(({ kind, change }, n) => {
      const told = changes[places[n]!] ?? null;
      const alike = change === null || told === null ? change === told : Math.abs(change - told) < SLACK;
      return kind === steadiness[places[n]!] && alike;
    }),
    "what is said of a warm-up's end is not what its slices show",
  );
  // Each connection has one request under way at the end.
  claim(
    sum(own.flat(), "requests") <= requests + of.connections * own.length + own.length,
    "a warm-up's slices hold more requests than it",
  );
  claim(
    sum(own.flat(), "cpuNs") <= of.cpus * (1e3 * duration_us + 1e6 * START_MS) + 2 * TICK_NS * own.length,
    "a warm-up's slices used more CPU time than there was",
  );
  if (of.way !== "alone" || ended !== "steady") return;
  const [alone = []] = judged;
  const work = workDone(alone, of.plan.generator === "in-process" ? "enough-calls" : "enough-to-compile");
  claim(work >= 1, "a warm-up is called steady before engines had compiled");
}

const sum = (slices: readonly Slice[], what: keyof Slice) => slices.reduce((all, slice) => all + slice[what], 0);
