import type { PlanAxis } from "../record/cell-schema.ts";
import { socketErrors } from "../judge/judge-load.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { answeredShare, dueLatency, sentLatency } from "../judge/open-loop.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { type Solo, solosOf } from "../judge/lines.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import { type Figure, figuresIn } from "../report/figures.ts";

/** The observations of cells alone among the lines of a run, in the order of measuring. */
export const soloObservations = ({ lines }: Pick<RunFiles, "lines">): Solo[] => lines.flatMap(solosOf);

/** A column of a table of solo observations. */
export type Column = readonly [name: string, value: (solo: Solo) => string | number | null | undefined];

/** Columns of figures that cards have the medians of, by their groups. */
const observed = (...groups: readonly Figure["group"][]): Column[] =>
  figuresIn("csv", { groups }).map(({ key }) => [key, (solo) => observedFigures(solo)[key]]);

/** The figures of an observation, units in their names as in results. */
const MEASURES: readonly Column[] = [
  ["index", ({ line }) => line.index],
  ["round", (solo) => solo.round],
  ["version", (solo) => solo.member.server?.version],
  ["started_at", ({ line }) => line.started_at],
  ["status", (solo) => solo.status],
  ["reasons", (solo) => solo.marks.map(({ code }) => code).join(" ")],
  ["bound", (solo) => solo.bound],
  ["requests", (solo) => solo.load?.requests],
  ["duration_us", (solo) => solo.load?.duration_us],
  ...observed("speed", "cost", "latency"),
  ["p999_us", (solo) => dueLatency(solo)?.p999_us],
  ...observed("slowest"),
  ["mean_us", (solo) => dueLatency(solo)?.mean_us],
  ["status_errors", (solo) => solo.load?.errors.status],
  ["socket_errors", ({ load }) => load && socketErrors(load.errors)],
  ["timeouts", (solo) => solo.load?.errors.timeout],
  ...observed("start", "memory", "use"),
  ["server_wait_share", (solo) => solo.counters?.server_wait_share],
  ["steal_share", (solo) => solo.counters?.steal_share],
  ["foreign_share", (solo) => solo.counters?.foreign_share],
];

const AT_A_RATE: readonly Column[] = [
  ["offered_per_second", ({ load }) => load?.offered_per_second],
  ["answered_share", ({ load }) => load && answeredShare(load)],
  ["dropped", ({ load }) => load?.dropped],
  ["sender_p50_us", (solo) => sentLatency(solo)?.p50_us],
  ["sender_p99_us", (solo) => sentLatency(solo)?.p99_us],
];

/** Figures of servers of several workers: one for each worker, with semicolons between. */
const OF_WORKERS: readonly Column[] = [
  ["worker_requests", ({ workers }) => workers?.each.map(({ requests }) => requests ?? "").join(";")],
  ["worker_cpu_ns", ({ workers }) => workers?.each.map(({ cpu_ns }) => cpu_ns ?? "").join(";")],
  ["worker_bytes", ({ workers }) => workers?.each.map(({ bytes }) => bytes ?? "").join(";")],
];

/** The columns of figures that some of these observations have, by their names in the run's words. */
export function figureColumns(plan: WordedPlan, solos: readonly Solo[]): Column[] {
  return [
    ...MEASURES,
    ...(solos.some(({ load }) => load?.offered_per_second !== undefined) ? AT_A_RATE : []),
    ...(solos.some(({ workers }) => workers !== undefined) ? OF_WORKERS : []),
  ].map(([name, value]) => [inWords(plan, name), value]);
}

/** A key for each axis in a form that has rules for keys; one that is taken gets a number. */
export function keyNames(
  axes: readonly PlanAxis[],
  taken: readonly string[],
  clean: (axis: PlanAxis) => string,
): readonly { readonly key: string; readonly axis: PlanAxis }[] {
  const used = new Set(taken);
  return axes.map((axis) => {
    const base = clean(axis);
    let key = base;
    for (let n = 2; used.has(key); n++) key = `${base}_${n}`;
    used.add(key);
    return { key, axis };
  });
}
