/** What services take of a request. It takes no library, because the page runs it too. */
import { percent } from "../basics/percent.ts";
import { formatUs, fromTo } from "../basics/units.ts";
import type { Answer } from "../record/answer-schema.ts";
import { AA } from "../record/cell.ts";
import type { CellCard } from "../record/card.ts";
import { inWords, type Worded } from "../record/in-words.ts";

/** What of a request's CPU time is that of each service, over all cells that tell; see {@link Answer}. */
export function serviceShares(plan: Worded, cards: readonly CellCard[]): Pick<Answer, "services"> {
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
        sentence: `${name} takes ${share} of ${inWords(plan, "a request's CPU time")}: ${time}.`,
      };
    }),
  };
}

/** `8 % to 33 %`, or one of them where they are alike. */
function rangeText(values: readonly number[], format: (value: number) => string): string {
  return fromTo(format(Math.min(...values)), format(Math.max(...values)));
}
