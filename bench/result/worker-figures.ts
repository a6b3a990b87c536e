import type { Solo } from "../judge/lines.ts";
import type { Parts } from "../record/card.ts";
import type { WorkersUse } from "../record/server-schema.ts";
import { medianOfKnown } from "../statistics/median.ts";

type Shares = NonNullable<Parts["workers"]>["each"][number];

/** Returns each worker's share of its server's work, the busiest first, from ok observations. */
export function workersOfCell(ok: readonly Pick<Solo, "workers">[]): Pick<Parts, "workers"> {
  const uses = ok.flatMap(({ workers }) => workers ?? []);
  if (uses.length === 0) return {};
  const observed = uses.map(sharesOf);
  const most = Math.max(...observed.map(({ length }) => length));
  return {
    workers: {
      by: uses[0]!.by,
      each: Array.from({ length: most }, (_, n): Shares => {
        const ofWorker = observed.flatMap((workers) => workers[n] ?? []);
        return {
          request_share: medianOfKnown(ofWorker.map((one) => one.request_share)),
          cpu_share: medianOfKnown(ofWorker.map((one) => one.cpu_share)),
          cpus: [...new Set(ofWorker.flatMap(({ cpus }) => cpus))].sort((a, b) => a - b),
          bytes: medianOfKnown(ofWorker.map(({ bytes }) => bytes)),
        };
      }),
      beside_share: medianOfKnown(uses.map(({ beside_ns = null, cpu_ns }) => shareOf(beside_ns, cpu_ns))),
    },
  };
}

const shareOf = (value: number | null, of: number | null) => value === null || !of ? null : value / of;

/** Workers have new numbers in each observation, so the busiest of one is matched with the busiest of another. */
function sharesOf({ each, cpu_ns }: WorkersUse): Shares[] {
  const counts = each.map(({ requests }) => requests);
  const all = counts.includes(null) ? null : counts.reduce<number>((sum, one) => sum + one!, 0);
  return each.map((one): Shares => ({
    request_share: shareOf(one.requests, all),
    cpu_share: shareOf(one.cpu_ns, cpu_ns),
    cpus: one.cpus,
    bytes: one.bytes,
  })).sort((a, b) => (b.request_share ?? b.cpu_share ?? 0) - (a.request_share ?? a.cpu_share ?? 0));
}
