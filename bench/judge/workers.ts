import { percent } from "../basics/percent.ts";
import { counted } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/mark-schema.ts";
import type { Solo } from "./lines.ts";

/** By what share of the requests sent workers may have counted others, besides one for each connection. */
const COUNTED_APART = 0.01;

/**
 * What speaks against the figures of a server of several workers.
 *
 * @param shared cores it had, where its workers were more; null where each had one
 */
export function workerMarks(ok: readonly Solo[], workers: number, shared: number | null): Mark[] {
  const apart = ok.flatMap(({ workers: own, load }) => {
    const counts = own?.each.map(({ requests }) => requests) ?? [];
    if (own === undefined || own.requests === 0 || counts.length === 0 || counts.includes(null)) return [];
    const off = Math.abs(counts.reduce<number>((sum, one) => sum + one!, 0) - own.requests);
    return off > COUNTED_APART * own.requests + load!.connections ? [off / own.requests] : [];
  });
  return [
    ...(shared === null ? [] : [
      mark(
        "workers-crowded",
        `${counted(workers, "worker")} had ${
          shared === 0 ? "no cores of their own" : counted(shared, "core")
        }: the rate says nothing of more cores`,
      ),
    ]),
    ...(apart.length === 0
      ? []
      : [mark("workers-unsound", `its workers counted ${percent(Math.max(...apart))} other requests than were sent`)]),
  ];
}
