import { counted } from "../basics/units.ts";
import type { RequestPlan, SentLoad } from "../../suites/suite.ts";
import { boundOfCounters } from "../judge/bound.ts";
import { formatCpuList } from "../basics/cpu-list.ts";
import { type CountedLoad, latencyOf } from "../judge/judge-load.ts";
import type { Loaded, Member, Reason } from "../record/observation-record.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { LoadResult } from "../generators/generator.ts";
import type { MeasuredLoad, ServerWindow } from "./measure-load.ts";

/** A member's record while it is filled in. */
export type OpenMember = { -readonly [K in keyof Member]: Member[K] };

/** What a load sent to the n-th of so many servers. */
export function sentTo(n: number, of: number, load: number, result: LoadResult, connections: number): SentLoad {
  return { load, sent: threadsOf(n, of, result).map(({ sent }) => sent), connections };
}

/** Threads of the generator that served the n-th of so many servers: its own, or all where it is alone. */
function threadsOf(n: number, of: number, result: LoadResult): LoadResult["threads"] {
  return of > 1 ? [result.threads[n]!] : result.threads;
}

/** Writes down what one server answered in its window and what that cost it. */
export function noteCost(member: OpenMember, { requests, cpuNs, parts, leadIn }: ServerWindow): void {
  member.requests = requests;
  member.cpu_ns = cpuNs;
  member.cpu_ns_per_request = cpuNs === null || cpuNs === 0 || requests === 0 ? null : cpuNs / requests;
  if (parts !== null) {
    const [head, tail] = parts;
    member.parts = [
      { requests: head.requests, cpu_ns: head.cpuNs },
      { requests: tail.requests, cpu_ns: tail.cpuNs },
    ];
  }
  if (leadIn !== null) member.lead_in = { requests: leadIn.requests, cpu_ns: leadIn.cpuNs };
}

/** What speaks against comparing a server with those it shared a core with. */
export function togetherFaults(
  { requests, cpu_ns }: Pick<Member, "requests" | "cpu_ns">,
  connections: number,
  windowMs: number,
): Reason[] {
  if (requests! < connections * THRESHOLDS.togetherMinRequestsPerConnection) {
    const message = `${counted(requests!, "request")} answered, too few to compare in ${windowMs / 1000} s`;
    return [{ code: "too-few-requests", message }];
  }
  return cpu_ns !== null
    ? []
    : [{ code: "cpu-unreadable", message: "its CPU time cannot be read, so nothing can be compared" }];
}

/** Servers together compare what a full core does. */
export function coreFault({ counters: { core_share } }: MeasuredLoad): Reason | undefined {
  if (core_share === null || core_share >= THRESHOLDS.togetherCoreShare) return undefined;
  const share = `${(100 * core_share).toFixed(0)} %`;
  return { code: "core-not-full", message: `the servers' core was busy only ${share} of the time` };
}

/** A measured load as results keep it. */
export function loadedOf(
  measured: MeasuredLoad,
  counted: CountedLoad & { readonly connections: number },
  requests: RequestPlan,
): Loaded {
  const { counters } = measured;
  return {
    bound: boundOfCounters(counters),
    load: loadFacts(measured, counted, requests),
    latency: latencyOf(counted),
    counters,
  };
}

function loadFacts(
  { result, generatorThreadCpus, turnMs, leadInMs, windows }: MeasuredLoad,
  counted: CountedLoad & { readonly connections: number },
  { rows, mix, pace }: RequestPlan,
): Loaded["load"] {
  const slots = Math.max(0, ...result.threads.map((thread) => thread.slots.length));
  return {
    duration_us: result.durationUs,
    requests: result.requests,
    requests_per_second: rateOf(result),
    rows_per_request: rows ?? null,
    reply_bytes: result.bytes,
    sent_per_slot: Array.from({ length: slots }, (_, n) => sum(result.threads.map((thread) => thread.slots[n] ?? 0))),
    slot_us: result.slotUs,
    sent_per_template: result.threads.length === 0
      ? []
      : mix.map((_, n) => sum(result.threads.map((thread) => thread.sent[n] ?? 0))),
    connections: counted.connections / windows.length,
    ...(turnMs === null ? {} : { turn_ms: turnMs }),
    ...(leadInMs === null ? {} : { lead_in_ms: leadInMs }),
    threads: Math.max(1, result.threads.length),
    errors: {
      ...result.errors,
      expected_status: Math.min(result.errors.status ?? 0, counted.errorsDue + counted.errorsAllowed),
    },
    thread_cpus: generatorThreadCpus && [...generatorThreadCpus],
    ...("closed" in pace ? {} : { offered_per_second: pace.perSecond, dropped: result.dropped ?? null }),
    ...(Object.keys(result.untold).length === 0 ? {} : { untold: { ...result.untold } }),
    ...(result.warnings.length === 0 ? {} : { warnings: [...result.warnings] }),
  };
}

/** Replies a second. */
export function rateOf(result: LoadResult): number {
  return result.requests / (result.durationUs / 1e6);
}

/** The sum of the values. */
export const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Says which threads may run elsewhere than wanted. */
export function affinityFault(
  who: string,
  lists: readonly string[] | null,
  wanted: readonly number[] | null,
): Reason | undefined {
  if (lists === null || wanted === null) return undefined;
  const list = formatCpuList(wanted);
  const astray = lists.filter((own) => own !== list);
  if (astray.length === 0) return undefined;
  return { code: "wrong-affinity", message: `${who} threads may run on CPUs ${astray.join(" and ")}, wanted ${list}` };
}
