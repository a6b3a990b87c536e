import { readLeanLine } from "../evidence.ts";
import type { RunFiles } from "../shown-run.ts";
import type { TrialRecord } from "../../core/result/trial-record.ts";

/**
 * Go's benchmark format, for benchstat: one line a trial that holds, so that benchstat sees every round. Keys of a name
 * (`/runtime=bun`) can be compared with `benchstat -col /runtime`. Trials that do not hold are left out, and those the
 * generator limited carry their bound in the name: benchstat must not put them beside others.
 *
 * @see https://go.googlesource.com/proposal/+/master/design/14313-benchmark-format.md
 */
export function toBenchstat({ run, lines }: RunFiles): string {
  const head = [
    `goos: ${run.machine.os.toLowerCase()}`,
    `goarch: ${run.machine.architecture === "x64" ? "amd64" : run.machine.architecture}`,
    "pkg: levelfield",
    `cpu: ${run.machine.cpu_model}`,
    `run: ${run.run}`,
    `grade: ${run.grade.grade}`,
  ].map(oneLine);
  const trials = lines.map((line) => readLeanLine(line).record).filter((line) => line.schema === "levelfield.trial/1");
  const rows = trials.filter((trial) => trial.status === "ok" && trial.load !== null).map(row);
  return [...head, "", ...rows, ""].join("\n");
}

function row({ cell, label, load, latency, counters, bound }: TrialRecord): string {
  const key = (name: string, value: string | number) => `/${name}=${String(value).replace(/[\s/]/g, "_")}`;
  const name = `Benchmark${cell.suite[0]!.toUpperCase()}${cell.suite.slice(1)}${key("workload", cell.workload)}` +
    key("runtime", cell.runtime) + key("store", cell.store) + key("size", cell.size) +
    (label === "main" ? "" : key("label", label)) + (bound === "generator" ? key("bound", bound) : "");
  const values: (readonly [number | null | undefined, string])[] = [
    [1e9 / load!.requests_per_second, "ns/op"],
    [load!.requests_per_second, "req/s"],
    [counters?.server_cpu_ns_per_request, "cpu-ns/op"],
    [us(latency?.p50_us), "p50-ns"],
    [us(latency?.p99_us), "p99-ns"],
    [counters?.server_peak_rss_bytes, "peak-RSS-bytes"],
  ];
  const known = values.filter(([value]) => value !== null && value !== undefined && Number.isFinite(value));
  return [name, load!.requests, ...known.map(([value, unit]) => `${Number(value!.toPrecision(7))} ${unit}`)].join("\t");
}

const us = (value: number | undefined) => value === undefined ? undefined : 1_000 * value;
const oneLine = (text: string) => text.replace(/\s+/g, " ");
