import { cellKey } from "../cell.ts";
import type { Member, Observation } from "./observation-record.ts";

/** An observation of several cells, with its members by the key of their cells. */
export interface Together {
  readonly round: number;
  readonly ok: boolean;
  readonly members: ReadonlyMap<string, Member>;
}

/** A run's journal by kind and by what it measured. */
export interface Lines {
  /** Observations of single cells, by the cell's key. */
  readonly solo: ReadonlyMap<string, readonly Observation[]>;
  /** Duets and ensembles. */
  readonly together: readonly Together[];
  /** Ceilings, by the key of the cell whose requests were sent. */
  readonly ceilings: ReadonlyMap<string, readonly Observation[]>;
}

/** Sorts a journal. */
export function sortLines(journal: readonly Observation[]): Lines {
  const firstKey = ({ members }: Observation) => cellKey(members[0]!.cell);
  const several = journal.filter(({ kind }) => kind === "duet" || kind === "ensemble");
  return {
    solo: Map.groupBy(journal.filter(({ kind }) => kind === "solo"), firstKey),
    together: several.map(({ round, status, members }) => ({
      round,
      ok: status === "ok",
      members: new Map(members.map((member) => [cellKey(member.cell), member])),
    })),
    ceilings: Map.groupBy(journal.filter(({ kind }) => kind === "ceiling"), firstKey),
  };
}

/** An observation's rate in requests a second; null unless it is ok. */
export function rateOf({ status, load }: Observation): number | null {
  return status === "ok" ? load!.requests_per_second : null;
}
