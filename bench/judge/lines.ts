import { atRateOf, cellKey, RATE } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import type { CheckedLoad } from "./replies.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { isOfServer, statusOf, voidedByOthers } from "./status.ts";

/** The record of a load that was not made. */
export const NO_LOAD = { bound: "unknown", load: null, latency: null, counters: null } as const;

/** One load of a cell alone: in its observation, or in one of several servers before they were loaded together. */
export interface Solo extends Loaded {
  /** The observation it is from. */
  readonly line: Observation;
  readonly round: number;
  readonly status: Observation["status"];
  readonly member: Member;
}

/** A run's journal, split by kind and by measured cells. */
export interface Lines {
  /** Loads of each cell alone, by the cell's key. */
  readonly solo: ReadonlyMap<string, readonly Solo[]>;
  /** Observations of each cell together with others, by the same key. */
  readonly together: ReadonlyMap<string, readonly Pick<Solo, "line" | "member">[]>;
  /** Ceilings, by the key of the cell whose requests were sent. */
  readonly ceilings: ReadonlyMap<string, readonly Solo[]>;
}

/** Sorts a journal. */
export function groupLines(journal: readonly Observation[]): Lines {
  const keyOf = ({ member }: Pick<Solo, "member">) => cellKey(member.cell);
  return {
    solo: Map.groupBy(journal.flatMap(solosOf), keyOf),
    together: Map.groupBy(
      journal.filter(({ kind }) => kind === "ensemble")
        .flatMap((line) => line.members.map((member) => ({ line, member }))),
      keyOf,
    ),
    ceilings: Map.groupBy(journal.filter(({ kind }) => kind === "ceiling").map(soloOf), keyOf),
  };
}

/** Returns the loads of cells alone in an observation: of its only cell, or of each that was also measured alone. */
export function solosOf(line: Observation): Solo[] {
  if (line.kind === "solo") return [soloOf(line), ...atRates(line)];
  if (line.kind === "ceiling" || !line.alone) return [];
  const alone = line.members.map((member): Solo => {
    // A server that ended in its windows has a closed loop that counts as little as that of one alone.
    const solo = loadsAlone(member, line.round, line.windows === undefined ? isOfServer : () => true);
    if (solo !== null) return { ...solo, line };
    const marks = member.marks.length > 0 ? member.marks : line.marks;
    return { ...NO_LOAD, line, round: line.round, status: statusOf(marks), marks, member };
  });
  return [...alone, ...atRates(line)];
}

/** Observations of servers at rates, each as one of the cell at that rate. A server's faults void all of its own. */
function atRates(line: Observation): Solo[] {
  const { kind, round, marks, members, windows = [] } = line;
  return windows.filter(({ at }) => RATE in at).map(({ member: place = 0, ...window }) => {
    const member = members[place]!;
    const ofServer = (kind === "solo" ? marks : member.marks).filter(isOfServer);
    const all = [...window.marks, ...ofServer];
    const cell = atRateOf(member.cell, window.at[RATE]!);
    return { ...window, line, marks: all, round, status: statusOf(all), member: { ...member, cell } };
  });
}

/** Returns the closed loops of a cell, alone and before its windows by turns with other cells. */
export const closedLoopsOf = (lines: readonly Observation[], cell: Cell): Solo[] =>
  lines.flatMap(solosOf).filter(({ member }) => cellKey(member.cell) === cellKey(cell));

/** Returns the load of one of several servers alone; null without. `voids` is true for its marks that count here. */
export function loadsAlone(
  member: Member,
  round: number,
  voids: (mark: Mark) => boolean = isOfServer,
): Omit<Solo, "line"> | null {
  if (member.alone === null) return null;
  // A process with wrong replies in the ensemble did not answer well alone.
  const marks = [...member.alone.marks, ...member.marks.filter(voids)];
  return { ...member.alone, marks, round, status: statusOf(marks), member };
}

const soloOf = (line: Observation): Solo => ({ ...line, line, member: line.members[0]! });

/** Returns a cell's loads whose replies can be compared with the idle server's: ok ones, and those others voided. */
export function checkedLoads({ solo, together }: Lines, key: string): CheckedLoad[] {
  const isAnswered = (one: Pick<Observation, "status" | "marks">) => one.status === "ok" || voidedByOthers(one);
  const alone = (solo.get(key) ?? []).filter(isAnswered).map(({ load, member, beside }) => ({
    load,
    servers: [{ at_rest: member.at_rest, sampled: beside?.[0] ?? null }] as const,
  }));
  const shared = (together.get(key) ?? []).filter(({ line }) => isAnswered(line)).map(
    ({ line, member }): CheckedLoad => {
      const servers = line.members.map(({ at_rest }, n) => ({ at_rest, sampled: line.beside?.[n] ?? null }));
      const place = line.members.indexOf(member);
      return { load: line.load, servers: [servers[place]!, ...servers.toSpliced(place, 1)] };
    },
  );
  return [...alone, ...shared];
}

/** The rate of a cell alone in requests a second; null unless it is ok. */
export function rateOf({ status, load }: Pick<Solo, "status" | "load">): number | null {
  return status === "ok" ? load!.requests_per_second : null;
}

/** One ok observation of a cell alone. */
export type OkSolo = Pick<Solo, "load" | "latency" | "counters"> & Partial<Pick<Solo, "services">> & {
  readonly member:
    & Pick<Solo["member"], "warmup" | "sizes" | "written" | "at_rest">
    & Partial<Pick<Solo["member"], "cell" | "server">>;
};
