import { counted } from "../basics/units.ts";
import type { RunRecord } from "../record/run-record.ts";

/** `AMD EPYC (amd-25-17), 2 CPUs, shared`: what verdicts of a run hold for, and its grade. */
export function machineText({ machine, grade }: Pick<RunRecord, "machine" | "grade">): string {
  return `${machine.cpu_model} (${machine.cpu_kind}), ${counted(machine.cpus, "CPU")}, ${grade.grade}`;
}
