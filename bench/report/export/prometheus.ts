import type { CellCard } from "../../core/result/cell-card.ts";
import type { RunFiles } from "../shown-run.ts";

/** A metric: its name in base units, as Prometheus asks for, and its value. */
interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: (card: CellCard) => number | null;
}

const scaled = (value: number | null, by: number) => value === null ? null : value * by;

const GAUGES: readonly Gauge[] = [
  { name: "requests_per_second", help: "Median request rate.", value: (card) => card.requests_per_second },
  {
    name: "requests_per_second_low",
    help: "Lower end of the rate's 95 % interval.",
    value: (card) => card.requests_per_second_interval?.low ?? null,
  },
  {
    name: "requests_per_second_high",
    help: "Upper end of the rate's 95 % interval.",
    value: (card) => card.requests_per_second_interval?.high ?? null,
  },
  {
    name: "cpu_seconds_per_request",
    help: "Median CPU time of the server for one request.",
    value: (card) => scaled(card.cpu_ns_per_request, 1e-9),
  },
  { name: "latency_p50_seconds", help: "Median of service times.", value: (card) => scaled(card.p50_us, 1e-6) },
  {
    name: "latency_p99_seconds",
    help: "99th percentile of service times.",
    value: (card) => scaled(card.p99_us, 1e-6),
  },
  { name: "peak_resident_bytes", help: "Peak memory of the server.", value: (card) => card.peak_rss_bytes },
  { name: "startup_seconds", help: "Time until the server listens.", value: (card) => scaled(card.startup_ms, 1e-3) },
  { name: "disk_bytes", help: "Size of the store's files.", value: (card) => card.disk_bytes },
  { name: "cell_ok", help: "1 when every trial of the cell holds.", value: (card) => card.status === "ok" ? 1 : 0 },
];

/**
 * Prometheus text format, for the textfile collector or a push gateway. A cell the generator limited has bound="generator"
 * among its labels: its rate is a lower bound.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function toPrometheus({ run, cells }: RunFiles): string {
  const lines = GAUGES.flatMap(({ name, help, value }) => {
    const samples = cells.flatMap((card) => {
      const found = value(card);
      return found === null ? [] : [`levelfield_${name}{${labelsOf(run.run, card)}} ${found}`];
    });
    return samples.length === 0
      ? []
      : [`# HELP levelfield_${name} ${help}`, `# TYPE levelfield_${name} gauge`, ...samples];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function labelsOf(run: string, card: CellCard): string {
  const { suite, workload, runtime, store, size } = card.cell;
  const labels = { run, suite, workload, runtime, store, size: String(size), label: card.label, bound: card.bound };
  return Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`).join(",");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
