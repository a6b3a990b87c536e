/** The link between a run's hosts, from its windows. It takes no library, because the page runs it too. */
import type { Observation } from "../record/observation-record.ts";

/** Over all windows of a run; null what none of them could read. */
export interface LinkSeen {
  /** The shortest handshake in microseconds. */
  readonly round_trip_us: number | null;
  /** The most that the busier direction carried of the link's speed. */
  readonly share: number | null;
  /** The most TCP segments sent again for each request. */
  readonly retransmit_share: number | null;
}

/** The parts of a line that have figures of the link. */
type Told = Pick<Observation, "counters" | "windows"> & {
  readonly members: readonly Pick<Observation["members"][number], "alone">[];
};

/** Returns the figures of a link over all windows; null if no window has any, as in runs without hosts. */
export function linkSeen(lines: readonly Told[]): LinkSeen | null {
  const links = lines.flatMap(({ counters, members, windows = [] }) => [
    counters?.link ?? [],
    ...members.map(({ alone }) => alone?.counters?.link ?? []),
    ...windows.map((window) => window.counters?.link ?? []),
  ]).flat();
  if (links.length === 0) return null;
  const over = (pick: (link: typeof links[number]) => number | null, end: (...values: number[]) => number) => {
    const values = links.map(pick).filter((value) => value !== null);
    return values.length === 0 ? null : end(...values);
  };
  return {
    round_trip_us: over((link) => link.round_trip_us, Math.min),
    share: over((link) => link.share, Math.max),
    retransmit_share: over((link) => link.retransmit_share, Math.max),
  };
}
