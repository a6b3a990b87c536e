import type { Observed } from "../record/card.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Member } from "../record/observation-record.ts";
import { dueLatency } from "./open-loop.ts";

type ObservedLoad = Pick<Loaded, "load" | "latency" | "counters"> & { readonly member: Pick<Member, "server"> };

/** Returns the figures of one load of a cell alone, null where they are not known. */
export function observedFigures(observed: ObservedLoad): Observed {
  const { load, counters, member: { server } } = observed;
  const latency = dueLatency(observed);
  const seconds = load === null ? null : load.duration_us / 1e6;
  return {
    requests_per_second: load?.requests_per_second ?? null,
    rows_per_second: load?.rows_per_request ? load.requests_per_second * load.rows_per_request : null,
    transfer_bytes_per_second: over(load?.reply_bytes, seconds),
    cpu_ns_per_request: counters?.server_cpu_ns_per_request ?? null,
    p50_us: latency?.p50_us ?? null,
    p90_us: latency?.p90_us ?? null,
    p99_us: latency?.p99_us ?? null,
    max_us: latency?.max_us ?? null,
    peak_rss_bytes: server?.peak_rss_bytes ?? null,
    startup_ms: server?.startup_ms ?? null,
    open_ms: server?.open_ms ?? null,
    disk_bytes: server?.disk_bytes ?? null,
    reply_bytes_per_request: over(load?.reply_bytes, load?.requests),
    server_share: counters?.server_share ?? null,
    generator_share: counters?.generator_share ?? null,
    error_share: over(load?.errors.status, load?.requests),
  };
}

const over = (count: number | null | undefined, by: number | null | undefined): number | null =>
  count === null || count === undefined || !by ? null : count / by;
