import { formatCpuList } from "../basics/cpu-list.ts";
import { percent } from "../basics/percent.ts";
import { counted } from "../basics/units.ts";
import type { Loaded, Member } from "../record/observation-record.ts";
import type { Mark } from "../record/mark-schema.ts";
import { countOf } from "../statistics/latency-histogram.ts";
import { claimMarks, contentionMarks } from "./contention.ts";
import { rateMark } from "./open-loop.ts";
import { noneRightMark } from "./replies.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { mark } from "../record/mark.ts";

type Load = NonNullable<Loaded["load"]>;

/** Whose load is judged, and where its generator was to run. */
export interface JudgedLoad {
  /** The generator's ceiling is nobody's; several servers together need their core full; a further window keeps any rate. */
  readonly whose: "ceiling" | "one" | "window" | "together";
  /** How many servers were loaded. */
  readonly servers: number;
  /** CPUs the generator was given; null where it had none of its own. */
  readonly loadCpus: readonly number[] | null;
  /** What the one server answers at rest. */
  readonly atRest?: Member["at_rest"] | undefined;
}

/** Everything that says why a load's figures may not be used; empty when they may, and where there are none. */
export function judgeLoad(loaded: Loaded, { whose, servers, loadCpus, atRest }: JudgedLoad): Mark[] {
  const { load, counters } = loaded;
  if (load === null) return [];
  const marks = [
    ...errorMarks(load, servers),
    ...latencyMarks(loaded, servers),
    ...(counters === null ? [] : claimMarks({ ...load, ...counters })),
    ...(counters === null || whose === "ceiling" ? [] : contentionMarks(
      // Who has the generator's core is all the same where nothing is sent.
      load.calls ? { ...counters, generator_foreign_share: null } : counters,
    )),
    affinityMark("generator", load.thread_cpus, loadCpus),
    whose === "window" ? undefined : rateMark(loaded),
    whose === "together"
      ? coreMark(loaded)
      : noneRightMark(load, { at_rest: atRest, beside: loaded.beside?.[0] ?? null }),
  ];
  return marks.filter((own) => own !== undefined);
}

function errorMarks({ errors, connections }: Load, servers: number): Mark[] {
  const marks: Mark[] = [];
  const sockets = socketErrors(errors);
  if (sockets > 0) {
    const kinds = (["connect", "read", "write", "other"] as const).flatMap((kind) =>
      typeof errors[kind] === "number" ? [`${kind} ${errors[kind]}`] : []
    );
    marks.push(mark("socket-errors", `${sockets} socket errors (${kinds.join(", ")})`));
  }
  if (errors.timeout !== null && errors.timeout > 0) {
    marks.push(mark("timeouts", `${counted(errors.timeout, "reply", "replies")} came too late`));
  }
  // Those still in flight at the end were sent but not answered.
  const { status, expected_status: most, due_status: due = 0 } = errors;
  if (status !== null && (status > most || status < due - connections * servers)) {
    const asked = status > most ? `at most ${counted(most, "was", "were")}` : counted(due, "was", "were");
    const message = `${counted(status, "reply", "replies")} had an error status, ${asked} asked for`;
    marks.push(mark("unexpected-status", message));
  }
  return marks;
}

function latencyMarks({ load, latency }: Loaded, servers: number): Mark[] {
  const { requests, errors: { timeout }, connections } = load!;
  if (requests === 0) return [mark("no-requests", "no request was answered in the window")];
  if (latency === null) return [];
  const marks: Mark[] = [];
  const { histogram, percentiles, littles_law_gap: gap } = latency;
  if (percentiles === undefined) {
    const held = countOf(histogram), late = timeout ?? 0;
    if (held !== requests - late) {
      const ofThem = late === 0 ? "" : `, ${late} of them too late`;
      const message = `the latency histogram holds ${
        counted(held, "request")
      }, the generator counted ${requests}${ofThem}`;
      marks.push(mark("histogram-broken", message));
    }
  } else if (percentiles.some(([, us], n) => n > 0 && us < percentiles[n - 1]![1])) {
    marks.push(mark("histogram-broken", "the percentiles the generator tells fall"));
  }
  // Too many in flight cannot be: rate and latencies contradict each other. Too few can: those connections were waiting
  // for the generator to send again.
  const all = connections * servers;
  if (
    gap !== null && gap > THRESHOLDS.littlesLawGap && requests >= all * THRESHOLDS.littlesLawMinRequestsPerConnection
  ) {
    const message = `rate × mean latency is ${percent(gap)} above the ${counted(all, "connection")}`;
    marks.push(mark("littles-law-broken", message));
  }
  return marks;
}

/** Servers together compare what a full core does. */
function coreMark({ counters }: Loaded): Mark | undefined {
  const share = counters?.core_share ?? null;
  if (share === null || share >= THRESHOLDS.togetherCoreShare) return undefined;
  return mark("core-not-full", `the servers' core was busy only ${percent(share, 0)} of the time`);
}

/** Says which threads may run elsewhere than wanted. */
export function affinityMark(
  who: string,
  lists: readonly string[] | null,
  wanted: readonly number[] | null,
): Mark | undefined {
  if (lists === null || wanted === null) return undefined;
  const list = formatCpuList(wanted);
  const astray = lists.filter((own) => own !== list);
  if (astray.length === 0) return undefined;
  return mark("wrong-affinity", `${who} threads may run on CPUs ${astray.join(" and ")}, wanted ${list}`);
}

/** Errors of connections, of every kind the generator counts. */
export function socketErrors({ connect, read, write, other }: Omit<Load["errors"], "expected_status">): number {
  return (connect ?? 0) + (read ?? 0) + (write ?? 0) + (other ?? 0);
}
