import { counted, formatUs, fromTo, percent } from "../basics/units.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { CellOutcome, Cost, Parts, Subject } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { listed } from "./questions.ts";
import { inWords, type Worded } from "../record/in-words.ts";

/** Counts that distinguish uses of a service, with their words. */
const TEXTS: readonly (readonly [count: string, text: (n: number) => string])[] = [
  ["round_trips", (n) => n === 0 ? "pipelined in under 1 round trip" : counted(n, "round trip")],
  ["parse", (n) => n === 0 ? "prepared" : `${counted(n, "statement")} parsed`],
];

/**
 * Returns a server's use of its services for each request, in words that are equal for equal uses: `2 round trips, 1
 * statement parsed`. Null if no service counts.
 */
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
  plan: Worded,
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

/**
 * Returns the answer where a service was the limit in every cell: no value of a question was, so none can be told apart.
 * Null if another part was the limit in any.
 *
 * @param titles of the questions
 */
export function serviceLimit(
  titles: readonly string[],
  cards: readonly (Subject & CellOutcome & Pick<Parts, "services">)[],
): Mark | null {
  const measured = cards.filter(({ cell, status, observations_ok: ok }) =>
    cell.label !== AA && status !== "unsupported" && ok > 0
  );
  const isLimited = ({ bound, marks }: CellOutcome) =>
    bound === "service" || marks.some(({ code }) => code === "near-service-ceiling");
  if (measured.length < 2 || titles.length === 0 || !measured.every(isLimited)) return null;
  const names = [...new Set(measured.flatMap(({ services = [] }) => services.map(({ name }) => name)))];
  const questions = titles.map((title) => `the ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
  return mark(
    "service-limit",
    `${listed(names)} ${names.length === 1 ? "is" : "are"} the limit, not ${listed(questions, "or")}: ` +
      `next to nothing was left of what ${names.length === 1 ? "it" : "they"} can do in all ${
        counted(measured.length, "cell")
      }`,
  );
}

/** Returns `8 % to 33 %`, or one of them if both are equal. */
function rangeText(values: readonly number[], format: (value: number) => string): string {
  return fromTo(format(Math.min(...values)), format(Math.max(...values)));
}
