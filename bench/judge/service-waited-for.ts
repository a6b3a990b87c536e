import { percent } from "../basics/percent.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/mark-schema.ts";
import { medianOfKnown } from "../statistics/median.ts";
import type { OkSolo } from "./judge-cell.ts";
import { THRESHOLDS } from "./thresholds.ts";

/**
 * What is said of a server under full load that waited for its services more than it and they computed: for their disks or
 * locks, or on the way to them. Null where they had work, or where requests were sent at a given rate.
 */
export function serviceWaitedMark(ok: readonly OkSolo[]): Mark | null {
  const shares = ok.map(({ counters, load }) => {
    const { server_share: own = null, service_share: beside = null } = counters ?? {};
    if (own === null || beside === null || load?.offered_per_second !== undefined) return null;
    // A load that waits for its own way to the server does not come to wait for more.
    const aReplyUs = load === null ? Infinity : 1e6 * load.connections / load.requests_per_second;
    return 2 * (counters?.link?.round_trip_us ?? 0) > aReplyUs ? null : own + beside;
  });
  const share = medianOfKnown(shares);
  if (share === null || share >= THRESHOLDS.waitedShare) return null;
  const names = [...new Set(ok.flatMap(({ services }) => services?.[0]?.map(({ name }) => `"${name}"`) ?? []))];
  return mark(
    "service-waited-for",
    `it and ${names.join(" and ")} computed in ${percent(share)} of the time: it waited for ${names.join(" and ")}`,
  );
}
