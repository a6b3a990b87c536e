import { limitText } from "../judge/bound.ts";
import { AA, cellKey, cellName, MAIN } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { socketErrors } from "../judge/judge-load.ts";
import { openLoopOf } from "./open-loop-card.ts";
import type { CellCard } from "../record/card.ts";
import { isOfCalls, type Worded } from "../record/in-words.ts";
import type { Plan } from "../record/plan.ts";
import { withoutMadeUp } from "../plan/spare-rounds.ts";
import { contendedText } from "../judge/contention.ts";
import { medianInterval, medianOfKnown } from "../statistics/median.ts";
import { type Solo, sortLines } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { routesOf } from "./route-rows.ts";
import { servicesOf } from "./service-figures.ts";
import { workersOfCell } from "./worker-figures.ts";
import { isOfServer } from "../judge/status.ts";
import { mark, type MarkCode } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";

/** Severity of a status; the worst observation decides the cell's. */
const STATUS_ORDER = ["ok", "unsupported", "invalid", "failed"] as const;

/** Makes the card of one cell from all it did alone. Throws a RangeError without anything. */
export function makeCellCard(run: string, axes: readonly PlanAxis[], observations: readonly Solo[]): CellCard {
  if (observations.length === 0) throw new RangeError("a cell card needs at least one observation");
  return cardOf(run, axes, observations[0]!.member.cell, observations);
}

function statusOfAll(observations: readonly Solo[]): CellCard["status"] {
  const bad = observations.filter(({ status }) => status !== "ok");
  const rounds = 3 * bad.length <= observations.length &&
    !bad.some(({ marks }) => marks.some(isOfServer));
  if (rounds) return "ok";
  return bad.map(({ status }) => status).reduce(
    (worst, status) => STATUS_ORDER.indexOf(status) > STATUS_ORDER.indexOf(worst) ? status : worst,
  );
}

/** Returns the bound of most ok observations; of two equally frequent ones the one that says less for the server. */
function boundOfAll(ok: readonly Solo[]): CellCard["bound"] {
  const order = ["generator", "service", "unknown", "network", "neither", "server"] as const;
  const count = (bound: CellCard["bound"]) => ok.filter((one) => one.bound === bound).length;
  return ok.length === 0 ? "unknown" : order.reduce((most, bound) => count(bound) > count(most) ? bound : most);
}

function cardOf(
  run: string,
  axes: readonly PlanAxis[],
  cell: Cell,
  observations: readonly Solo[],
): CellCard {
  const ok = observations.filter(({ status }) => status === "ok");
  const of = (pick: (one: Solo) => number | null | undefined) => middle(ok, pick);
  const loop = openLoopOf(observations, ok);
  const waitOf = (key: "p50" | "p90" | "p99" | "max") =>
    loop.open_loop === undefined
      ? of(({ latency }) => latency?.[`${key}_us`])
      : loop.open_loop.by_clock.due[key]?.us ?? null;
  const rate = medianInterval(ok.map((one) => one.load!.requests_per_second));
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
    marks: observations.flatMap(({ marks }) => marks).filter(({ code }) => !seen.has(code) && seen.add(code))
      .map((one) => one.code === "contended" ? { ...one, text: contendedText(observations)! } : one),
    observations: observations.length,
    observations_ok: ok.length,
    bound: boundOfAll(ok),
    requests_per_second: of(({ load }) => load!.requests_per_second),
    requests_per_second_interval: rate.kind === "bounded"
      ? { low: rate.low, high: rate.high, level: rate.level }
      : null,
    rows_per_second: of(({ load }) =>
      load!.rows_per_request === null ? null : load!.requests_per_second * load!.rows_per_request
    ),
    transfer_bytes_per_second: of(({ load }) => over(load!.reply_bytes, load!.duration_us / 1e6)),
    cpu_ns_per_request: of(({ counters }) => counters?.server_cpu_ns_per_request),
    p50_us: waitOf("p50"),
    p90_us: waitOf("p90"),
    p99_us: waitOf("p99"),
    max_us: waitOf("max"),
    peak_rss_bytes: of(({ member }) => member.server?.peak_rss_bytes),
    startup_ms: of(({ member }) => member.server?.startup_ms),
    open_ms: of(({ member }) => member.server?.open_ms),
    disk_bytes: of(({ member }) => member.server?.disk_bytes),
    reply_bytes_per_request: of(({ load }) => over(load!.reply_bytes, load!.requests)),
    server_share: of(({ counters }) => counters?.server_share),
    generator_share: of(({ counters }) => counters?.generator_share),
    error_share: of(({ load }) => over(load!.errors.status, load!.requests)),
    socket_errors: errors(socketErrors),
    timeouts: errors(({ timeout }) => timeout ?? 0),
    audit_facts: Object.fromEntries([...counted].map((name) => [name, of(({ member }) => member.audit_facts[name])!])),
    ...routesOf(ok),
    ...servicesOf(ok),
    ...workersOfCell(ok),
    ...loop,
  };
}

const over = (count: number | null, by: number): number | null => count === null ? null : count / by;

/** Median of a figure over observations that have it; null when none has. */
const middle = (observations: readonly Solo[], pick: (one: Solo) => number | null | undefined) =>
  medianOfKnown(observations.map(pick));

/** The cells of a plan's points that cannot be: they are measured by none, and known by the label of the others. */
export function unsupportedCells({ unsupported, cells }: Plan): { readonly cell: Cell; readonly reason: string }[] {
  const label = cells.find((cell) => cell.label !== AA)?.label ?? MAIN;
  return unsupported.map(({ point, reason }) => ({ cell: { point, label }, reason }));
}

/**
 * Makes the cards of a run: those of its measured cells in the order of its plan, then those of points that cannot be.
 * Lines of cells that were never planned are left out; `bench verify` names them. So is what other processes voided and
 * a spare round made up for.
 */
export function makeCellCards({ run, plan }: RunRecord, journal: readonly Observation[]): CellCard[] {
  const { solo } = sortLines(journal);
  return [
    ...plan.cells.flatMap((cell) => {
      const own = solo.get(cellKey(cell));
      return own === undefined ? [] : cardOf(run, plan.axes, cell, withoutMadeUp(plan, own));
    }),
    ...unsupportedCells(plan).map(({ cell, reason }): CellCard => ({
      ...cardOf(run, plan.axes, cell, []),
      status: "unsupported",
      marks: [mark("unsupported", reason)],
    })),
  ];
}

/** Returns the mark of a cell whose status is not `ok`; nothing for another one. */
export function statusMarks({ name, status, marks: [own] }: CellCard): Mark[] {
  if (status === "ok") return [];
  const first = own ?? mark("not-measured", "no reason kept");
  return [{ ...first, cell: name, text: `${name} is ${status}: ${first.text}` }];
}

/**
 * Returns the marks of a cell whose rate says nothing of what its server could do. Calls are sequential in turn: the wait is
 * part of each call's time.
 */
export function rateMarks({ name, status, bound, open_loop }: CellCard, inTurn: boolean): Mark[] {
  const marked = (code: MarkCode, text: string): Mark => ({ ...mark(code, `${name} ${text}`), cell: name });
  if (open_loop !== undefined) {
    return [marked("given-rate", "was sent a given rate, which says nothing of what it could do")];
  }
  return status === "ok" && bound !== "server" && !(inTurn && bound === "neither")
    ? [marked("other-bound", `is limited by ${limitText(bound)}`)]
    : [];
}

/** True if functions were called in their process one after another, so that nothing was sent. */
export const isInTurn = (plan: Worded, solo: readonly Solo[]): boolean =>
  isOfCalls(plan) && solo.every(({ load }) => load === null || load.connections === 1);

/** True if the point of a card cannot be measured: known before the run, or reported by its server each time. */
export function isUnsupported({ status, observations_ok }: CellCard): boolean {
  return status === "unsupported" && observations_ok === 0;
}
