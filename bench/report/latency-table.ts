import type { LatencyCell, TailRow } from "../record/latency-cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { LatencyReport } from "../result/latency/latency-of.ts";
import { peopleText, scheduleText, searchText } from "../result/latency/wait-sentence.ts";
import { counted, dash, formatRate, formatUs } from "../basics/units.ts";
import { printable } from "./align.ts";
import { tableLines } from "./table.ts";
import { joinedText, wallText } from "./machine-text.ts";
import { mergedTexts } from "./merged-texts.ts";
import type { TextWish } from "./style.ts";
import { wrapped } from "./wrap.ts";

/**
 * What a run says of latency, for people: what each cell holds and what may be said between cells, then the figures.
 * With all of it also each step of the searches and the curves of the closed loop.
 */
export function latencyText(
  { run, limit, generator, cells, between }: LatencyReport,
  lines: readonly Observation[],
  { style, columns, all = false }: TextWish,
): string {
  const { hosts, plan, machine, grade, further_generators: generators = [] } = run;
  const { version = "" } = generators.find(({ name }) => name === generator) ?? {};
  const lost = lines.filter(({ status }) => status !== "ok");
  const told = (text: string, indent = 0) =>
    wrapped(printable(text), columns - indent).map((line) => " ".repeat(indent) + line);
  return `${
    [
      ...cells.flatMap(({ name, sentence }) => {
        const [first, ...others] = wrapped(printable(`${name} ${sentence}`), columns - 2);
        return [first!, ...others.map((line) => `  ${line}`)].map(style.bold);
      }),
      ...(between?.sentences ?? []).flatMap((text) => told(text)),
      "",
      ...told(
        `${machine.cpu_kind}, grade ${grade.grade}; open loop by ${`${generator} ${version}`.trim()}, ` +
          `windows of ${plan.duration_ms / 1_000} s${wallText(run)}`,
      ).map(style.dim),
      ...(hosts === undefined ? [] : told(joinedText(hosts))),
      ...cells.flatMap((
        cell,
      ) => ["", ...told(cell.name).map(style.bold), ...cellLines(cell)]),
      ...(lost.length === 0 ? [] : [
        "",
        ...told(
          `${lost.length} of ${counted(lines.length, "observation")} do not count: ${
            mergedTexts(lost.flatMap(({ marks }) => marks.map(({ text }) => text))).join("; ")
          }`,
        ).map(style.yellow),
      ]),
    ].join("\n")
  }\n`;

  function cellLines({ tails, knee, connections, contradictions = [] }: LatencyCell): string[] {
    const missing = tails.reduce((sum, row) => sum + row.windows - row.sound, 0);
    const schedule = scheduleText(tails, generator);
    return [
      ...contradictions.slice(1).flatMap((text) => told(`contradicted: ${text}`, 2).map(style.yellow)),
      ...(tails.some(({ sound }) => sound > 0) ? table(TAIL_HEADS, tails.map(tailFields), 0) : []),
      ...(missing === 0 ? [] : told(
        `${missing} of ${counted(tails.reduce((sum, row) => sum + row.windows, 0), "window")} do not count: ${
          mergedTexts(tails.flatMap(({ reasons }) => reasons)).join("; ")
        }`,
        2,
      ).map(style.yellow)),
      ...(schedule === null ? [] : told(schedule, 2)),
      ...unsure(tails).flatMap((text) => told(text, 2)),
      ...(knee === null || knee.steps.length === 0 ? [] : told(searchText(knee, limit), 2)),
      ...(knee === null || knee.per_second === null || contradictions.length > 0
        ? []
        : told(peopleText(knee.per_second), 2)),
      ...(all && knee !== null ? told(knee.steps.map(stepText).join(", "), 4) : []),
      ...(all && connections.length > 0 ? table(CURVE_HEADS, connections.map(curveFields), -1) : []),
    ];
  }

  function table(heads: readonly string[], rows: readonly (readonly string[])[], text: number): string[] {
    return tableLines({ heads, rows, isText: (column) => column === text }, { style, columns }, 0);
  }
}

const TAIL_HEADS = ["at", "req/s", "answered", "p50", "p99", "95 % of it", "p99.9", "p99 when sent"];

const tailFields = (row: TailRow) => [
  row.name,
  formatRate(row.offered_per_second),
  dash(row.sent_share, (share) => `${(100 * share).toFixed(1)} %`),
  dash(row.p50_us, formatUs),
  dash(row.p99_us, formatUs),
  tailInterval(row),
  dash(row.p999_us, formatUs),
  dash(row.sender_p99_us, formatUs),
];

const CURVE_HEADS = ["connections", "req/s", "p50", "p99"];

const curveFields = (row: LatencyCell["connections"][number]) => [
  String(row.connections),
  dash(row.requests_per_second, formatRate),
  dash(row.p50_us, formatUs),
  dash(row.p99_us, formatUs),
];

type Step = NonNullable<LatencyCell["knee"]>["steps"][number];

const stepText = ({ per_second, holds }: Step) =>
  `${formatRate(per_second)} ${holds === null ? "not judged" : holds ? "holds" : "does not"}`;

/** `[800µs, 1.00ms]`: where the median over windows lies; a dash where they are too few. */
function tailInterval({ p99_interval: interval }: TailRow): string {
  return interval === null || interval === undefined
    ? "–"
    : `[${formatUs(interval.low_us)}, ${formatUs(interval.high_us)}]`;
}

/** What is missing for intervals; empty where nothing is, and where no window counts. */
export const unsure = (tails: readonly TailRow[]): string[] =>
  tails.some(({ sound, why_no_interval }) => sound > 0 && why_no_interval !== undefined)
    ? ["a 95 % interval of a median needs 6 windows that count: --rounds 6"]
    : [];
