import { counted, formatRate, fromTo, type Limit, parseLimit, percent } from "../../basics/units.ts";
import { RATE } from "../../record/cell.ts";
import { lateMark } from "../../judge/open-loop.ts";
import type { CellOutcome, OpenLoop, Subject } from "../../record/card.ts";
import { listed } from "../questions.ts";
import type { LatencyCell } from "../../record/latency-schema.ts";
import type { Plan } from "../../record/plan.ts";
import { type RateAxis, windowLengths } from "../../plan/rate-windows.ts";
import type { Mark } from "../../record/outcome-schema.ts";

type RatedCell = Subject & CellOutcome & OpenLoop;

interface WaitFigures extends Pick<LatencyCell, "knee" | "capacity_per_second"> {
  readonly cards: readonly RatedCell[];
  /** Says that its rates contradict each other, so that nothing is known. */
  readonly contradiction?: Mark | undefined;
  /** A limit such as `p99<10ms`; null without a search. */
  readonly limit: string | null;
}

/** `at 26k/s 99 % wait at most 17 ms (of all in 6 windows, 15 to 19 ms); beyond 31k/s the limit of 10 ms is not held`. */
export function waitSentence(figures: WaitFigures): string {
  const { cards, knee, capacity_per_second: capacity, contradiction, limit } = figures;
  if (contradiction !== undefined) return contradictedText(figures, contradiction.text);
  const card = mostTelling(cards, knee?.per_second ?? null);
  const late = cards.flatMap(({ open_loop: loop }) =>
    loop !== undefined && lateMark(loop.by_clock, "p99") !== null ? dueText(loop.offered_per_second) : []
  );
  const clauses = [
    ...(card === undefined ? [] : [waitText(card)]),
    ...(knee === null || limit === null ? [] : [limitText(knee, parseLimit(limit)!)]),
    ...(late.length === 0 ? [] : [`no wait is known at ${listed(late)}: ${LATE}`]),
  ];
  if (clauses.length === 0 && capacity === null) return "no answer: nothing was measured soundly";
  if (knee === null && limit !== null) {
    return [...clauses, "no limit was looked for: its closed-loop rate could not be measured"].join("; ");
  }
  return clauses.length === 0 ? `no answer: ${whyNoWait(cards)}` : clauses.join("; ");
}

/** Facts about a server whose closed loop is unknown: waits at rates that are no shares of it, and that no rate holds. */
function contradictedText({ cards, knee, limit }: WaitFigures, text: string): string {
  const none = knee !== null && limit !== null && knee.per_second === null && knee.open === null;
  const given = cards.filter(({ cell }) => typeof cell.point.at[RATE] === "number");
  const card = mostTelling(given, null) ?? (none ? mostTelling(cards, null) : undefined);
  const waits = card === undefined ? [] : [waitText(card)];
  return none
    ? [...waits, limitText(knee, parseLimit(limit)!), `shares of its closed loop say nothing: ${text}`].join("; ")
    : [`contradicts itself, so no rate is known that holds: ${text}`, ...waits].join("; ");
}

const LATE = "the load generator itself sent late by more than a tenth of it; repeat it on a quieter machine";

const whyNoWait = (cards: readonly CellOutcome[]): string =>
  cards.some(({ observations_ok: ok }) => ok > 0)
    ? "this generator counts from when it sent a request, which is not what a user waits"
    : cards.flatMap(({ marks }) => marks)[0]?.text ?? "no rate was kept";

/** The card at the highest rate that was kept and still holds the limit; else at the lowest that was kept. */
function mostTelling(cards: readonly RatedCell[], knee: number | null): RatedCell | undefined {
  const rateOf = ({ open_loop }: OpenLoop) => open_loop!.offered_per_second;
  const kept = cards.filter(({ open_loop }) => (open_loop?.by_clock.due.p99 ?? null) !== null)
    .toSorted((a, b) => rateOf(a) - rateOf(b));
  return kept.findLast((card) => knee !== null && rateOf(card) <= knee) ?? kept[0];
}

/** The wait at a rate with its evidence: `one window`, or the number of windows and the interval. */
function waitText(card: RatedCell): string {
  const { open_loop, observations_ok: windows } = card;
  const { offered_per_second: perSecond, by_clock: { due } } = open_loop!;
  const { us, low_us, high_us } = due.p99!;
  const [low, high] = [msText(low_us), msText(high_us)];
  const where = low === high ? low : `${low.replace(/ ms$/, "")} to ${high}`;
  const basis = windows === 1 ? "one window" : `of all in ${counted(windows, "window")}, ${where}`;
  const within = [basis, slowText(card)].filter((text) => text !== "").join("; ");
  return `at ${dueText(perSecond)} 99 % wait at most ${timeText(us, Math.ceil)} (${within})`;
}

/** `3 of 6 windows were slow, the longest wait 0.3 s`; empty if none was. The wait may be withheld. */
export function slowText({ open_loop: loop, observations_ok: windows }: RatedCell): string {
  const slow = loop?.slow_windows ?? 0, longest = loop?.by_clock.due.max ?? null;
  const wait = longest === null ? "" : `, the longest wait ${msText(longest.us)}`;
  return slow === 0 ? "" : `${slow} of ${counted(windows, "window")} ${slow === 1 ? "was" : "were"} slow${wait}`;
}

function limitText({ per_second, capped, open }: NonNullable<LatencyCell["knee"]>, { share, us }: Limit): string {
  const limit = `the limit of ${msText(us)}${share === 0.99 ? "" : ` for ${Number((100 * share).toPrecision(10))} %`}`;
  if (per_second === null) {
    return open === null ? `no rate that was tried holds ${limit}` : `which rate holds ${limit} is open: ${open.text}`;
  }
  const rate = dueText(per_second);
  return capped ? `${rate}, the most that was tried, holds ${limit}` : `beyond ${rate} ${limit} is not held`;
}

/** Returns how true the schedule of a server's windows was, as far as the generator reports it; null without windows. */
export function scheduleText(cards: readonly RatedCell[], generator: string): string | null {
  const loops = cards.filter(({ observations_ok: ok }) => ok > 0).flatMap(({ open_loop }) => open_loop ?? []);
  if (loops.length === 0) return null;
  if (loops.every(({ by_clock: { due, late } }) => due.p50 === null && late.p50 === null)) {
    return `${generator} counts from when it sent a request, which is not what a user waits`;
  }
  const shares = loops.flatMap(({ on_time_share }) => on_time_share ?? []);
  if (shares.length === 0) {
    return `${generator} counts from when requests were due, and does not report how late they left`;
  }
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => percent(share));
  return `${fromTo(least!, most!)} of requests left within 1 ms of their time; each is counted from its time`;
}

/** Returns the lengths of windows at rates and the schedule: `windows of 3 s, random gaps (a Poisson schedule)`. */
export function windowsText(plan: Pick<Plan, "axes" | "duration_ms" | "rounds">, axis: RateAxis): string {
  const lengths = windowLengths(plan, axis);
  const [least, most] = [Math.min, Math.max].map((end) =>
    `${end(...(lengths.length === 0 ? [plan.duration_ms] : lengths)) / 1_000}`
  );
  const gaps = axis.schedule === "poisson" ? "random gaps (a Poisson schedule)" : "equal gaps";
  return `windows of ${fromTo(least!, most!)} s, ${gaps}`;
}

/** The course of a search: `limit p99<10ms: 9 steps, 6 held it, 2 did not, 1 could not be judged`. */
export function searchText({ steps }: NonNullable<LatencyCell["knee"]>, limit: string): string {
  const of = (wanted: boolean | null) => steps.filter(({ holds }) => holds === wanted).length;
  const open = of(null) === 0 ? "" : `, ${of(null)} could not be judged`;
  return `limit ${limit}: one search of ${counted(steps.length, "step")}, ${of(true)} held it, ${
    of(false)
  } did not${open}`;
}

/** The people of a day that {@link peopleText} assumes. */
const PEOPLE = { visitsPerDay: 2, requestsPerVisit: 20, inBusiestHour: 1 / 5, keptFree: 0.3 } as const;

/** `9.3k/s serve 2.9M people a day, if …`: a rate that holds its limit as people, with all that is assumed of them. */
export function peopleText(perSecond: number): string {
  const { visitsPerDay, requestsPerVisit, inBusiestHour, keptFree } = PEOPLE;
  const inBusyHour = visitsPerDay * inBusiestHour * requestsPerVisit;
  const people = perSecond * (1 - keptFree) * 3_600 / inBusyHour;
  return `${dueText(perSecond)} serve ${shortRate(Number(people.toPrecision(2)))} people a day, if each makes ${
    counted(visitsPerDay, "visit")
  } of ${counted(requestsPerVisit, "request")}, a fifth of all in the busiest hour, and ${
    percent(keptFree, 0)
  } of the rate are kept free`;
}

/** `26k/s`, `31.4k/s`. */
export const dueText = (perSecond: number): string => `${shortRate(perSecond)}/s`;

const shortRate = (value: number): string =>
  formatRate(value).replace(/(\.\d*?)0+(?=[kM]|$)/, "$1").replace(/\.(?=[kM]|$)/, "");

/** `17 ms`, `0.35 ms`, `1.2 s`: two digits, the precision of windows of some seconds. */
export const msText = (us: number): string => timeText(us, Math.round);

function timeText(us: number, whole: (value: number) => number): string {
  let digit = 1;
  while (us / digit >= 100) digit *= 10;
  const rounded = whole(us / digit) * digit;
  return rounded >= 1e6 ? `${rounded / 1e6} s` : `${rounded / 1e3} ms`;
}
