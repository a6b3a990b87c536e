import { chmodSync } from "node:fs";
import { findProgram } from "../../bench/machine/programs.ts";
import type { Stage, Wish } from "./stage.ts";

/** Why nothing can be run as another user here; null where it can. */
export const noRoot = (): string | null =>
  process.getuid?.() !== 0
    ? "becoming another user needs root"
    : findProgram("setpriv") === undefined
    ? "setpriv is not installed"
    : null;

/** Has a bench run as a user without rights, who may write into the stage's folders. */
export const asNobody = (first = ":", mode = 0o777) => (stage: Stage): Wish => {
  for (const folder of [stage.folder, stage.tmp]) chmodSync(folder, mode);
  return { shell: `${first}; exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"` };
};
