import { isJudged, shownInterval } from "../record/verdicts.ts";
import { cellName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Comparison } from "../record/comparison.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { NO_LOAD, type Solo } from "../judge/lines.ts";
import { statusOf } from "../judge/status.ts";
import { harmless } from "../report/align.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { type Column, figureColumns, keyNames, soloObservations } from "./rows.ts";

type ExportedValue = string | number | null | undefined;

type Fields = Readonly<Record<string, ExportedValue>>;

/** A run as one table: a row for each verdict and each window, a column a variable. */
interface RowTable {
  readonly columns: readonly string[];
  readonly rows: readonly Fields[];
}

/**
 * Returns a run as one table. `row` says what a row is: `verdict` compares `name` with `under`; `alone` is the window of a
 * server by itself; `together` is one in which servers shared a core, whose CPU time verdicts rest on.
 */
export function exportTable(files: RunFiles): RowTable {
  const { run, summary } = files;
  const alone = soloObservations(files), measures = figureColumns(run.plan, alone);
  const { hosts } = run;
  const hosted = hosts === undefined ? [] : HOSTED.map(([name, value]): Column => [name, () => value(hosts)]);
  const known = [...hosted, ...measures].map(([name]) => name);
  const keys = keyNames(run.plan.axes, [...HEAD, "label", ...VERDICT, ...known], ({ name }) => name);
  const valuesOf = (row: string, { point, label }: Cell, name: string): Fields => ({
    ...{ row, run: run.run, name, suite: point.suite, label },
    ...Object.fromEntries(keys.map(({ key, axis }) => [key, point.at[axis.name]])),
  });
  const windowOf = (row: string, solo: Solo): Fields => ({
    ...valuesOf(row, solo.member.cell, cellName(run.plan.axes, solo.member.cell)),
    ...Object.fromEntries([...hosted, ...measures].map(([name, value]) => [name, value(solo)])),
  });
  const cells = new Map(summary.cells.map(({ name, cell }) => [name, cell]));
  const rates = summary.open_loop?.rates ?? [];
  const verdicts = [
    ...[{ moment: "", families: summary.families }, ...summary.memory ?? []].map(({ moment, families }) => ({
      moment,
      comparisons: families.flatMap(({ comparisons }) => comparisons),
    })),
    ...(["p50", "p99"] as const).map((moment) => ({ moment, comparisons: rates.flatMap((one) => one[moment]) })),
  ];
  const windows = [
    ...alone.map((solo) => ({ index: solo.line.index, fields: windowOf("alone", solo) })),
    ...togetherOf(files).map((solo) => ({
      index: solo.line.index,
      fields: { ...windowOf("together", solo), ...costOf(run.plan, solo) },
    })),
  ];
  return {
    columns: [...new Set([...HEAD, ...keys.map(({ key }) => key), "label", ...VERDICT, ...known])],
    rows: [
      ...verdicts.flatMap(({ moment, comparisons }) =>
        comparisons.map((one) => ({
          ...valuesOf("verdict", cells.get(one.over)!, one.over),
          ...verdictFields(run.plan, one, moment),
        }))
      ),
      ...windows.sort((a, b) => a.index - b.index).map(({ fields }) => fields),
    ],
  };
}

const HEAD = ["row", "run", "name", "suite"];
const VERDICT = [
  ...["under", "ratio_of", "verdict", "rounds", "ratio", "ratio_low", "ratio_high", "level", "delta"],
  ...["smallest_detectable", "ratio_slow_core", "ratio_fast_core"],
];

/** Columns of runs with hosts: the commands that led to them, empty for the driver's host, and the address between. */
const HOSTED: readonly (readonly [name: string, value: (hosts: NonNullable<RunRecord["hosts"]>) => string | null])[] = [
  ["server_host", (hosts) => hosts.server],
  ["load_host", (hosts) => hosts.load],
  ["server_address", (hosts) => hosts.address],
];

const RATIO_OF = {
  together: "cpu_ns_per_request, under / over",
  solo: "requests_per_second, over / under",
  memory: "resident bytes, under / over",
  waits: "wait from due, under / over",
} as const;

/** The fields of a verdict: `name` over `under`. `moment` is when memory was read, or the quantile of a wait; else empty. */
function verdictFields(plan: WordedPlan, comparison: Comparison, moment: string): Fields {
  const { under, basis, verdict } = comparison;
  const ratio_of = `${inWords(plan, RATIO_OF[basis])}${moment && ` (${moment})`}`;
  if (!isJudged(comparison)) {
    return { under, ratio_of, verdict, reasons: comparison.marks.map(({ code }) => code).join(" ") };
  }
  const { ratio, interval, rounds, delta, smallest_detectable, core } = comparison;
  const shown = shownInterval(comparison);
  return {
    ...{ under, ratio_of, verdict, rounds, ratio, ratio_low: shown.low, ratio_high: shown.high },
    ...{ level: interval.level, delta, smallest_detectable },
    ...{ ratio_slow_core: core?.slow.ratio, ratio_fast_core: core?.fast.ratio },
  };
}

const isTogether = ({ kind, windows }: Observation) => kind === "ensemble" && windows === undefined;

/** Windows in which servers shared a core, one for each of them: only CPU time and requests belong to one. */
function togetherOf({ lines }: Pick<RunFiles, "lines">): Solo[] {
  return lines.filter(isTogether).flatMap((line) =>
    line.members.map((member): Solo => {
      const marks = [...line.marks, ...member.marks];
      return { ...NO_LOAD, line, round: line.round, status: statusOf(marks), marks, member };
    })
  );
}

const costOf = (plan: WordedPlan, { member }: Solo): Fields => ({
  [inWords(plan, "requests")]: member.requests,
  [inWords(plan, "cpu_ns_per_request")]: member.cpu_ns_per_request,
});

/** Tidy CSV (RFC 4180) of verdicts and windows, see {@link exportTable}: empty where a row has no such value. */
export function toCsv(files: RunFiles): string {
  const { columns, rows } = exportTable(files);
  const texts = rows.map((row) => columns.map((column) => field(row[column])).join(","));
  return [columns.map(field).join(","), ...texts].map((row) => `${row}\r\n`).join("");
}

/** A number, which begins with a sign and is no formula. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/**
 * The begin of a formula, of a field or behind what some reader separates cells by: spreadsheets split at `;` or a tab where
 * commas are decimal. Spaces and quotes before it may be left out by the reader.
 */
const FORMULA = /(?:^|[,;\t\r\n])[\s"]*(?=[=+\-@\uff0b\uff0d\uff1d\uff20])/g;

/** A field, quoted if needed. An apostrophe keeps text that a spreadsheet would run as a formula. */
function field(value: ExportedValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const plain = harmless(value);
  const safe = NUMBER.test(plain) ? plain : plain.replace(FORMULA, "$&'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
