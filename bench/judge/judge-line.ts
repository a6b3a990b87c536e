import { counted } from "../basics/units.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { brokenRows, LINE_ROWS, MEMBER_ROWS, TOGETHER_ROWS } from "./impossible.ts";
import { emptyCallMark, type GivenCpus, type JudgedLoad, judgeLoad, loadFigures, windowKind } from "./judge-load.ts";
import { statusOf } from "./status.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { mark, rowOf } from "../record/mark.ts";

/** Returns a line with every mark that follows from its figures, next to marks of events. */
export function judgeLine(line: Observation, given: GivenCpus): Observation {
  const loaded = line.members.filter(({ requests }) => requests !== null);
  const whose = line.kind === "ceiling" ? "ceiling" : line.members.length === 1 ? "one" : "together";
  const of: JudgedLoad = { whose, members: whose === "together" ? loaded : line.members, given };
  const found = judged(line, of);
  const marks = found.length > 0 ? found : [
    ...brokenRows(LINE_ROWS, line),
    ...(whose === "together"
      ? togetherMarks(line, loaded, of)
      : line.members.flatMap((each) => brokenRows(MEMBER_ROWS, each))),
  ];
  return {
    ...line,
    status: statusOf(marks),
    marks,
    members: line.members.map((member): Member => ({
      ...member,
      marks: whose === "together" ? judgedMember(member, line.load) : member.marks,
      alone: member.alone && { ...member.alone, marks: judgedAlone(member.alone, member, given) },
    })),
    ...(line.windows === undefined ? {} : {
      windows: line.windows.map((window) => ({
        ...window,
        marks: judged(window, {
          whose: windowKind(window),
          members: line.members.slice(window.member ?? 0).slice(0, 1),
          given,
        }),
      })),
    }),
  };
}

function togetherMarks(line: Observation, members: readonly Member[], of: JudgedLoad): Mark[] {
  const { counters, warmup } = line;
  const load = loadFigures(line, of);
  if (load === null || counters === null || members.some(({ cpu_ns }) => cpu_ns === null)) return [];
  return brokenRows(TOGETHER_ROWS, { ...load, counters, members, warmup });
}

/** Judges one server's load alone. */
export const judgedAlone = (alone: Loaded, member: JudgedLoad["members"][number], given: GivenCpus): Mark[] =>
  judged(alone, { whose: "one", members: [member], given });

function judged(loaded: Loaded, of: JudgedLoad): Mark[] {
  const events = loaded.marks.filter(isEvent);
  return loaded.load === null ? loaded.marks : [...events, ...judgeLoad({ ...loaded, marks: events }, of)];
}

const isEvent = (given: Mark) => rowOf(given).computed === undefined;

function judgedMember(member: Member, load: Loaded["load"]): Mark[] {
  const { requests, cpu_ns, marks } = member;
  if (load === null || requests === null) return marks;
  const events = marks.filter(isEvent);
  const least = load.connections * THRESHOLDS.togetherMinRequestsPerConnection;
  if (requests < least) {
    const text = `${counted(requests, "request")} answered, too few to compare: ${least} are the least`;
    return [...events, mark("too-few-requests", text)];
  }
  const folded = emptyCallMark(load, member.cpu_ns_per_request);
  if (folded !== undefined) return [...events, folded];
  return cpu_ns !== null
    ? [...events, ...brokenRows(MEMBER_ROWS, member)]
    : [...events, mark("cpu-unreadable", "its CPU time cannot be read, so nothing can be compared")];
}
