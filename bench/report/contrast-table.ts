import type { Contrast, ContrastRow, OpenRow } from "../record/contrast-rows.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { counted, dash, formatCpu, formatRate, formatRatio, formatUs, percent } from "../basics/units.ts";
import { joinedText, wallText } from "./machine-text.ts";
import type { TextOptions } from "./style.ts";
import { type ColumnOf, tableLines, tableOfColumns } from "./table.ts";

/** A contrast for people: a table for each place, missing windows and marks. */
export function contrastTable(
  run: RunRecord,
  { name, rows, open, drawn_over_one }: Contrast,
  lines: readonly Observation[],
  options: TextOptions,
): string {
  const { style } = options;
  const { hosts, plan: { further, duration_ms, rounds }, machine, placement } = run;
  if (further?.axis !== "generator") return "";
  const { request, absent } = further;
  const where = hosts === undefined ? "on this machine" : "on hosts";
  const reported = [
    style.bold(`${name} under each load generator, ${where} (${machine.cpu_kind})`),
    `all send ${request.method} ${request.path}; medians of ${counted(rounds, "round")} of ${duration_ms / 1_000} s${
      wallText(run)
    }`,
    ...(hosts === undefined ? [] : [joinedText(hosts)]),
    "",
  ];
  for (
    const [place, title] of [
      ["apart", `Server on CPU ${placement.server_cpus ?? "?"}, generator on CPU ${placement.load_cpus ?? "?"}`],
      ["one-core", `Both on CPU ${placement.server_cpus ?? "?"}`],
    ] as const
  ) {
    const atPlace = rows.filter((row) => row.place === place);
    const table = tableOfColumns(atPlace, COLUMNS, (column) => column < 2 || column === 6);
    if (atPlace.length > 0) reported.push(title + busyText(atPlace), ...tableLines(table, options, 0), "");
  }
  if (open.length > 0) {
    const share = further.open!.share.replace("%", " %");
    const table = tableOfColumns(open, AT_RATE, (column) => column < 2);
    reported.push(
      `At ${share} of what wrk reached, waits from when requests were due`,
      ...tableLines(table, options, 0),
      "",
    );
  }
  if (drawn_over_one !== null) {
    reported.push(
      `with the requests of the cell, drawn on the way, wrk reached ${formatRatio(drawn_over_one)} of its rate`,
    );
  }
  const textsOf = ({ marks }: ContrastRow, isWarning: boolean) =>
    marks.filter(({ effect }) => (effect === "note") === isWarning).map(({ text }) => text).join("; ");
  const said = (title: string, isWarning: boolean) =>
    rows.filter((row) => textsOf(row, isWarning) !== "").map((row) => {
      const lost = isWarning ? "" : `${row.windows - row.sound} of ${counted(row.windows, "window")}: `;
      return `${style.yellow(title)} ${row.generator}, ${row.place}: ${lost}${textsOf(row, isWarning)}`;
    });
  reported.push(...said("marked", false), ...said("it says", true));
  for (const { generator, marks, windows, sound } of open.filter(({ marks }) => marks.length > 0)) {
    const texts = marks.map(({ text }) => text).join("; ");
    reported.push(
      `${style.yellow("marked")} ${generator}, at the rate: ${sound} of ${counted(windows, "window")} sound: ${texts}`,
    );
  }
  for (const { name, reason } of absent) reported.push(`${style.dim("absent")} ${name}: ${reason}`);
  for (const { status, marks } of lines.filter((each) => each.status !== "ok")) {
    reported.push(`${style.yellow(status)} ${marks.map(({ text }) => text).join("; ")}`);
  }
  return `${reported.join("\n")}\n`;
}

const waitOf = (clock: "due" | "sent" | "late", quantile: "p50" | "p99") => ({ open_loop: loop }: OpenRow) =>
  dash(loop?.by_clock[clock][quantile]?.us, formatUs);

/** Open loops at one rate: waits from when requests were due, and how late each generator itself was. */
const AT_RATE: readonly ColumnOf<OpenRow>[] = [
  ["", ({ generator }) => generator],
  ["version", ({ version }) => version],
  ["req/s", ({ open_loop: loop }) => dash(loop?.offered_per_second, formatRate)],
  ["answered", ({ open_loop: loop }) => dash(loop?.answered_share, percent)],
  ["p50", waitOf("due", "p50")],
  ["p99", waitOf("due", "p99")],
  ["late p50", waitOf("late", "p50")],
  ["late p99", waitOf("late", "p99")],
  ["p99 when sent", waitOf("sent", "p99")],
];

const COLUMNS: readonly ColumnOf<ContrastRow>[] = [
  ["", ({ generator }) => generator],
  ["version", ({ version }) => version],
  ["req/s", (row) => dash(row.requests_per_second, formatRate)],
  ["of wrk's", (row) => dash(row.over_wrk, (ratio) => `${formatRatio(ratio)} (${spread(row)})`)],
  ["its CPU", (row) => dash(row.generator_cpu_ns_per_request, formatCpu)],
  ["server's CPU", (row) => dash(row.server_cpu_ns_per_request, formatCpu)],
  ["limit", ({ place, bound }) => place === "one-core" ? "the core" : bound],
  ["p50", (row) => dash(row.told_p50_us, formatUs)],
  ["p99", (row) => dash(row.told_p99_us, formatUs)],
  ["raw p50", (row) => dash(row.raw_p50_us, formatUs)],
  ["raw p99", (row) => dash(row.raw_p99_us, formatUs)],
];

function busyText(rows: readonly ContrastRow[]): string {
  const busy = rows.flatMap(({ server_share }) => server_share ?? []);
  return busy.length === 0 ? "" : `; server busy ${percent(Math.min(...busy), 0)} to ${percent(Math.max(...busy), 0)}`;
}

const spread = ({ over_wrk_least: least, over_wrk_most: most }: ContrastRow) =>
  least === null || most === null ? "" : `${formatRatio(least)}–${formatRatio(most)}`;
