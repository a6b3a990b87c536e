import type { CommandServer } from "../../suites/suite.ts";
import { type RuntimeBinary, SCRIPT_ARGS } from "../runtimes/runtimes.ts";

/** The words a program is started with: a script's begin with its runtime. */
export function programWords(
  { command, runtime, runtimeArgs = [] }: CommandServer,
  binary: RuntimeBinary | null,
): readonly string[] {
  if (runtime === undefined) return command;
  if (binary === null) throw new RangeError(`a program needs a runtime, and "${runtime}" names none`);
  const [first, ...rest] = SCRIPT_ARGS[binary.name];
  return [binary.file, ...(first === undefined ? [] : [first]), ...runtimeArgs, ...rest, ...command];
}
