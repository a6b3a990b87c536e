import { subjectName } from "../../core/plan.ts";
import { readLeanLine } from "../evidence.ts";
import type { RunFiles } from "../shown-run.ts";
import { type Column, TRIAL_COLUMNS } from "./trial-columns.ts";

/** Tidy CSV (RFC 4180): one row a trial, one column a variable, empty where a value is not known. */
export function toCsv({ run, lines }: RunFiles): string {
  const columns: readonly Column[] = [
    { name: "run", value: () => run.run },
    { name: "subject", value: subjectName },
    ...TRIAL_COLUMNS,
  ];
  const trials = lines.map((line) => readLeanLine(line).record).filter((line) => line.schema === "levelfield.trial/1");
  const rows = trials.map((trial) => columns.map((column) => field(column.value(trial))).join(","));
  return [columns.map(({ name }) => name).join(","), ...rows].map((row) => `${row}\r\n`).join("");
}

/** A field; quoted where it must be. Text that a spreadsheet would run as a formula is kept from it by a quote mark. */
function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
