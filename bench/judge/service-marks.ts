import { counted, percent } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { median, medianOfKnown } from "../statistics/median.ts";
import { serviceUsed } from "./bound.ts";
import type { OkSolo } from "./lines.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Marks a server that in most of its observations left connections open at a service; null for any other. */
export function connectionsMark(ok: readonly Pick<OkSolo, "services" | "member">[]): Mark | null {
  const often = (all: readonly number[]) => 2 * all.length > ok.length;
  const grown = byName(ok.flatMap(({ services }) =>
    (services?.[0] ?? []).flatMap(({ name, connections }) => {
      const more = connections === undefined ? 0 : connections.after - connections.before;
      return more < THRESHOLDS.lateConnections ? [] : [{ name, n: more }];
    })
  ));
  const left = byName(
    ok.flatMap(({ member }) =>
      (member.server?.services ?? []).flatMap(({ name, left_open: n }) => n === undefined ? [] : [{ name, n }])
    ),
  );
  const texts = [
    ...grown.filter(([, all]) => often(all)).map(([name, all]) =>
      `a window left ${counted(median(all), "connection")} more open at "${name}"`
    ),
    ...left.filter(([, all]) => often(all)).map(([name, all]) =>
      `${counted(median(all), "connection")} stayed open at "${name}" after the server had ended`
    ),
  ];
  return texts.length === 0 ? null : mark("connections-left", texts.join("; "));
}

const byName = (found: readonly { readonly name: string; readonly n: number }[]) =>
  [...Map.groupBy(found, ({ name }) => name)].map(([name, ofService]) => [name, ofService.map(({ n }) => n)] as const);

/** Marks a server under full load that mostly waited for its services: for disks, locks or the network. */
export function serviceWaitedMark(ok: readonly OkSolo[]): Mark | null {
  const shares = ok.map(({ counters, load }) => {
    const { server_share: server = null, service_share: service = null } = counters ?? {};
    if (server === null || service === null || load?.offered_per_second !== undefined) return null;
    // A load that mostly waits for the network does not wait longer for a service.
    const aReplyUs = load === null ? Infinity : 1e6 * load.connections / load.requests_per_second;
    return 2 * (counters?.link?.round_trip_us ?? 0) > aReplyUs ? null : server + service;
  });
  const share = medianOfKnown(shares);
  if (share === null || share >= THRESHOLDS.waitedShare) return null;
  const names = [...new Set(ok.flatMap(({ services }) => services?.[0]?.map(({ name }) => `"${name}"`) ?? []))];
  return mark(
    "service-waited-for",
    `it and ${names.join(" and ")} computed in ${percent(share)} of the time: it waited for ${names.join(" and ")}`,
  );
}

/** Returns the mark of a cell whose services were near the limit of their CPUs. */
export function serviceMark(ok: readonly OkSolo[]): Mark | null {
  const share = medianOfKnown(ok.map(({ counters }) =>
    counters &&
    serviceUsed(counters.service_share, counters.load_core_share === undefined ? 0 : counters.generator_share)
  ));
  return share === null || share <= THRESHOLDS.nearCeiling
    ? null
    : mark("near-service-ceiling", `at ${percent(share)} of what the service beside it can do`);
}
