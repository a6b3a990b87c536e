/**
 * Faults of servers that halts make. Servers of an ensemble are halted (SIGSTOP) while others have their turn: their timers
 * fire late on waking, so one that watches its event loop sheds load, and one with a short keep-alive ends connections.
 */
import { cellKey } from "../record/cell.ts";
import { type MarkCode, rowOf } from "../record/mark.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { sum } from "../statistics/variation.ts";

/** Faults in the order of the counts of {@link Member}. */
const COUNTS = ["broken", "late", "statuses"] as const;

type Faulty =
  & Pick<Observation, "kind" | "marks" | "members" | "load">
  & Partial<Pick<Observation, "beside" | "windows">>;

/** A fault that voided a load of servers together. */
interface SharedFault {
  readonly code: MarkCode;
  /** Its place in the counts of {@link Member}. */
  readonly place: number;
  /** The servers that caused it; all of them if the generator does not count by server. */
  readonly members: readonly Member[];
  /** True if `members` are known to have it. */
  readonly known: boolean;
  /** The commonest wrong status of sampled replies; null if none was seen. */
  readonly status: number | null;
}

/** Returns the faults of servers that voided an ensemble's load, with the servers they came from. */
export function sharedFaults({ kind, marks, members, load, beside = [] }: Faulty): SharedFault[] {
  if (kind !== "ensemble") return [];
  return marks.flatMap(({ code }): SharedFault[] => {
    const { counted: how } = rowOf({ code });
    if (how === undefined) return [];
    const [place, isStatus] = [COUNTS.indexOf(how), how === "statuses"];
    const wrong = members.map((_, n) => (beside[n]?.wrong ?? []).filter(({ status }) => status > 399));
    // Error statuses that requests expect are counted, too.
    const isMixed = isStatus && (load?.errors.expected_status ?? 0) > 0;
    const counted = members.filter(({ failed }) => !isMixed && (failed?.[place] ?? 0) > 0);
    const sampled = members.filter((_, n) => isStatus && wrong[n]!.length > 0);
    const known = counted.length > 0 ? counted : sampled;
    const times = [...Map.groupBy(wrong.flat(), ({ status }) => status)]
      .map(([status, same]) => ({ status, times: sum(same.map((one) => one.times)) }))
      .toSorted((a, b) => b.times - a.times);
    return [{
      ...{ code, place },
      members: known.length > 0 ? known : members,
      known: known.length > 0,
      status: isStatus ? times[0]?.status ?? null : null,
    }];
  });
}

/** The cause of a fault of servers that share a core. */
type FaultOrigin = "halts" | "server" | "unknown";

/** If so many faults are expected, chance gives none less than once in twenty: e^-3. */
const DUE = 3;
/** A smaller share of the faults that were due alone is left from halts before that window, while others warmed up. */
const OWN_SHARE = 1 / 4;

/**
 * Returns the origin of a fault of one server in ensembles of the same servers, by its windows alone, in which it is not halted.
 * `halts`: these have none or few, though a load together had many a request; `server`: they have as many.
 *
 * @param lines of the same servers
 */
function originAt(fault: SharedFault, member: Member, line: Faulty, lines: readonly Faulty[]): FaultOrigin {
  const key = cellKey(member.cell);
  const alone = lines.flatMap(({ members }) => members.filter(({ cell }) => cellKey(cell) === key))
    .flatMap((one) => one.alone !== null && one.alone.load !== null ? [one.alone.load] : []);
  const due = sum(alone.map(({ requests }) => requests)) * faultsARequest(fault, member, line);
  const seen = sum(alone.map(({ errors }) => countsOf(errors)[fault.place]!));
  if (seen > 0 && seen >= OWN_SHARE * due) return "server";
  return due >= DUE ? "halts" : "unknown";
}

/** Returns the origin of a fault of all servers that have it; `server` if it is that of any. */
export function faultOrigin(fault: SharedFault, line: Faulty, lines: readonly Faulty[]): FaultOrigin {
  const origins = fault.members.map((member) => originAt(fault, member, line, lines));
  return origins.find((one) => one === "server") ?? origins.find((one) => one === "halts") ?? "unknown";
}

function faultsARequest({ place, members }: SharedFault, member: Member, { load, members: all }: Faulty): number {
  if (load === null) return 0;
  const { errors, requests } = load;
  const known = errors.expected_status > 0 ? undefined : member.failed?.[place];
  return (known ?? countsOf(errors)[place]! / members.length) * all.length / Math.max(1, requests);
}

const countsOf = (
  { connect, read, write, timeout, status, expected_status }: NonNullable<Faulty["load"]>["errors"],
) => [
  (connect ?? 0) + (read ?? 0) + (write ?? 0),
  timeout ?? 0,
  (status ?? 0) - expected_status,
];

/** True if servers of an ensemble are only measured alone because they do not bear halts: such lines have no load together. */
export const isOnlyAlone = (
  { kind, alone, windows }: Pick<Observation, "kind" | "alone"> & Pick<Faulty, "windows">,
): boolean => kind === "ensemble" && alone && windows?.length === 0;

/** Returns the faults that halts make, with their servers; null where none was found, so that all are measured together. */
export function haltFaults(lines: readonly Observation[]): SharedFault[] | null {
  const found = lines.filter(({ load }) => load?.turn_ms !== undefined).flatMap((line) =>
    sharedFaults(line).flatMap((fault) => {
      const members = fault.members.filter((member) => originAt(fault, member, line, lines) === "halts");
      return members.length === 0 ? [] : [{ ...fault, members }];
    })
  );
  return found.length === 0 ? null : found;
}
