import { type Child, startChild } from "../machine/child.ts";
import { nowUs } from "../machine/clock.ts";
import { FOLDER, type HostCommand, type HostEnding, type HostProcess, type Listeners } from "./host.ts";
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
  const ended = child.ended.then((ending) => {
    const endedUs = nowUs();
    const written = folder === null ? {} : readFiles(output ?? [], folder.path);
    folder?.remove();
    return "failed" in ending ? ending : { ...ending, endedUs, files: written };
  });
  return processOf(child, ended);
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

/** A child as the process of a host. */
export function processOf(child: Child, ended: HostProcess["ended"] = endingOf(child)): HostProcess {
  return {
    pid: child.pid,
    ended,
    stdout: child.stdout,
    stderrTail: child.stderrTail,
    kill: (signal) => Promise.resolve(child.kill(signal)),
    killAll: child.killAll,
  };
}

const endingOf = ({ ended }: Child): HostProcess["ended"] =>
  ended.then((ending): HostEnding | { failed: string } =>
    "failed" in ending ? ending : { ...ending, endedUs: nowUs(), files: {} }
  );
