import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Makes an empty folder among the temporary ones, which is gone afterwards. A signal to stop removes it, and then does
 * what it would have done. Where somebody else listens for signals too, as a run does, stopping is theirs.
 */
export function scratchFolder(prefix: string): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
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
