import { chmodSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { takeMachine } from "../files/run-lock.ts";
import { clearLeftFiles, endLeftProcesses } from "../machine/clear-left.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { ownerTag } from "../machine/owner.ts";
import { dataFolder, revisionsFolder } from "../runtimes/project-folders.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let cleared = false;

/** Ends and removes the remains of killed benches: processes, temporary folders, and half a revision. */
export function clearUp(): void {
  cleared = true;
  endLeftProcesses();
  for (const root of new Set([tmpdir(), serviceRoot(), revisionsFolder(dataFolder())])) clearLeftFiles(root);
}

/**
 * Makes an empty folder for this user alone among the temporary ones, and returns its path. Its name says which process
 * owns it. The first one of a process clears up after others: see {@link clearUp}.
 *
 * @param what words of its name, such as `load-`
 */
export function temporaryFolder(what: string, root: string = tmpdir()): string {
  if (!cleared) clearUp();
  return realpathSync(mkdtempSync(join(root, `levelfield-${what}${ownerTag()}-`)));
}

/**
 * Makes an empty folder among the temporary ones. A signal to stop removes it, and then has its usual effect. If another
 * listener handles signals too, as a run does, stopping is left to it.
 *
 * @param what a word of its name, such as `gate`
 */
export function scratchFolder(what: string): { readonly path: string; remove(): void } {
  const path = temporaryFolder(`${what}-`);
  const clear = () => rmSync(path, { recursive: true, force: true });
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    clear();
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    path,
    remove() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      clear();
    },
  };
}

/**
 * Makes a folder for the files of a service, and returns its path. Root's may be traversed but not listed by others:
 * PostgreSQL drops root.
 */
export function serviceFolder(): string {
  const path = temporaryFolder("", serviceRoot());
  if (isRoot()) chmodSync(path, 0o711);
  return path;
}

const isRoot = () => process.getuid?.() === 0;

/** Returns the folder for temporary files, or /tmp if that is closed to the user that a service of root becomes. */
const serviceRoot = () => isRoot() && !orElse(() => isOpen(tmpdir()), true) ? "/tmp" : tmpdir();

/** Returns true if any user may traverse a folder, from the root on. */
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 1) === 1 && (dirname(folder) === folder || isOpen(dirname(folder)));

/**
 * Does some work while this process alone has the machine, and releases it in the end. Remains of killed benches are
 * cleared first. Signals are handled before the machine is taken and until it is released, so that none leaves a lock
 * behind.
 *
 * @param interrupts that listen already; released in the end
 * @param lock file in place of the machine's lock
 * @throws as {@link takeMachine} does, and as the work does
 */
export async function withMachine<T>(interrupts: Interrupts, work: () => Promise<T>, lock?: string): Promise<T> {
  let giveBack = () => {};
  try {
    giveBack = takeMachine(lock);
    clearUp();
    return await work();
  } finally {
    giveBack();
    interrupts.release();
  }
}
