import { counted } from "../basics/units.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { CellOutcome, Parts, Subject } from "../record/card.ts";
import { AA, SERVICE_AXIS } from "../record/cell.ts";
import { mark, rowOf } from "../record/mark.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { listed } from "./questions.ts";

type Card = Subject & CellOutcome & Pick<Parts, "services">;

/** Returns the limit of a run whose cells mostly waited for services, so that rates do not separate values; else null. */
export function serviceLimit(
  plan: Pick<Plan, "axes"> & Partial<Pick<Plan, "generator">>,
  titles: readonly string[],
  cards: readonly Card[],
  rounds: number,
) {
  const measured = cards.filter(({ cell, status, observations_ok: ok, services = [] }) =>
    cell.label !== AA && status !== "unsupported" && ok > 0 && services.length > 0
  );
  const limited = measured.filter(isLimited);
  const waited = measured.filter((card) =>
    !isLimited(card) && (card.bound === "neither" || card.marks.some((one) => rowOf(one).helps === "service"))
  );
  if (measured.length < 2 || titles.length === 0 || 2 * (limited.length + waited.length) <= measured.length) {
    return null;
  }
  // If the service limits every cell, that is the answer.
  const ofAll = limited.length === measured.length;
  const text = ofAll ? textOfAll(titles, measured) : textOfSome(plan, { measured, limited, waited });
  return { mark: mark("service-limit", text), ofAll, settle: settleOf(plan, measured, rounds) };
}

/** True if a service, or the load generator on the same core, was a cell's limit. */
const isLimited = ({ bound, marks, services = [] }: Card) =>
  bound === "service" || marks.some((one) => rowOf(one).of === "limit" && rowOf(one).helps === "service") ||
  bound === "generator" && services.some(({ own_cpus }) => own_cpus === false);

const namesOf = (cards: readonly Card[]) => [
  ...new Set(cards.flatMap(({ services = [] }) => services.map(({ name }) => name))),
];

const isShared = (cards: readonly Card[]) =>
  cards.some(({ services = [] }) => services.some(({ own_cpus }) => own_cpus === false));

function textOfAll(titles: readonly string[], measured: readonly Card[]): string {
  const names = namesOf(measured);
  const questions = titles.map((title) => `the ${title.charAt(0).toLowerCase()}${title.slice(1)}`);
  return `${listed(names)} ${names.length === 1 ? "is" : "are"} the limit, not ${listed(questions, "or")}: ` +
    `next to nothing was left of what ${names.length === 1 ? "it" : "they"} can do in all ${
      counted(measured.length, "cell")
    }`;
}

function textOfSome(
  { generator = "the load generator" }: Partial<Pick<Plan, "generator">>,
  { measured, limited, waited }: Readonly<Record<"measured" | "limited" | "waited", readonly Card[]>>,
): string {
  const names = namesOf(measured);
  const shared = isShared(measured);
  const one = shared ? "that core" : listed(names);
  const of = counted(measured.length, "cell");
  const sharing = `${listed([...names, generator])} share a core`;
  const limit = `the limit of ${limited.length} of ${of}`;
  const parts = [
    !shared
      ? limited.length > 0 && `${one} ${names.length === 1 ? "was" : "were"} ${limit}`
      : limited.length > 0
      ? `${sharing}, which was ${limit}`
      : sharing,
    waited.length > 0 &&
    `in ${waited.length} of ${of} the server and ${one} waited for each other: neither was busy all the time`,
  ];
  return parts.filter((text) => text !== false).join("; ");
}

/** Returns the next run, in which servers are the limit: at the null service that the suite has, where there is one. */
function settleOf(plan: Pick<Plan, "axes">, measured: readonly Card[], rounds: number): Answer["settle"] {
  const shared = isShared(measured);
  const service = listed(namesOf(measured));
  const elsewhere = shared ? `a core of its own for ${service}, or another host (--service-host)` : "";
  if (nullServiceAxis(plan) !== undefined) {
    const sentence = "compare them at a null service (--service null), which answers at next to no cost" +
      `${shared ? `, or with ${elsewhere}` : ""}`;
    return { rounds: Math.max(thresholds.leastRounds.value, rounds), minutes: null, helps: "service", sentence };
  }
  return shared ? { rounds: null, minutes: null, helps: "service", sentence: `compare them with ${elsewhere}` } : null;
}

/** The axis of a plan that has only real services, though its default is a null one; undefined if there is none. */
const nullServiceAxis = ({ axes }: Pick<Plan, "axes">): Plan["axes"][number] | undefined =>
  axes.find(({ name, default: usual, values }) =>
    name === SERVICE_AXIS && usual !== undefined && values.every(({ value }) => value !== usual)
  );
