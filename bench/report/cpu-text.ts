import type { RunRecord } from "../record/run-record.ts";

/** `AMD EPYC (amd-25-1)`: a CPU by its model's name and its kind, which is what verdicts hold for. */
export function cpuText({ cpu_model, cpu_kind }: Pick<RunRecord["machine"], "cpu_model" | "cpu_kind">): string {
  return `${cpu_model} (${cpu_kind})`;
}
