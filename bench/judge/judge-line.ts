import { counted } from "../basics/units.ts";
import type { Loaded, Member, Observation, Reason } from "../record/observation-record.ts";
import { type JudgedLoad, judgeLoad } from "./judge-load.ts";
import { statusOf } from "./status.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Codes that figures of a line give or do not give; the others say what happened, which no figure tells. */
const FROM_FIGURES: readonly Reason["code"][] = [
  "socket-errors",
  "timeouts",
  "unexpected-status",
  "no-requests",
  "histogram-broken",
  "littles-law-broken",
  "claim-contradicted",
  "contended",
  "clock-changed",
  "wrong-affinity",
  "rate-not-kept",
  "core-not-full",
  "too-few-requests",
  "cpu-unreadable",
];

/**
 * What an observation is worth: the line with every reason that its figures give, beside those that say what happened.
 * Used when it is measured, and again when it is verified.
 *
 * @param loadCpus CPUs the generator was given; null where it had none of its own
 */
export function judgeLine(line: Observation, loadCpus: readonly number[] | null): Observation {
  const servers = Math.max(1, line.members.filter(({ requests }) => requests !== null).length);
  const whose = line.kind === "ceiling" ? "ceiling" : line.members.length === 1 ? "one" : "together";
  const reasons = judged(line, { whose, servers, loadCpus });
  return {
    ...line,
    status: statusOf(reasons),
    reasons,
    members: line.members.map((member): Member => ({
      ...member,
      reasons: whose === "together" ? judgedMember(member, line.load) : member.reasons,
      alone: member.alone && { ...member.alone, reasons: judgedAlone(member.alone, loadCpus) },
    })),
    ...(line.windows === undefined ? {} : {
      windows: line.windows.map((window) => ({
        ...window,
        reasons: judged(window, { whose: "window", servers: 1, loadCpus: window.load_cpus }),
      })),
    }),
  };
}

/** The same of what one server did alone. */
export const judgedAlone = (own: Judged, loadCpus: readonly number[] | null): Reason[] =>
  judged(own, { whose: "one", servers: 1, loadCpus });

type Judged = Loaded & { readonly reasons: readonly Reason[] };

/** The reasons of a load: what happened as it stands there, and what its figures give. */
export function judged(own: Judged, of: JudgedLoad): Reason[] {
  return own.load === null ? [...own.reasons] : [...own.reasons.filter(isTold), ...judgeLoad(own, of)];
}

const isTold = ({ code }: Reason) => !FROM_FIGURES.includes(code);

/** What speaks against comparing a server with those it shared a core with. */
function judgedMember({ requests, cpu_ns, reasons }: Member, load: Loaded["load"]): Reason[] {
  if (load === null || requests === null) return reasons;
  const told = reasons.filter(isTold);
  const least = load.connections * THRESHOLDS.togetherMinRequestsPerConnection;
  if (requests < least) {
    const message = `${counted(requests, "request")} answered, too few to compare: ${least} are the least`;
    return [...told, { code: "too-few-requests", message }];
  }
  return cpu_ns !== null
    ? told
    : [...told, { code: "cpu-unreadable", message: "its CPU time cannot be read, so nothing can be compared" }];
}
