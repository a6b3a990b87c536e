import { harmless } from "../report/align.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { type ExportedValue, exportTable } from "./table.ts";

/** Tidy CSV (RFC 4180) of verdicts and windows, see {@link exportTable}: empty where a row has no such value. */
export function toCsv(files: RunFiles): string {
  const { columns, rows } = exportTable(files);
  const texts = rows.map((row) => columns.map((column) => field(row[column])).join(","));
  return [columns.map(field).join(","), ...texts].map((row) => `${row}\r\n`).join("");
}

/** A field, quoted if needed. A quote mark keeps text that a spreadsheet would run as a formula. */
function field(value: ExportedValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const plain = harmless(value);
  const safe = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
