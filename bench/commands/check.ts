import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { optionName } from "../plan/axis-options.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { type CheckedModule, checkModule, type CheckPatience } from "../sources/check-module.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { namedFromHere, parseModuleWish } from "../sources/user-module.ts";
import { resolveRuntimes } from "../sources/resolve-runtimes.ts";
import { fileSha256 } from "../runtimes/runtimes.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { harmlessJson, printable } from "../report/align.ts";
import type { Style } from "../report/style.ts";
import { readValues } from "../options/axis-values.ts";
import { type Context, runtimeCache } from "./context.ts";
import { moduleAxesOf } from "../options/user-modules.ts";
import { runtimeAxisOf, runtimeWishes } from "../options/runtime-wishes.ts";

/**
 * `bench check FILE`: checks a module against its contract on each runtime. Exit 0, or 3 if a check fails.
 *
 * @param patience the time that checks have
 */
export async function checkCommand(context: Context, patience: CheckPatience = {}): Promise<ExitCode> {
  const { args, stdout, outStyle } = context;
  const { script, file } = askedModule(context);
  const runtimes = await askedRuntimes(context);
  const scratch = scratchFolder("check");
  const interrupts = listenForInterrupts();
  const done: CheckedModule[] = [];
  try {
    for (const runtime of runtimes) {
      const folder = scratch.path;
      const checked = await checkModule({ script, file, runtime, folder, onStart: interrupts.onStart, patience });
      if (interrupts.stopped()) return EXIT.interrupted;
      done.push(checked);
      if (!args.has("json")) stdout.write(linesOf(checked, outStyle).map((line) => `${printable(line)}\n`).join(""));
    }
  } finally {
    interrupts.release();
    scratch.remove();
  }
  if (args.has("json")) {
    stdout.write(harmlessJson({ file: namedFromHere(file), sha256: fileSha256(file), runtimes: done }) + "\n");
  }
  const holds = done.every(({ status }) => status !== "failed") && done.some(({ status }) => status === "passed");
  return holds ? EXIT.done : EXIT.invalid;
}

/** The module of a command line, and the script that checks its contract. */
function askedModule({ args, suites }: Context): { readonly script: string; readonly file: string } {
  const word = args.words[0];
  const script = suites.flatMap(({ suite }) => moduleAxesOf(suite))[0]?.modules;
  if (script === undefined) {
    throw usageError("no suite takes modules of one's own", "bench list names the suites there are");
  }
  const wish = word === undefined ? undefined : parseModuleWish(word);
  if (wish === undefined) {
    throw usageError(word === undefined ? "no file is named" : `"${word}" names no file`, "bench check ./mine.ts");
  }
  return { script, file: wish.file };
}

/** The runtimes of the command line; all by default. */
async function askedRuntimes(context: Context) {
  const { args, suites } = context;
  const [suite, axis] = suites.flatMap(({ suite }) => {
    const found = runtimeAxisOf(suite);
    return moduleAxesOf(suite).length === 0 || found === undefined ? [] : [[suite, found] as const];
  })[0] ?? [];
  const text = axis === undefined ? undefined : args.axes.get(optionName(axis.name));
  const words = text === undefined ? RUNTIME_NAMES : readValues(suite!, axis!, text);
  return await resolveRuntimes(runtimeWishes(words).map(({ wish }) => wish), runtimeCache(context));
}

/** A line for a runtime, and one for each check that fails. */
function linesOf({ runtime, version, status, message, checks, failed }: CheckedModule, style: Style): string[] {
  const name = `${runtime} ${version}`;
  if (status === "passed") return [`${style.green("✓")} ${name}: ${counted(checks, "check")} passed`];
  if (status === "unsupported") return [`${style.yellow("–")} ${name}: unsupported: ${message}`];
  const cross = style.red("✗");
  return [
    ...failed.map(({ check, message, advice }) => `${cross} ${name}: ${check}: ${message}; try: ${advice}`),
    ...(message === null ? [] : [`${cross} ${name}: ${message}`]),
    ...(checks === 0 ? [] : [`${cross} ${name}: ${checks - failed.length} of ${counted(checks, "check")} passed`]),
  ];
}
