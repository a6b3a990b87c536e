import { errorLine } from "../basics/error-line.ts";
import { AA, cellKey, cellName, MAIN } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { socketErrors } from "../judge/judge-load.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { openLoopOf } from "./open-loop-card.ts";
import type { CellCard, CellOutcome, Observed, OpenLoop, Subject } from "../record/card.ts";
import { isOfCalls, type WordedPlan } from "../record/in-words.ts";
import type { PlanSteps } from "../record/plan.ts";
import { withoutMadeUp } from "../plan/spare-rounds.ts";
import { contendedText, isContended } from "../judge/contention.ts";
import { medianInterval, medianOfKnown } from "../statistics/median.ts";
import { groupLines, NO_LOAD, type Solo } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { routesOf, servicesOf, workersOfCell } from "./card-parts.ts";
import { isStarved } from "../judge/starved.ts";
import { isOfServer } from "../judge/status.ts";
import { mark, type MarkCode, rowOf } from "../record/mark.ts";
import { ALL_BOUNDS, BOUND, type Bound, type Mark } from "../record/outcome-schema.ts";

/** Severity of a status; the worst observation decides the cell's. */
const STATUS_ORDER = ["ok", "unsupported", "invalid", "failed"] as const;

/** Makes the card of one cell from all it did alone. Throws a RangeError without anything. */
export function makeCellCard(run: string, axes: readonly PlanAxis[], observations: readonly Solo[]): CellCard {
  if (observations.length === 0) throw new RangeError("a cell card needs at least one observation");
  return cardOf(run, axes, observations[0]!.member.cell, observations);
}

function statusOfAll(observations: readonly Solo[]): CellOutcome["status"] {
  const bad = observations.filter(({ status }) => status !== "ok");
  const rounds = 3 * bad.length <= observations.length &&
    !bad.some(({ marks }) => marks.some(isOfServer));
  if (rounds) return "ok";
  return bad.map(({ status }) => status).reduce(
    (worst, status) => STATUS_ORDER.indexOf(status) > STATUS_ORDER.indexOf(worst) ? status : worst,
  );
}

/** Returns the bound of most ok observations; of two equally frequent ones the one that says less for the server. */
function boundOfAll(ok: readonly Solo[]): Bound {
  const count = (bound: Bound) => ok.filter((one) => one.bound === bound).length;
  return ok.length === 0 ? "unknown" : ALL_BOUNDS.reduce((most, bound) => count(bound) > count(most) ? bound : most);
}

function cardOf(
  run: string,
  axes: readonly PlanAxis[],
  cell: Cell,
  observations: readonly Solo[],
): CellCard {
  const ok = observations.filter(({ status }) => status === "ok");
  // Waits of the connections that were served say nothing of those that were not.
  const isServed = !ok.some(isStarved);
  const loop = openLoopOf(observations, isServed ? ok : []);
  const rate = medianInterval(ok.map((one) => one.load!.requests_per_second));
  // The first mark is the reason of the status.
  const worstFirst = observations.toSorted((a, b) => STATUS_ORDER.indexOf(b.status) - STATUS_ORDER.indexOf(a.status));
  const seen = new Set<string>();
  const errors = (count: (errors: NonNullable<Solo["load"]>["errors"]) => number) =>
    observations.reduce((sum, { load }) => sum + (load === null ? 0 : count(load.errors)), 0);
  const counted = new Set(ok.flatMap(({ member }) => Object.keys(member.audit_facts)));
  return {
    schema: "levelfield.cell/4",
    run,
    cell,
    name: cellName(axes, cell),
    status: statusOfAll(observations),
    marks: worstFirst.flatMap(({ marks }) => marks).filter(({ code }) => !seen.has(code) && seen.add(code))
      .map((one) => isContended(one) ? { ...one, text: contendedText(observations)! } : withWords(one, observations)),
    observations: observations.length,
    observations_ok: ok.length,
    bound: boundOfAll(ok),
    ...mediansOf(ok.map(observedFigures)),
    ...waitsOf(loop),
    ...(isServed ? {} : { p50_us: null, p90_us: null, p99_us: null, max_us: null }),
    requests_per_second_interval: rate.kind === "bounded"
      ? { low: rate.low, high: rate.high, level: rate.level }
      : null,
    socket_errors: errors(socketErrors),
    timeouts: errors(({ timeout }) => timeout ?? 0),
    audit_facts: Object.fromEntries(
      [...counted].map((name) => [name, medianOfKnown(ok.map(({ member }) => member.audit_facts[name]))!]),
    ),
    ...routesOf(ok),
    ...servicesOf(ok),
    ...workersOfCell(ok),
    ...loop,
  };
}

/** A server that answers with errors mostly says why, such as that a pool had no connection in time; of several nobody knows whose. */
function withWords(given: Mark, observations: readonly Solo[]): Mark {
  const own = observations.filter(({ line }) => rowOf(given).counted === "statuses" && line.members.length === 1);
  const [said] = own.flatMap(({ line }) => errorLine(line.stderr_tail ?? "") ?? []);
  return said === undefined ? given : { ...given, text: `${given.text}; it says "${said}"` };
}

function waitsOf({ open_loop: loop }: OpenLoop): Partial<Observed> {
  if (loop === undefined) return {};
  const { p50, p90, p99, max } = loop.by_clock.due;
  return { p50_us: p50?.us ?? null, p90_us: p90?.us ?? null, p99_us: p99?.us ?? null, max_us: max?.us ?? null };
}

const mediansOf = (observed: readonly Observed[]): Observed => {
  const medians = observedFigures({ ...NO_LOAD, member: { server: null } });
  for (const key of Object.keys(medians) as (keyof Observed)[]) {
    medians[key] = medianOfKnown(observed.map((one) => one[key]));
  }
  return medians;
};

/** The cells of a plan's points that cannot be: they are measured by none, and known by the label of the others. */
export function unsupportedCells(
  { unsupported, cells }: PlanSteps,
): { readonly cell: Cell; readonly reason: string }[] {
  const label = cells.find((cell) => cell.label !== AA)?.label ?? MAIN;
  return unsupported.map(({ point, reason }) => ({ cell: { point, label }, reason }));
}

/** Makes the cards of planned cells in their order, then of points that cannot be; other lines are left out. */
export function makeCellCards({ run, plan }: RunRecord, journal: readonly Observation[]): CellCard[] {
  const { solo } = groupLines(journal);
  return [
    ...plan.cells.flatMap((cell) => {
      const observations = solo.get(cellKey(cell));
      return observations === undefined ? [] : cardOf(run, plan.axes, cell, withoutMadeUp(plan, observations));
    }),
    ...unsupportedCells(plan).map(({ cell, reason }): CellCard => ({
      ...cardOf(run, plan.axes, cell, []),
      status: "unsupported",
      marks: [mark("unsupported", reason)],
    })),
  ];
}

/** Returns the mark of a cell whose status is not `ok`; nothing for another one. */
export function statusMarks({ name, status, marks: [given] }: Subject & CellOutcome): Mark[] {
  if (status === "ok") return [];
  const first = given ?? mark("not-measured", "no reason kept");
  return [{ ...first, cell: name, text: `${name} is ${status}: ${first.text}` }];
}

/** Returns the marks of a rate that says nothing of its server; of calls in turn waits are part of their time. */
export function rateMarks(
  { name, status, bound, open_loop }: Subject & CellOutcome & OpenLoop,
  inTurn: boolean,
): Mark[] {
  const marked = (code: MarkCode, text: string): Mark => ({ ...mark(code, `${name} ${text}`), cell: name });
  if (open_loop !== undefined) {
    return [marked("given-rate", "was sent a given rate, which says nothing of what it could do")];
  }
  return status === "ok" && !BOUND[bound].own && !(inTurn && bound === "neither")
    ? [marked("other-bound", `is limited by ${BOUND[bound].text}`)]
    : [];
}

/** True if functions were called in their process one after another, so that nothing was sent. */
export const isInTurn = (plan: WordedPlan, solo: readonly Solo[]): boolean =>
  isOfCalls(plan) && solo.every(({ load }) => load === null || load.connections === 1);

/** True if the point of a card cannot be measured: known before the run, or reported by its server each time. */
export function isUnsupported({ status, observations_ok }: CellOutcome): boolean {
  return status === "unsupported" && observations_ok === 0;
}
