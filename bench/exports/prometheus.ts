import type { CellFigures } from "../record/card.ts";
import type { RunFiles } from "../page/shown-run.ts";
import type { MetricKey } from "../report/metrics.ts";
import { harmless } from "../report/align.ts";
import { keyNames } from "./rows.ts";

/** Metrics: names in base units, as Prometheus asks for, their meaning, their figure on a card, and its unit in theirs. */
const GAUGES: readonly (readonly [name: string, help: string, figure: Figure, by?: number])[] = [
  ["requests_per_second", "Median request rate.", "requests_per_second"],
  [
    "requests_per_second_low",
    "Lower end of the rate's 95 % interval.",
    (card) => card.requests_per_second_interval?.low,
  ],
  [
    "requests_per_second_high",
    "Upper end of the rate's 95 % interval.",
    (card) => card.requests_per_second_interval?.high,
  ],
  ["rows_per_second", "Median rate of rows read or written.", "rows_per_second"],
  ["transfer_bytes_per_second", "Median rate of reply bytes, heads included.", "transfer_bytes_per_second"],
  ["error_share", "Share of replies with an error status.", "error_share"],
  ["cpu_seconds_per_request", "Median CPU time of the server for one request.", "cpu_ns_per_request", 1e-9],
  ["latency_p50_seconds", "50th percentile of service times.", "p50_us", 1e-6],
  ["latency_p99_seconds", "99th percentile of service times.", "p99_us", 1e-6],
  ["peak_resident_bytes", "Peak memory of the server.", "peak_rss_bytes"],
  ["startup_seconds", "Time until the server listens.", "startup_ms", 1e-3],
  ["disk_bytes", "Size of the files it serves from.", "disk_bytes"],
  ["cell_ok", "1 when every observation of the cell holds.", (card) => card.status === "ok" ? 1 : 0],
];

type Figure = MetricKey | ((card: CellFigures) => number | undefined);

const valueOf = (card: CellFigures, figure: Figure) =>
  (typeof figure === "string" ? card[figure] : figure(card)) ?? null;

/** Help of what is a median over rounds: with one round it is none. */
const OVER_ROUNDS = /^Median (.*)\.$/;

/**
 * Prometheus text format, for the textfile collector or a push gateway. A cell that generator or network limited says so in its
 * label `bound`: its rate is a lower bound. Runs with hosts name them; the driver's own is an empty label, which is as good as
 * none there.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function toPrometheus({ run, cells }: RunFiles): string {
  const keys = keyNames(
    run.plan.axes,
    ["run", "suite", "label", "bound", "server_host", "load_host"],
    ({ option }) => option.toLowerCase().replace(/[^a-z0-9_]/g, "_").replace(/^(?=[0-9]|__|$)/, "axis_"),
  );
  const labelsOf = ({ cell: { point, label }, bound }: CellFigures) =>
    [
      ["run", run.run],
      ["suite", point.suite],
      ...keys.map(({ key, axis }) => [key, String(point.at[axis.name])]),
      ["label", label],
      ["bound", bound],
      ...(run.hosts === undefined ? [] : [
        ["server_host", run.hosts.server ?? ""],
        ["load_host", run.hosts.load ?? ""],
      ]),
    ].map(([name, value]) => `${name}="${escaped(value!)}"`).join(",");
  const once = cells.every(({ observations_ok }) => observations_ok <= 1);
  const lines = GAUGES.flatMap(([name, help, figure, by = 1]) => {
    const samples = cells.flatMap((card) => {
      const value = valueOf(card, figure);
      return value === null ? [] : [`levelfield_${name}{${labelsOf(card)}} ${value * by}`];
    });
    return samples.length === 0 ? [] : [
      `# HELP levelfield_${name} ${once ? help.replace(OVER_ROUNDS, "One sample: $1.") : help}`,
      `# TYPE levelfield_${name} gauge`,
      ...samples,
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function escaped(text: string): string {
  return harmless(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
