import { socketErrors } from "../judge/judge-load.ts";
import { answeredShare, dueLatency, sentLatency } from "../judge/open-loop.ts";
import { inWords } from "../record/in-words.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { harmless } from "../report/align.ts";
import { keyNames } from "./key-names.ts";
import { type ExportedSolo, soloObservations } from "./solo-observations.ts";

type Column = readonly [name: string, value: (solo: ExportedSolo) => string | number | null | undefined];

/** What was found out about an observation, units in their names as in results. */
const MEASURES: readonly Column[] = [
  ["index", (solo) => solo.index],
  ["round", (solo) => solo.round],
  ["version", (solo) => solo.member.server?.version],
  ["started_at", (solo) => solo.started_at],
  ["status", (solo) => solo.status],
  ["reasons", (solo) => solo.marks.map(({ code }) => code).join(" ")],
  ["bound", (solo) => solo.bound],
  ["requests", (solo) => solo.load?.requests],
  ["duration_us", (solo) => solo.load?.duration_us],
  ["requests_per_second", (solo) => solo.load?.requests_per_second],
  ["rows_per_second", ({ load }) => load && load.rows_per_request && load.requests_per_second * load.rows_per_request],
  ["transfer_bytes_per_second", ({ load }) => load && load.reply_bytes && load.reply_bytes / load.duration_us * 1e6],
  ["cpu_ns_per_request", (solo) => solo.counters?.server_cpu_ns_per_request],
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

/** Of observations at a rate, where a run has any. */
const AT_A_RATE: readonly Column[] = [
  ["offered_per_second", ({ load }) => load?.offered_per_second],
  ["answered_share", ({ load }) => load && answeredShare(load)],
  ["dropped", ({ load }) => load?.dropped],
  ["sender_p50_us", (solo) => sentLatency(solo)?.p50_us],
  ["sender_p99_us", (solo) => sentLatency(solo)?.p99_us],
];

/** Of servers of several workers, where a run has any: one figure for each worker, between semicolons. */
const OF_WORKERS: readonly Column[] = [
  ["worker_requests", ({ workers }) => workers?.each.map(({ requests }) => requests ?? "").join(";")],
  ["worker_cpu_ns", ({ workers }) => workers?.each.map(({ cpu_ns }) => cpu_ns ?? "").join(";")],
  ["worker_bytes", ({ workers }) => workers?.each.map(({ bytes }) => bytes ?? "").join(";")],
];

/** Of runs with hosts: the commands that led to them, empty for the driver's own, and what joined them. */
const HOSTED: readonly (readonly [name: string, value: (hosts: NonNullable<RunRecord["hosts"]>) => string | null])[] = [
  ["server_host", (hosts) => hosts.server],
  ["load_host", (hosts) => hosts.load],
  ["server_address", (hosts) => hosts.address],
];

/** Tidy CSV (RFC 4180): a row for each observation of a cell alone, a column a variable, empty where a value is not known. */
export function toCsv(files: RunFiles): string {
  const { run } = files;
  const solos = soloObservations(files);
  const measures = [
    ...MEASURES,
    ...(solos.some(({ load }) => load?.offered_per_second !== undefined) ? AT_A_RATE : []),
    ...(solos.some(({ workers }) => workers !== undefined) ? OF_WORKERS : []),
  ].map(([name, value]): Column => [inWords(run.plan, name), value]);
  const { hosts } = run;
  const hosted = hosts === undefined ? [] : HOSTED.map(([name, value]): Column => [name, () => value(hosts)]);
  const taken = ["run", "name", "suite", "label", ...[...hosted, ...measures].map(([name]) => name)];
  const columns: readonly Column[] = [
    ["run", () => run.run],
    ["name", (solo) => solo.name],
    ["suite", (solo) => solo.cell.point.suite],
    ...keyNames(run.plan.axes, taken, ({ name }) => name)
      .map(({ key, axis }): Column => [key, (solo) => solo.cell.point.at[axis.name]]),
    ["label", (solo) => solo.cell.label],
    ...hosted,
    ...measures,
  ];
  const rows = solos.map((solo) => columns.map(([, value]) => field(value(solo))).join(","));
  return [columns.map(([name]) => field(name)).join(","), ...rows].map((row) => `${row}\r\n`).join("");
}

/** A field; quoted where it must be. Text that a spreadsheet would run as a formula is kept from it by a quote mark. */
function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const plain = harmless(value);
  const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
