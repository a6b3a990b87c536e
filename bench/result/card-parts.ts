/** Parts of a card that only some cells have: kinds of request, services, workers. */
import type { Solo } from "../judge/lines.ts";
import type { Parts } from "../record/card.ts";
import type { Observation } from "../record/observation-record.ts";
import type { ServiceUse, WorkersUse } from "../record/server-schema.ts";
import { median, medianOfKnown } from "../statistics/median.ts";
import { costOf } from "../statistics/slices.ts";
import { sum } from "../statistics/variation.ts";

/** The number of times from which a median is given, and the number for a 99th percentile. */
const LEAST_FOR_P50 = 10;
const LEAST_FOR_P99 = 100;

/** Returns a row for each kind of request, from sampled replies; none for a single kind with successful ones. */
export function routesOf(ok: readonly Solo[]): Pick<Parts, "routes"> {
  const rest = ok[0]?.member.at_rest ?? [];
  const rates = ok.map(({ load }) => load!.requests_per_second);
  const single = rest.length === 1 && rest[0]!.statuses.every((status) => status < 300);
  if (rest.length === 0 || single) return {};
  const sent = rest.map((_, n) => sum(ok.map(({ load }) => load!.sent_per_template[n] ?? 0)));
  const all = sum(sent);
  return {
    routes: rest.map(({ route }, n) => {
      const known = ok.flatMap(({ member }) => member.at_rest?.[n] ?? []);
      const sizes = known.flatMap(({ bytes }) => bytes ?? []);
      const times = ok.flatMap(({ beside }) => beside?.[0]?.took_us[n] ?? []).sort((a, b) => a - b);
      const at = (share: number, least: number) =>
        times.length < least ? null : times[Math.min(times.length - 1, Math.ceil(share * times.length) - 1)]!;
      const share = rest.length === 1 ? 1 : all === 0 ? null : sent[n]! / all;
      return {
        route,
        statuses: [...new Set(known.flatMap(({ statuses }) => statuses))].sort((a, b) => a - b),
        share,
        requests_per_second: share === null ? null : share * median(rates),
        reply_bytes: sizes.length === 0 ? null : [Math.min(...sizes), Math.max(...sizes)],
        sampled: times.length,
        p50_us: at(0.5, LEAST_FOR_P50),
        p99_us: at(0.99, LEAST_FOR_P99),
      };
    }),
  };
}

/** Returns the services of a cell with their use and counts for each request, from its ok observations. */
export function servicesOf(ok: readonly Solo[]): Pick<Parts, "services"> {
  const known = ok[0]?.member.server?.services ?? [];
  if (known.length === 0) return {};
  return {
    services: known.map(({ name, facts, cpus }, n) => {
      const versions = ok.map(({ member }) => member.server?.services?.[n]?.version ?? "unknown");
      const uses = ok.flatMap(({ services }) => services?.[0]?.[n] ?? []).filter(({ requests }) => requests > 0);
      const shared = ok.some(({ counters }) => counters?.load_core_share !== undefined);
      const names = new Set(uses.flatMap(({ counts }) => Object.keys(counts ?? {})));
      return {
        name,
        version: [...new Set(versions)].join(" and "),
        facts,
        own_cpus: cpus === null ? null : !shared,
        cpu_ns_per_request: medianOfKnown(uses.map(costOf)),
        share: medianOfKnown(ok.map(({ counters }) => counters?.service_share)),
        counts_per_request: Object.fromEntries(
          [...names].map((count) => [count, medianOfKnown(uses.map(each(count))) ?? 0]),
        ),
      };
    }),
  };
}

const each = (name: string) => ({ counts, requests }: ServiceUse) =>
  counts?.[name] === undefined ? null : counts[name] / requests;

/** Services that ran in some observations, by name: every version there was, and the settings in force. */
export function servicesIn(
  lines: readonly Pick<Observation, "members">[],
): Record<string, Record<string, string | number>> {
  const all = lines.flatMap(({ members }) => members.flatMap(({ server }) => server?.services ?? []));
  return Object.fromEntries(
    [...Map.groupBy(all, ({ name }) => name)].map(([name, ofService]) => [name, {
      ...ofService[0]!.facts,
      version: [...new Set(ofService.map(({ version }) => version))].join(" and "),
    }]),
  );
}

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
      beside_share: medianOfKnown(uses.map(({ beside_ns, cpu_ns }) => shareOf(beside_ns, cpu_ns))),
    },
  };
}

const shareOf = (value: number | null, of: number | null) => value === null || !of ? null : value / of;

/** Workers have new numbers in each observation, so the busiest of one is matched with the busiest of another. */
function sharesOf({ each, cpu_ns }: WorkersUse): Shares[] {
  const counts = each.map(({ requests }) => requests);
  const all = counts.includes(null) ? null : sum(counts.map((count) => count!));
  return each.map((one): Shares => ({
    request_share: shareOf(one.requests, all),
    cpu_share: shareOf(one.cpu_ns, cpu_ns),
    cpus: one.cpus,
    bytes: one.bytes,
  })).sort((a, b) => (b.request_share ?? b.cpu_share ?? 0) - (a.request_share ?? a.cpu_share ?? 0));
}
