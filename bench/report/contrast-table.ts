import type { Contrast, ContrastRow, OpenRow } from "../record/contrast-rows.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { counted, dash, formatCpu, formatRate, formatRatio, formatUs, percent } from "../basics/units.ts";
import { joinedText, wallText } from "./machine-text.ts";
import type { Style, TextWish } from "./style.ts";
import { tableLines } from "./table.ts";

/** A contrast for people: a table for each place, what is absent and what is marked. */
export function contrastTable(
  run: RunRecord,
  { name, rows, open = [], drawn_over_one }: Contrast,
  lines: readonly Observation[],
  { style, columns }: TextWish,
): string {
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
    if (atPlace.length > 0) reported.push(...table(title, atPlace, style, columns), "");
  }
  if (open.length > 0) reported.push(...openTable(open, further.open!.share, { style, columns }), "");
  if (drawn_over_one !== null) {
    reported.push(
      `with the requests of the cell, drawn on the way, wrk reached ${formatRatio(drawn_over_one)} of its rate`,
    );
  }
  const textsOf = ({ marks }: ContrastRow, isWarning: boolean) =>
    marks.filter(({ effect }) => (effect === "note") === isWarning).map(({ text }) => text).join("; ");
  for (const row of rows.filter((row) => textsOf(row, false) !== "")) {
    reported.push(
      `${style.yellow("marked")} ${row.generator}, ${row.place}: ${row.windows - row.sound} of ${
        counted(row.windows, "window")
      }: ${textsOf(row, false)}`,
    );
  }
  for (const row of rows.filter((row) => textsOf(row, true) !== "")) {
    reported.push(`${style.yellow("it says")} ${row.generator}, ${row.place}: ${textsOf(row, true)}`);
  }
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

/** Open loops at one rate: waits from when requests were due, and how late each generator itself was. */
function openTable(rows: readonly OpenRow[], share: string, wish: TextWish): string[] {
  const clocks = rows.map(({ open_loop: loop }) => loop?.by_clock);
  const us = (row: number, clock: "due" | "sent" | "late", quantile: "p50" | "p99") =>
    dash(clocks[row]?.[clock][quantile]?.us, formatUs);
  return [
    `At ${share.replace("%", " %")} of what wrk reached, waits from when requests were due`,
    ...tableLines(
      {
        heads: ["", "version", "req/s", "answered", "p50", "p99", "late p50", "late p99", "p99 when sent"],
        rows: rows.map(({ generator, version, open_loop: loop }, n) => [
          ...[generator, version, dash(loop?.offered_per_second, formatRate), dash(loop?.answered_share, percent)],
          ...[
            us(n, "due", "p50"),
            us(n, "due", "p99"),
            us(n, "late", "p50"),
            us(n, "late", "p99"),
            us(n, "sent", "p99"),
          ],
        ]),
        isText: (column) => column < 2,
      },
      wish,
      0,
    ),
  ];
}

function table(title: string, rows: readonly ContrastRow[], style: Style, columns: number): string[] {
  const lines = tableLines(
    {
      heads: [
        "",
        "version",
        "req/s",
        "of wrk's",
        "its CPU",
        "server's CPU",
        "limit",
        "p50",
        "p99",
        "raw p50",
        "raw p99",
      ],
      rows: rows.map((row) => [
        row.generator,
        row.version,
        dash(row.requests_per_second, formatRate),
        dash(row.over_wrk, (ratio) => `${formatRatio(ratio)} (${spread(row)})`),
        dash(row.generator_cpu_ns_per_request, formatCpu),
        dash(row.server_cpu_ns_per_request, formatCpu),
        row.place === "one-core" ? "the core" : row.bound,
        dash(row.told_p50_us, formatUs),
        dash(row.told_p99_us, formatUs),
        dash(row.raw_p50_us, formatUs),
        dash(row.raw_p99_us, formatUs),
      ]),
      isText: (column) => column < 2 || column === 6,
    },
    { style, columns },
    0,
  );
  const busy = rows.flatMap(({ server_share }) => server_share ?? []);
  const remark = busy.length === 0
    ? ""
    : `; server busy ${percent(Math.min(...busy), 0)} to ${percent(Math.max(...busy), 0)}`;
  return [`${title}${remark}`, ...lines];
}

const spread = ({ over_wrk_least: least, over_wrk_most: most }: ContrastRow) =>
  least === null || most === null ? "" : `${formatRatio(least)}–${formatRatio(most)}`;
