import { counted } from "../basics/units.ts";
import type { Loaded, Member, Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/mark-schema.ts";
import { type JudgedLoad, judgeLoad } from "./judge-load.ts";
import { statusOf } from "./status.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { mark } from "../record/mark.ts";

/** Codes that figures of a line give or do not give; the others say what happened, which no figure tells. */
const FROM_FIGURES: readonly Mark["code"][] = [
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
  "no-right-reply",
];

/**
 * What an observation is worth: the line with every mark that its figures give, beside those that say what happened.
 * Used when it is measured, and again when it is verified.
 *
 * @param loadCpus CPUs the generator was given; null where it had none of its own
 */
export function judgeLine(line: Observation, loadCpus: readonly number[] | null): Observation {
  const servers = Math.max(1, line.members.filter(({ requests }) => requests !== null).length);
  const whose = line.kind === "ceiling" ? "ceiling" : line.members.length === 1 ? "one" : "together";
  const atRest = line.members.length === 1 ? line.members[0]!.at_rest : undefined;
  const marks = judged(line, { whose, servers, loadCpus, atRest });
  return {
    ...line,
    status: statusOf(marks),
    marks,
    members: line.members.map((member): Member => ({
      ...member,
      marks: whose === "together" ? judgedMember(member, line.load) : member.marks,
      alone: member.alone && { ...member.alone, marks: judgedAlone(member.alone, member.at_rest, loadCpus) },
    })),
    ...(line.windows === undefined ? {} : {
      windows: line.windows.map((window) => ({
        ...window,
        marks: judged(window, { whose: "window", servers: 1, loadCpus: window.load_cpus, atRest }),
      })),
    }),
  };
}

/** The same of what one server did alone. */
export const judgedAlone = (own: Loaded, atRest: Member["at_rest"], loadCpus: readonly number[] | null): Mark[] =>
  judged(own, { whose: "one", servers: 1, loadCpus, atRest });

/** The marks of a load: what happened as it stands there, and what its figures give. */
export function judged(own: Loaded, of: JudgedLoad): Mark[] {
  return own.load === null ? own.marks : [...own.marks.filter(isTold), ...judgeLoad(own, of)];
}

const isTold = ({ code }: Mark) => !FROM_FIGURES.includes(code);

/** What speaks against comparing a server with those it shared a core with. */
function judgedMember({ requests, cpu_ns, marks }: Member, load: Loaded["load"]): Mark[] {
  if (load === null || requests === null) return marks;
  const told = marks.filter(isTold);
  const least = load.connections * THRESHOLDS.togetherMinRequestsPerConnection;
  if (requests < least) {
    const text = `${counted(requests, "request")} answered, too few to compare: ${least} are the least`;
    return [...told, mark("too-few-requests", text)];
  }
  return cpu_ns !== null
    ? told
    : [...told, mark("cpu-unreadable", "its CPU time cannot be read, so nothing can be compared")];
}
