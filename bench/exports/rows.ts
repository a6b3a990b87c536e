import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { socketErrors } from "../judge/judge-load.ts";
import { answeredShare, dueLatency, sentLatency } from "../judge/open-loop.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { cellName } from "../record/cell.ts";
import type { Solo } from "../judge/lines.ts";
import { readLeanLine } from "../page/evidence.ts";
import type { Comparison } from "../record/comparison.ts";
import { inWords, type Worded } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import { statusOf } from "../judge/status.ts";

/** An observation of a cell alone, its histogram left out. */
export interface ExportedSolo extends Solo {
  readonly cell: Cell;
  /** The cell's name in the run. */
  readonly name: string;
  /** Of the observation it is from. */
  readonly index: number;
  readonly started_at: string;
}

/** The observations of cells alone among the lines of a run, in the order of measuring. */
export function soloObservations({ run, lines }: Pick<RunFiles, "run" | "lines">): ExportedSolo[] {
  return lines.map(readLeanLine).flatMap(({ record, solos }) =>
    solos.map(({ solo }) => {
      const { cell } = solo.member;
      return { ...solo, cell, name: cellName(run.plan.axes, cell), index: record.index, started_at: record.started_at };
    })
  );
}

/** A window of one server: alone on its core, or with the others of an ensemble, as verdicts use it. */
interface ExportedWindow extends ExportedSolo {
  readonly kind: "alone" | "together";
}

/** The windows of a run in the order of measuring; in a window together only CPU time and requests belong to one server. */
function windowsOf(files: Pick<RunFiles, "run" | "lines">): ExportedWindow[] {
  const together = files.lines.map(readLeanLine).flatMap(({ record }) =>
    record.kind !== "ensemble" ? [] : record.members.map((member): ExportedWindow => {
      const marks = [...record.marks, ...member.marks];
      return {
        ...{ kind: "together", bound: "unknown", load: null, latency: null, counters: null, marks, member },
        ...{ round: record.round, index: record.index, started_at: record.started_at, status: statusOf(marks) },
        cell: member.cell,
        name: cellName(files.run.plan.axes, member.cell),
      };
    })
  );
  const alone = soloObservations(files).map((solo): ExportedWindow => ({ ...solo, kind: "alone" }));
  return [...alone, ...together].sort((a, b) => a.index - b.index);
}

/** The value of a field; null or undefined where it is not known. */
export type Field = string | number | null | undefined;

/** A column of a table of windows. */
type Column = readonly [name: string, value: (window: ExportedWindow) => Field];

/** The figures of an observation, units in their names as in results. */
const MEASURES: readonly Column[] = [
  ["index", (solo) => solo.index],
  ["round", (solo) => solo.round],
  ["version", (solo) => solo.member.server?.version],
  ["started_at", (solo) => solo.started_at],
  ["status", (solo) => solo.status],
  ["reasons", (solo) => solo.marks.map(({ code }) => code).join(" ")],
  ["bound", (solo) => solo.bound],
  ["requests", ({ kind, load, member }) => kind === "together" ? member.requests : load?.requests],
  ["duration_us", (solo) => solo.load?.duration_us],
  ["requests_per_second", (solo) => solo.load?.requests_per_second],
  ["rows_per_second", ({ load }) => load && load.rows_per_request && load.requests_per_second * load.rows_per_request],
  ["transfer_bytes_per_second", ({ load }) => load && load.reply_bytes && load.reply_bytes / load.duration_us * 1e6],
  [
    "cpu_ns_per_request",
    ({ kind, counters, member }) =>
      kind === "together" ? member.cpu_ns_per_request : counters?.server_cpu_ns_per_request,
  ],
  ["p50_us", (solo) => dueLatency(solo)?.p50_us],
  ["p90_us", (solo) => dueLatency(solo)?.p90_us],
  ["p99_us", (solo) => dueLatency(solo)?.p99_us],
  ["p999_us", (solo) => dueLatency(solo)?.p999_us],
  ["max_us", (solo) => dueLatency(solo)?.max_us],
  ["mean_us", (solo) => dueLatency(solo)?.mean_us],
  ["status_errors", (solo) => solo.load?.errors.status],
  ["socket_errors", ({ load }) => load && socketErrors(load.errors)],
  ["timeouts", (solo) => solo.load?.errors.timeout],
  ["startup_ms", (solo) => solo.member.server?.startup_ms],
  ["open_ms", (solo) => solo.member.server?.open_ms],
  ["disk_bytes", (solo) => solo.member.server?.disk_bytes],
  ["peak_rss_bytes", (solo) => solo.member.server?.peak_rss_bytes],
  ["server_share", (solo) => solo.counters?.server_share],
  ["generator_share", (solo) => solo.counters?.generator_share],
  ["server_wait_share", (solo) => solo.counters?.server_wait_share],
  ["steal_share", (solo) => solo.counters?.steal_share],
  ["foreign_share", (solo) => solo.counters?.foreign_share],
];

/** Figures of observations at a rate. */
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

/** The columns of figures that some of these windows have, by their names in the run's words. */
function figureColumns(plan: Worded, solos: readonly ExportedWindow[]): Column[] {
  return [
    ...MEASURES,
    ...(solos.some(({ load }) => load?.offered_per_second !== undefined) ? AT_A_RATE : []),
    ...(solos.some(({ workers }) => workers !== undefined) ? OF_WORKERS : []),
  ].map(([name, value]) => [inWords(plan, name), value]);
}

/** A figure of an observation by its name in a table, null where it is not known. */
export function figureOf(name: string, solo: ExportedSolo): number | null {
  const value = MEASURES.find(([known]) => known === name)![1]({ ...solo, kind: "alone" });
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Columns of runs with hosts: the commands that led to them, empty for the driver's host, and the address between. */
const HOSTED: readonly (readonly [name: string, value: (hosts: NonNullable<RunRecord["hosts"]>) => string | null])[] = [
  ["server_host", (hosts) => hosts.server],
  ["load_host", (hosts) => hosts.load],
  ["server_address", (hosts) => hosts.address],
];

/**
 * The fields of a verdict, by their columns: `name` over `under`, both ends of the interval, the figure compared. `moment`
 * is when memory was read; empty for other figures.
 */
function fieldsOf(plan: Worded, comparison: Comparison, moment: string): Readonly<Record<string, Field>> {
  const { under, basis, verdict } = comparison;
  const shared = { under, ratio_of: `${inWords(plan, RATIO_OF[basis])}${moment && ` (${moment})`}`, verdict };
  if (comparison.verdict === "no-verdict") {
    return {
      ...shared,
      reasons: comparison.marks.map(({ code }) => code).join(" "),
    };
  }
  const { ratio, interval, rounds, delta, smallest_detectable, core } = comparison;
  return {
    ...shared,
    ...{ rounds, ratio, ratio_low: interval.low, ratio_high: interval.high, level: interval.level, delta },
    ...{ smallest_detectable, ratio_slow_core: core?.slow.ratio, ratio_fast_core: core?.fast.ratio },
  };
}

/** The figure a ratio compares; a ratio itself has no unit. */
const RATIO_OF = {
  together: "cpu_ns_per_request, under / over",
  solo: "requests_per_second, over / under",
  memory: "resident bytes, under / over",
} as const;

const VERDICT_COLUMNS = [
  ...["under", "ratio_of", "verdict", "rounds", "ratio", "ratio_low", "ratio_high", "level", "delta"],
  ...["smallest_detectable", "ratio_slow_core", "ratio_fast_core"],
];

/** A run as one table: a row for each verdict and each window, a column a variable. */
export interface RowTable {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Field>>[];
}

/**
 * Returns a run as one table. `row` says what a row is: `verdict` compares `name` with `under`; `alone` is the window of a
 * server by itself; `together` is one in which servers shared a core, whose CPU time verdicts rest on.
 */
export function exportTable(files: RunFiles): RowTable {
  const { run, summary } = files;
  const windows = windowsOf(files), measures = figureColumns(run.plan, windows);
  const { hosts } = run;
  const hosted = hosts === undefined ? [] : HOSTED.map(([name, value]): Column => [name, () => value(hosts)]);
  const taken = [
    "row",
    "run",
    "name",
    "suite",
    "label",
    ...VERDICT_COLUMNS,
    ...[...hosted, ...measures].map(([name]) => name),
  ];
  const keys = keyNames(run.plan.axes, taken, ({ name }) => name);
  const valuesOf = (row: string, name: string, { point, label }: Cell) => ({
    ...{ row, run: run.run, name, suite: point.suite, label },
    ...Object.fromEntries(keys.map(({ key, axis }) => [key, point.at[axis.name]])),
  });
  const cells = new Map(summary.cells.map(({ name, cell }) => [name, cell]));
  const verdicts = [{ moment: "", families: summary.families }, ...summary.memory ?? []].flatMap((
    { moment, families },
  ) => families.flatMap(({ comparisons }) => comparisons).map((one) => ({ one, moment })));
  return {
    columns: [
      ...["row", "run", "name", "suite", ...keys.map(({ key }) => key), "label"],
      ...hosted.map(([name]) => name),
      ...VERDICT_COLUMNS,
      ...measures.map(([name]) => name).filter((name) => !VERDICT_COLUMNS.includes(name)),
    ],
    rows: [
      ...verdicts.map(({ one, moment }) => ({
        ...valuesOf("verdict", one.over, cells.get(one.over)!),
        ...fieldsOf(run.plan, one, moment),
      })),
      ...windows.map((window) => ({
        ...valuesOf(window.kind, window.name, window.cell),
        ...Object.fromEntries([...hosted, ...measures].map(([name, value]) => [name, value(window)])),
      })),
    ],
  };
}

/**
 * A key for each axis in a form that has rules for keys. `clean` makes it from the axis; one that is taken gets a
 * number.
 */
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
