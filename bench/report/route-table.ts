import { formatBytes, formatRate, formatUs, fromTo, orDash, percent } from "../basics/units.ts";
import type { Parts, Subject } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import type { TitledTable } from "./table.ts";

/** A table for each cell that answers several kinds of request: the share, rate and size of each. */
export function routeTables(cards: readonly (Subject & Pick<Parts, "routes">)[]): TitledTable[] {
  return cards.filter(({ cell }) => cell.label !== AA).flatMap(({ name, routes }) => {
    if (routes === undefined) return [];
    const sampled = routes.some((one) => one.sampled > 0);
    return [{
      title: name,
      remark: "by route",
      isText: (column) => column < 2,
      heads: ["route", "status", "share", "req/s", "bytes a reply", ...sampled ? ["p50", "p99", "samples"] : []],
      rows: routes.map((one) => [
        one.route,
        one.statuses.join(", ") || "–",
        orDash(one.share, percent),
        orDash(one.requests_per_second, formatRate),
        one.reply_bytes === null ? "–" : fromTo(formatBytes(one.reply_bytes[0]), formatBytes(one.reply_bytes[1])),
        ...sampled ? [orDash(one.p50_us, formatUs), orDash(one.p99_us, formatUs), String(one.sampled)] : [],
      ]),
    }];
  });
}
