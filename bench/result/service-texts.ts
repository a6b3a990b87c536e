import { counted, formatUs, fromTo, percent } from "../basics/units.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { Cost, Parts, Subject } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";

/** Counts that distinguish uses of a service, with their words. */
const TEXTS: readonly (readonly [count: string, text: (n: number) => string])[] = [
  ["round_trips", (n) => n === 0 ? "pipelined in under 1 round trip" : counted(n, "round trip")],
  ["parse", (n) => n === 0 ? "prepared" : `${counted(n, "statement")} parsed`],
];

/** Returns a server's use of its services for each request, in words equal for equal uses; null if none counts. */
export function useText({ services = [] }: Pick<Parts, "services">): string | null {
  const parts = services.flatMap(({ counts_per_request: counts }) =>
    TEXTS.flatMap(([name, text]) => {
      // A service without parse messages reports none; one that counts executed statements had none to parse.
      const value = counts[name] ?? (name === "parse" && "execute" in counts ? 0 : undefined);
      return value === undefined ? [] : [text(Math.round(value))];
    })
  );
  return parts.length === 0 ? null : parts.join(", ");
}

/** Returns each service's share of a request's CPU time, over all cells that have it; see {@link Answer}. */
export function serviceShares(
  plan: WordedPlan,
  cards: readonly (Subject & Cost & Pick<Parts, "services">)[],
): Pick<Answer, "services"> {
  const takes = cards.flatMap(({ cell, name: of, services = [], cpu_ns_per_request: server }) =>
    services.flatMap(({ name, cpu_ns_per_request: ns }) =>
      cell.label === AA || ns === null || server === null ? [] : [{ name, of, ns, share: ns / (ns + server) }]
    )
  );
  if (takes.length === 0) return {};
  return {
    services: [...Map.groupBy(takes, ({ name }) => name)].map(([name, some]) => {
      const shares = some.map(({ share }) => share), us = some.map(({ ns }) => ns / 1_000);
      const [share, time] = [rangeText(shares, (one) => percent(one, 0)), rangeText(us, formatUs)];
      return {
        name,
        least: Math.min(...shares),
        greatest: Math.max(...shares),
        cells: some.map(({ of }) => of),
        sentence: `${name} takes ${share} of ${inWords(plan, "a request's CPU time")}: ${time}.`,
      };
    }),
  };
}

function rangeText(values: readonly number[], format: (value: number) => string): string {
  return fromTo(format(Math.min(...values)), format(Math.max(...values)));
}
