import type { Solo } from "../judge/lines.ts";
import type { Parts } from "../record/card.ts";
import type { Observation } from "../record/observation-record.ts";
import type { ServiceUse } from "../record/server-schema.ts";
import { medianOfKnown } from "../statistics/median.ts";

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
        cpu_ns_per_request: medianOfKnown(
          uses.map(({ cpu_ns, requests }) => cpu_ns === null ? null : cpu_ns / requests),
        ),
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
