import type { CommandServer } from "../../suites/suite.ts";
import { httpClient } from "./http-client.ts";
import { type RuntimeBinary, SCRIPT_ARGS } from "./runtimes.ts";

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

/** Whether a path is answered with a status that no server has which is not ready. */
export async function isReady(url: string, path: string): Promise<boolean> {
  const client = httpClient(url, 1_000);
  try {
    return (await client.send("GET", path)).status < 500;
  } catch {
    return false;
  } finally {
    client.close();
  }
}
