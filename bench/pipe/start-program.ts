import { startChild } from "../machine/child.ts";
import { FOLDER, type HostCommand, type HostProcess, type Listeners } from "./host.ts";
import { programFolder, readFiles } from "../process/program-files.ts";
import { childEnvironment } from "../runtimes/runtimes.ts";

/**
 * Starts a program here, with its files in a new folder. If its files cannot be written, it counts as ended, with the
 * reason.
 */
export function startProgram(command: HostCommand, { onLine, onStart }: Listeners = {}): HostProcess {
  const { files, output, args, env, ...plain } = command;
  let folder: ReturnType<typeof programFolder> | null = null;
  try {
    if (files !== undefined || output !== undefined) folder = programFolder(files ?? {});
  } catch (error) {
    return neverStarted(`its files cannot be written: ${(error as Error).message}`);
  }
  const child = startChild({
    ...plain,
    args: folder === null ? args : args.map((word) => word.replaceAll(FOLDER, folder.path)),
    env: { ...childEnvironment(), ...env },
    ...(folder === null ? {} : { handles: folder.handles }),
  });
  folder?.close();
  onStart?.(() => child.killAll());
  if (onLine !== undefined) child.onLine(onLine);
  if (folder === null) return child;
  const { path, remove } = folder;
  const ended = child.ended.then((ending) => {
    const written = readFiles(output ?? [], path);
    remove();
    return "failed" in ending ? ending : { ...ending, files: written };
  });
  return { ...child, ended };
}

/** The process of a program that could not be started. */
const neverStarted = (failed: string): HostProcess => ({
  pid: -1,
  ended: Promise.resolve({ failed }),
  stdout: () => "",
  stderrTail: () => "",
  kill: () => Promise.resolve(),
  killAll() {},
});
