import type { LatencyCell, TailRow } from "../record/latency-cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { LatencyReport } from "../result/latency/latency-of.ts";
import { counted, formatRate, formatUs } from "../basics/units.ts";
import { folded } from "./align.ts";
import { joinedText } from "./joined-text.ts";
import { wallText } from "./wall-text.ts";
import type { Style } from "./style.ts";

/** What a run says of latency, for people: for each cell its tails, its knee and its curve, and what it holds. */
export function latencyText(
  { run, limit, cells }: LatencyReport,
  lines: readonly Observation[],
  style: Style,
  columns = Infinity,
): string {
  const { hosts, plan, machine, grade, further_generators: generators = [] } = run;
  const where = hosts === undefined ? "on this machine" : "on hosts";
  const lost = lines.filter(({ status }) => status !== "ok");
  return `${
    [
      style.bold(`What somebody waits at a fixed rate, ${where} (${machine.cpu_kind}, grade ${grade.grade})`),
      `open loop by ${generators.map(({ name, version }) => `${name} ${version}`).join(", ")}; windows of ${
        plan.duration_ms / 1_000
      } s${wallText(run)}`,
      ...(hosts === undefined ? [] : [joinedText(hosts)]),
      ...cells.flatMap((cell) => ["", ...cellLines(cell, limit, style, columns)]),
      ...lost.map(({ status, marks }) => `${style.yellow(status)} ${marks.map(({ text }) => text).join("; ")}`),
    ].join("\n")
  }\n`;
}

function cellLines(
  { name, sentence, tails, knee, connections, contradictions = [] }: LatencyCell,
  limit: string,
  style: Style,
  columns: number,
) {
  const [head, ...rows] = folded(
    [
      ["at", "req/s", "answered", "dropped", "p50", "p99", "95 % of its median", "p99.9", "p99 by the sender's clock"],
      ...tails.map((row) => [
        row.name,
        formatRate(row.offered_per_second),
        row.sent_share === null ? "–" : `${(100 * row.sent_share).toFixed(1)} %`,
        dash(row.dropped, String),
        dash(row.p50_us, formatUs),
        dash(row.p99_us, formatUs),
        tailInterval(row),
        dash(row.p999_us, formatUs),
        dash(row.sender_p99_us, formatUs),
      ]),
    ],
    (column) => column === 0,
    columns,
  );
  const [heading, ...curve] = folded(
    [
      ["connections", "req/s", "p50", "p99"],
      ...connections.map((row) => [
        String(row.connections),
        dash(row.requests_per_second, formatRate),
        dash(row.p50_us, formatUs),
        dash(row.p99_us, formatUs),
      ]),
    ],
    () => false,
    columns,
  );
  return [
    `${style.bold(name)} ${sentence}`,
    ...contradictions.map((text) => `${style.yellow("contradicted")} ${text}`),
    ...head!.map(style.dim),
    ...rows.flat(),
    ...tails.filter(({ reasons }) => reasons.length > 0).map((row) =>
      `${style.yellow("marked")} ${row.name}: ${row.windows - row.sound} of ${counted(row.windows, "window")}: ${
        row.reasons.join("; ")
      }`
    ),
    ...unsure(tails),
    ...(knee === null ? [] : [
      `knee at ${limit}, ${counted(knee.steps.length, "step")}: ` +
      knee.steps.map((step) =>
        `${formatRate(step.per_second)} ${step.holds === null ? "?" : step.holds ? "holds" : "does not"}`
      ).join(", "),
    ]),
    ...heading!.map(style.dim),
    ...curve.flat(),
  ];
}

/** `[800µs, 1.00ms]`: where the median over windows lies; a dash where they are too few. */
function tailInterval({ p99_interval: interval }: TailRow): string {
  return interval === null || interval === undefined
    ? "–"
    : `[${formatUs(interval.low_us)}, ${formatUs(interval.high_us)}]`;
}

/** Why tails have no interval, each reason once. */
const unsure = (tails: readonly TailRow[]) =>
  [...new Set(tails.flatMap(({ why_no_interval }) => why_no_interval ?? []))].map((why) => `no interval: ${why}`);

const dash = (value: number | null, format: (value: number) => string) => value === null ? "–" : format(value);
