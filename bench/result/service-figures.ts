import { percent } from "../basics/percent.ts";
import { formatUs } from "../basics/units.ts";
import type { Solo } from "../judge/lines.ts";
import type { Answer } from "../record/answer-schema.ts";
import { AA } from "../record/cell.ts";
import type { CellCard } from "../record/card.ts";
import type { ServiceUse } from "../record/service-schema.ts";
import { medianOfKnown } from "../statistics/median.ts";

/** What the services of a cell were, used and counted for each request, by its ok observations alone. */
export function servicesOf(ok: readonly Solo[]): Pick<CellCard, "services"> {
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

/** What of a request's CPU time is that of each service, over all cells that tell; see {@link Answer}. */
export function serviceShares(cards: readonly CellCard[]): Pick<Answer, "services"> {
  const told = cards.flatMap(({ cell, name: of, services = [], cpu_ns_per_request: server }) =>
    services.flatMap(({ name, cpu_ns_per_request: ns }) =>
      cell.label === AA || ns === null || server === null ? [] : [{ name, of, ns, share: ns / (ns + server) }]
    )
  );
  if (told.length === 0) return {};
  return {
    services: [...Map.groupBy(told, ({ name }) => name)].map(([name, some]) => {
      const shares = some.map(({ share }) => share), us = some.map(({ ns }) => ns / 1_000);
      const [share, time] = [rangeText(shares, (one) => percent(one, 0)), rangeText(us, formatUs)];
      return {
        name,
        least: Math.min(...shares),
        greatest: Math.max(...shares),
        cells: some.map(({ of }) => of),
        sentence: `${name} takes ${share} of a request's CPU time: ${time}.`,
      };
    }),
  };
}

/** `8 % to 33 %`, or one of them where they are alike. */
function rangeText(values: readonly number[], format: (value: number) => string): string {
  const [least, most] = [format(Math.min(...values)), format(Math.max(...values))];
  return least === most ? least : `${least} to ${most}`;
}

const each = (name: string) => ({ counts, requests }: ServiceUse) =>
  counts?.[name] === undefined ? null : counts[name] / requests;
