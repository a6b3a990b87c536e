import type { LinkUse } from "../record/counters-schema.ts";
import type { Observation } from "../record/observation-record.ts";

/** The shortest handshake, the largest share and the most retransmits over all windows of a run; null if not readable. */
export type LinkSeen = Pick<LinkUse, "round_trip_us" | "share" | "retransmit_share">;

type Seen = Pick<Observation, "counters" | "windows"> & {
  readonly members: readonly Pick<Observation["members"][number], "alone">[];
};

/** Returns the figures of a link over all windows; null if no window has any, as in runs without hosts. */
export function linkSeen(lines: readonly Seen[]): LinkSeen | null {
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
