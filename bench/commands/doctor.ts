import { examine, isWell } from "../core/doctor/examine.ts";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { placeProcesses } from "../core/placement.ts";
import { folderFacts } from "../host/doctor/folder-facts.ts";
import { machineFacts } from "../host/doctor/machine-facts.ts";
import { watchMachine } from "../host/doctor/watch.ts";
import { doctorTable } from "../report/doctor-table.ts";
import { inspectTools } from "../observe/inspect-tools.ts";
import { harmlessJson } from "../report/harmless.ts";
import { type Context, dataDirectory, resultsDirectory } from "./context.ts";

/** `bench doctor`: what this machine can prove, what that costs and what mends it. Changes nothing. */
export async function doctorCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, outStyle, errStyle, columns, print, say } = context;
  // Read before anything is started, so that load and pressure are those of others.
  const machine = machineFacts();
  say(errStyle.dim("Watching this machine for a second"));
  // The canary runs where a server would.
  const watch = await watchMachine(placeProcesses(machine.topology).serverCpus?.[0] ?? null);
  const examination = examine({
    machine,
    watch,
    tools: await inspectTools(),
    folders: [folderFacts("data", dataDirectory(args)), folderFacts("results", resultsDirectory(args))],
  });
  const { grade, findings } = examination;
  if (args.has("json")) {
    stdout.write(harmlessJson({ schema: "levelfield.doctor/1", ...grade, findings }) + "\n");
  } else print(doctorTable(examination, outStyle, columns));
  return isWell(findings) ? EXIT.done : EXIT.invalid;
}
