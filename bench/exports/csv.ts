import { cellName } from "../record/cell.ts";
import { harmless } from "../report/align.ts";
import type { RunFiles } from "../page/shown-run.ts";
import type { RunRecord } from "../record/run-record.ts";
import { type Column, figureColumns, keyNames, soloObservations } from "./rows.ts";

/** Columns of runs with hosts: the commands that led to them, empty for the driver's host, and the address between. */
const HOSTED: readonly (readonly [name: string, value: (hosts: NonNullable<RunRecord["hosts"]>) => string | null])[] = [
  ["server_host", (hosts) => hosts.server],
  ["load_host", (hosts) => hosts.load],
  ["server_address", (hosts) => hosts.address],
];

/** Tidy CSV (RFC 4180): a row for each observation of a cell alone, a column a variable, empty where a value is not known. */
export function toCsv(files: RunFiles): string {
  const { run } = files;
  const solos = soloObservations(files);
  const measures = figureColumns(run.plan, solos);
  const { hosts } = run;
  const hosted = hosts === undefined ? [] : HOSTED.map(([name, value]): Column => [name, () => value(hosts)]);
  const taken = ["run", "name", "suite", "label", ...[...hosted, ...measures].map(([name]) => name)];
  const columns: readonly Column[] = [
    ["run", () => run.run],
    ["name", ({ member }) => cellName(run.plan.axes, member.cell)],
    ["suite", ({ member }) => member.cell.point.suite],
    ...keyNames(run.plan.axes, taken, ({ name }) => name)
      .map(({ key, axis }): Column => [key, ({ member }) => member.cell.point.at[axis.name]]),
    ["label", ({ member }) => member.cell.label],
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
