import { EXIT, type ExitCode } from "../basics/errors.ts";
import { placeProcesses } from "../plan/placement.ts";
import { gradeOf, isWell, judgeMachine } from "../doctor/examine.ts";
import { machineFacts } from "../doctor/machine-facts.ts";
import { watchMachine } from "../doctor/watch.ts";
import { doctorTable } from "../report/doctor-table.ts";
import { inspectTools, judgeTool } from "../observe/inspect-tools.ts";
import type { Context } from "./context.ts";

/** `bench doctor`: the differences this machine can prove, its faults and their remedies. Changes nothing. */
export async function doctorCommand(context: Context): Promise<ExitCode> {
  const { outStyle, errStyle, columns, say } = context;
  // Before anything is started, load and pressure are other programs' alone.
  const machine = machineFacts();
  say(errStyle.dim("Watching this machine for a second"));
  // The canary runs on a server's CPUs.
  const watch = await watchMachine(placeProcesses(machine.topology).serverCpus?.[0] ?? null);
  const tools = await inspectTools();
  const findings = [
    ...judgeMachine(machine, watch),
    ...tools.map(judgeTool),
  ];
  const grade = gradeOf(machine, watch);
  const record = { schema: "levelfield.doctor/3", ...grade, findings };
  context.show(record, () => doctorTable({ findings, grade }, outStyle, columns));
  return isWell(findings) ? EXIT.done : EXIT.invalid;
}
