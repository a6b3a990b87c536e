import { counted } from "../basics/units.ts";
import { fromHere } from "../files/near-files.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { moduleAxesOf, plannedModules } from "../options/user-modules.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { type CheckedModule, checkModule, type CheckPatience } from "../sources/check-module.ts";
import type { Prepared } from "../engine/conductor.ts";
import type { Style } from "../report/style.ts";

/** A user's module of a plan, checked against its contract on each runtime of the plan. */
export interface CheckedFile {
  readonly file: string;
  readonly sha256: string;
  readonly runtimes: readonly CheckedModule[];
}

/**
 * Checks each module of the user that a plan measures, once on each runtime. Returns null if it was interrupted.
 *
 * @param patience the time that checks have
 */
export async function checkModules(
  { plan, suite, runtimes }: Pick<Prepared, "plan" | "suite" | "runtimes">,
  doing: (text: string | null) => void,
  patience: CheckPatience,
): Promise<CheckedFile[] | null> {
  const files = new Map(plannedModules(plan, process.cwd()).map((module) => [module.found, module]));
  if (files.size === 0) return [];
  const scratch = scratchFolder("check");
  const interrupts = listenForInterrupts();
  const done: CheckedFile[] = [];
  try {
    for (const { axis, file, sha256, found } of files.values()) {
      const script = moduleAxesOf(suite).find(({ name }) => name === axis)?.modules;
      if (script === undefined || found === null) continue;
      const checked: CheckedModule[] = [];
      for (const runtime of runtimes) {
        doing(`checking ${file} on ${runtime.name} ${runtime.version}`);
        const { onStart } = interrupts;
        checked.push(await checkModule({ script, file: found, runtime, folder: scratch.path, onStart, patience }));
        if (interrupts.stopped()) return null;
      }
      done.push({ file: fromHere(found), sha256, runtimes: checked });
    }
    return done;
  } finally {
    doing(null);
    interrupts.release();
    scratch.remove();
  }
}

/** Returns true if each module passes on a runtime, and says of the others that they are unsupported. */
export const modulesHold = (files: readonly CheckedFile[]): boolean =>
  files.every(({ runtimes }) =>
    runtimes.every(({ status }) => status !== "failed") && runtimes.some(({ status }) => status === "passed")
  );

/** A line for each module and runtime, and one for each check that fails. */
export const moduleLines = (files: readonly CheckedFile[], style: Style): string[] =>
  files.flatMap(({ file, runtimes }) => runtimes.flatMap((checked) => linesOf(file, checked, style)));

function linesOf(file: string, checked: CheckedModule, style: Style): string[] {
  const { runtime, version, status, message, checks, failed } = checked;
  const name = `${file} on ${runtime} ${version}`;
  if (status === "passed") return [`${style.green("✓")} ${name}: ${counted(checks, "check")} passed`];
  if (status === "unsupported") return [`${style.yellow("–")} ${name}: unsupported: ${message}`];
  const cross = style.red("✗");
  return [
    ...failed.map(({ check, message, advice }) => `${cross} ${name}: ${check}: ${message}; try: ${advice}`),
    ...(message === null ? [] : [`${cross} ${name}: ${message}`]),
    ...(checks === 0 ? [] : [`${cross} ${name}: ${checks - failed.length} of ${counted(checks, "check")} passed`]),
  ];
}
