import type { ContrastRecord, ContrastRow } from "../record/contrast-record.ts";
import { percent } from "../basics/percent.ts";
import { counted, formatDurationMs, formatRate, formatRatio, formatUs } from "../basics/units.ts";
import { folded } from "./align.ts";
import { joinedText } from "./joined-text.ts";
import type { Style } from "./style.ts";

/** A contrast for people: a table for each place, what is absent, and what it says about what was published. */
export function contrastText(record: ContrastRecord, style: Style, columns = Infinity): string {
  const { name, request, hosts, absent, claims, rows, observations, wall_ms } = record;
  const where = hosts === undefined ? "on this machine" : "on hosts";
  const lines = [
    style.bold(`${name} under each load generator, ${where} (${record.cpu_kind})`),
    `all send ${request.method} ${request.path}; medians of ${counted(observations.length, "round")} of ${
      record.duration_ms / 1_000
    } s, ` +
    `${formatDurationMs(wall_ms)} in all`,
    ...(hosts === undefined ? [] : [joinedText(hosts)]),
    "",
  ];
  for (
    const [place, title] of [
      ["apart", `Server on CPU ${record.server_cpus ?? "?"}, generator on CPU ${record.load_cpus ?? "?"}`],
      ["one-core", `Both on CPU ${record.server_cpus ?? "?"}`],
    ] as const
  ) {
    const own = rows.filter((row) => row.place === place);
    if (own.length > 0) lines.push(...table(title, own, style, columns), "");
  }
  for (const row of rows.filter(({ reasons }) => reasons.length > 0)) {
    lines.push(
      `${style.yellow("marked")} ${row.generator}, ${row.place}: ${row.windows - row.sound} of ${
        counted(row.windows, "window")
      }: ` +
        row.reasons.join("; "),
    );
  }
  for (const row of rows.filter(({ warnings }) => warnings.length > 0)) {
    lines.push(`${style.yellow("it says")} ${row.generator}, ${row.place}: ${row.warnings.join("; ")}`);
  }
  for (const { name, reason } of absent) lines.push(`${style.dim("absent")} ${name}: ${reason}`);
  for (const { status, reasons } of observations.filter((each) => each.status !== "ok")) {
    lines.push(`${style.yellow(status)} ${reasons.map(({ message }) => message).join("; ")}`);
  }
  const paint = { confirmed: style.green, refuted: style.red, open: style.yellow };
  for (const { claim, source, answer, sentence } of claims) {
    lines.push(`${paint[answer](answer)}: ${claim} (${source})`, `  ${sentence}`);
  }
  return `${lines.join("\n")}\n`;
}

function table(title: string, rows: readonly ContrastRow[], style: Style, columns: number): string[] {
  const [head, ...body] = folded(
    [
      ["", "version", "req/s", "of wrk's", "its CPU", "server's CPU", "limit", "p50", "p99", "raw p50", "raw p99"],
      ...rows.map((row) => [
        row.generator,
        row.version,
        dash(row.requests_per_second, formatRate),
        row.over_wrk === null ? "–" : `${formatRatio(row.over_wrk)} (${spread(row)})`,
        dash(row.generator_cpu_ns_per_request, cpu),
        dash(row.server_cpu_ns_per_request, cpu),
        row.place === "one-core" ? "the core" : row.bound,
        dash(row.told_p50_us, formatUs),
        dash(row.told_p99_us, formatUs),
        dash(row.raw_p50_us, formatUs),
        dash(row.raw_p99_us, formatUs),
      ]),
    ],
    (column) => column < 2 || column === 6,
    columns,
  );
  const busy = rows.flatMap(({ server_share }) => server_share ?? []);
  const remark = busy.length === 0
    ? ""
    : `; server busy ${percent(Math.min(...busy), 0)} to ${percent(Math.max(...busy), 0)}`;
  return [`${title}${remark}`, ...head!.map(style.dim), ...body.flat()];
}

const spread = ({ over_wrk_least: least, over_wrk_most: most }: ContrastRow) =>
  least === null || most === null ? "" : `${formatRatio(least)}–${formatRatio(most)}`;

const cpu = (ns: number) => formatUs(ns / 1_000);
const dash = (value: number | null, format: (value: number) => string) => value === null ? "–" : format(value);
