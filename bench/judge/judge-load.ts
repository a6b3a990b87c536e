import { formatCpuList } from "../basics/cpu-list.ts";
import { percent } from "../basics/percent.ts";
import { counted } from "../basics/units.ts";
import type { Loaded, Reason } from "../record/observation-record.ts";
import { countOf } from "../statistics/latency-histogram.ts";
import { claimFaults, contentionFaults } from "./contention.ts";
import { rateFault } from "./open-loop.ts";
import { THRESHOLDS } from "./thresholds.ts";

type Load = NonNullable<Loaded["load"]>;

/** Whose load is judged, and where its generator was to run. */
export interface JudgedLoad {
  /** The generator's ceiling is nobody's; several servers together need their core full; a further window keeps any rate. */
  readonly whose: "ceiling" | "one" | "window" | "together";
  /** How many servers were loaded. */
  readonly servers: number;
  /** CPUs the generator was given; null where it had none of its own. */
  readonly loadCpus: readonly number[] | null;
}

/** Every reason why a load's figures may not be used; empty when they may, and where there are none. */
export function judgeLoad(loaded: Loaded, { whose, servers, loadCpus }: JudgedLoad): Reason[] {
  const { load, counters } = loaded;
  if (load === null) return [];
  const reasons = [
    ...errorFaults(load, servers),
    ...latencyFaults(loaded, servers),
    ...(counters === null ? [] : claimFaults({ ...load, ...counters })),
    ...(counters === null || whose === "ceiling" ? [] : contentionFaults(counters)),
    affinityFault("generator", load.thread_cpus, loadCpus),
    whose === "window" ? undefined : rateFault(loaded),
    whose === "together" ? coreFault(loaded) : undefined,
  ];
  return reasons.filter((reason) => reason !== undefined);
}

function errorFaults({ errors, connections }: Load, servers: number): Reason[] {
  const reasons: Reason[] = [];
  const sockets = socketErrors(errors);
  if (sockets > 0) {
    const kinds = (["connect", "read", "write", "other"] as const).flatMap((kind) =>
      typeof errors[kind] === "number" ? [`${kind} ${errors[kind]}`] : []
    );
    reasons.push({ code: "socket-errors", message: `${sockets} socket errors (${kinds.join(", ")})` });
  }
  if (errors.timeout !== null && errors.timeout > 0) {
    reasons.push({ code: "timeouts", message: `${counted(errors.timeout, "reply", "replies")} came too late` });
  }
  // Those still in flight at the end were sent but not answered.
  const { status, expected_status: most, due_status: due = 0 } = errors;
  if (status !== null && (status > most || status < due - connections * servers)) {
    const asked = status > most ? `at most ${counted(most, "was", "were")}` : counted(due, "was", "were");
    const message = `${counted(status, "reply", "replies")} had an error status, ${asked} asked for`;
    reasons.push({ code: "unexpected-status", message });
  }
  return reasons;
}

function latencyFaults({ load, latency }: Loaded, servers: number): Reason[] {
  const { requests, errors: { timeout }, connections } = load!;
  if (requests === 0) return [{ code: "no-requests", message: "no request was answered in the window" }];
  if (latency === null) return [];
  const reasons: Reason[] = [];
  const { histogram, percentiles, littles_law_gap: gap } = latency;
  if (percentiles === undefined) {
    const held = countOf(histogram), late = timeout ?? 0;
    if (held !== requests - late) {
      const ofThem = late === 0 ? "" : `, ${late} of them too late`;
      const message = `the latency histogram holds ${
        counted(held, "request")
      }, the generator counted ${requests}${ofThem}`;
      reasons.push({ code: "histogram-broken", message });
    }
  } else if (percentiles.some(([, us], n) => n > 0 && us < percentiles[n - 1]![1])) {
    reasons.push({ code: "histogram-broken", message: "the percentiles the generator tells fall" });
  }
  // Too many in flight cannot be: rate and latencies contradict each other. Too few can: those connections were waiting
  // for the generator to send again.
  const all = connections * servers;
  if (
    gap !== null && gap > THRESHOLDS.littlesLawGap && requests >= all * THRESHOLDS.littlesLawMinRequestsPerConnection
  ) {
    const message = `rate × mean latency is ${percent(gap)} above the ${counted(all, "connection")}`;
    reasons.push({ code: "littles-law-broken", message });
  }
  return reasons;
}

/** Servers together compare what a full core does. */
function coreFault({ counters }: Loaded): Reason | undefined {
  const share = counters?.core_share ?? null;
  if (share === null || share >= THRESHOLDS.togetherCoreShare) return undefined;
  return { code: "core-not-full", message: `the servers' core was busy only ${percent(share, 0)} of the time` };
}

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

/** Errors of connections, of every kind the generator counts. */
export function socketErrors({ connect, read, write, other }: Omit<Load["errors"], "expected_status">): number {
  return (connect ?? 0) + (read ?? 0) + (write ?? 0) + (other ?? 0);
}
