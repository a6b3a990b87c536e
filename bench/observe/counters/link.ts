import type { LinkUse } from "../../record/counters-schema.ts";
import type { CpuSample } from "../../record/samples.ts";

/** The interface servers listen on. */
export interface ServerLink {
  readonly name: string;
  readonly bitsPerSecond: number | null;
  readonly roundTripUs: number | null;
}

/**
 * Returns the use of a link between two readings of the servers' machine. Directions stay apart: each has the whole
 * speed.
 *
 * @param windowNs time between the readings; null if it is not known
 * @param retransmitShare TCP segments sent again for each request of the load
 */
export function linkUse(
  link: ServerLink,
  moments: readonly ({ readonly system: CpuSample } | null)[],
  windowNs: number | null,
  retransmitShare: number | null,
): LinkUse {
  const { name, bitsPerSecond, roundTripUs } = link;
  const [before, after] = moments.map((at) =>
    at !== null && "value" in at.system.links ? at.system.links.value[name] : undefined
  );
  const rate = (direction: "received" | "sent") =>
    before === undefined || after === undefined || windowNs === null
      ? null
      : Math.max(0, after[direction] - before[direction]) / (windowNs / 1e9);
  const [received, sent] = [rate("received"), rate("sent")];
  const busier = received === null || sent === null ? null : Math.max(received, sent);
  return {
    name,
    received_bytes_per_second: received,
    sent_bytes_per_second: sent,
    bits_per_second: bitsPerSecond,
    share: busier === null || bitsPerSecond === null ? null : 8 * busier / bitsPerSecond,
    round_trip_us: roundTripUs,
    retransmit_share: retransmitShare,
  };
}
