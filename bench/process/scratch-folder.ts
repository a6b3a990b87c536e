import { chmodSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { takeMachine } from "../files/run-lock.ts";
import { clearLeft, endLeft } from "../machine/clear-left.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { ownerTag } from "../machine/owner.ts";
import { dataFolder, revisionsFolder } from "../runtimes/project-folders.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

let cleared = false;

/** Ends and removes what benches left that were killed: processes, folders among the temporary ones, and half a revision. */
export function clearUp(): void {
  cleared = true;
  endLeft();
  for (const root of new Set([tmpdir(), serviceRoot(), revisionsFolder(dataFolder())])) clearLeft(root);
}

/**
 * Makes an empty folder for this user alone among the temporary ones, and gives its path. Its name says whose it is, and
 * the first one of a process clears up after others: see {@link clearUp}.
 *
 * @param what words of its name, such as `load-`
 */
export function ownFolder(what: string, root: string = tmpdir()): string {
  if (!cleared) clearUp();
  return realpathSync(mkdtempSync(join(root, `levelfield-${what}${ownerTag()}-`)));
}

/**
 * Makes an empty folder among the temporary ones, which is gone afterwards. A signal to stop removes it, and then does
 * what it would have done. Where somebody else listens for signals too, as a run does, stopping is theirs.
 *
 * @param what a word of its name, such as `gate`
 */
export function scratchFolder(what: string): { readonly path: string; remove(): void } {
  const path = ownFolder(`${what}-`);
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
 * Makes a folder for what a service writes, and gives its path. Root's may be walked through and not listed by others:
 * PostgreSQL gives root up.
 */
export function serviceFolder(): string {
  const path = ownFolder("", serviceRoot());
  if (isRoot()) chmodSync(path, 0o711);
  return path;
}

const isRoot = () => process.getuid?.() === 0;

/** The folder for temporary files, or everybody's where that is closed to the user a service of root's becomes. */
const serviceRoot = () => isRoot() && !orElse(() => isOpen(tmpdir()), true) ? "/tmp" : tmpdir();

/** Whether any user may go through a folder, from the root on. */
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 1) === 1 && (dirname(folder) === folder || isOpen(dirname(folder)));

/**
 * Does some work while this process alone has the machine, and gives it back however that ends. What killed benches left is
 * cleared away first.
 * Signals are listened for before the machine is taken and until it is given back, so that none leaves a lock behind.
 *
 * @param interrupts that listen already; released in the end
 * @param lock file in place of the machine's own
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
