import type { TrialRecord } from "../../core/result/trial-record.ts";

/** One variable of a trial. */
export interface Column {
  readonly name: string;
  readonly value: (trial: TrialRecord) => string | number | null | undefined;
}

/** The variables of a trial that stand in a table, units in their names as in results. */
export const TRIAL_COLUMNS: readonly Column[] = [
  { name: "index", value: (trial) => trial.index },
  { name: "round", value: (trial) => trial.round },
  { name: "suite", value: (trial) => trial.cell.suite },
  { name: "workload", value: (trial) => trial.cell.workload },
  { name: "runtime", value: (trial) => trial.cell.runtime },
  { name: "runtime_version", value: (trial) => trial.server?.version },
  { name: "store", value: (trial) => trial.cell.store },
  { name: "size", value: (trial) => trial.cell.size },
  { name: "label", value: (trial) => trial.label },
  { name: "started_at", value: (trial) => trial.started_at },
  { name: "status", value: (trial) => trial.status },
  { name: "reasons", value: (trial) => trial.reasons.map((reason) => reason.code).join(" ") },
  { name: "bound", value: (trial) => trial.bound },
  { name: "requests", value: (trial) => trial.load?.requests },
  { name: "duration_us", value: (trial) => trial.load?.duration_us },
  { name: "requests_per_second", value: (trial) => trial.load?.requests_per_second },
  { name: "cpu_ns_per_request", value: (trial) => trial.counters?.server_cpu_ns_per_request },
  { name: "p50_us", value: (trial) => trial.latency?.p50_us },
  { name: "p90_us", value: (trial) => trial.latency?.p90_us },
  { name: "p99_us", value: (trial) => trial.latency?.p99_us },
  { name: "p999_us", value: (trial) => trial.latency?.p999_us },
  { name: "max_us", value: (trial) => trial.latency?.max_us },
  { name: "mean_us", value: (trial) => trial.latency?.mean_us },
  { name: "startup_ms", value: (trial) => trial.server?.startup_ms },
  { name: "load_ms", value: (trial) => trial.server?.load_ms },
  { name: "disk_bytes", value: (trial) => trial.server?.disk_bytes },
  { name: "peak_rss_bytes", value: (trial) => trial.counters?.server_peak_rss_bytes },
  { name: "server_share", value: (trial) => trial.counters?.server_share },
  { name: "generator_share", value: (trial) => trial.counters?.generator_share },
  { name: "server_wait_share", value: (trial) => trial.counters?.server_wait_share },
  { name: "steal_share", value: (trial) => trial.counters?.steal_share },
  { name: "foreign_share", value: (trial) => trial.counters?.foreign_share },
];
