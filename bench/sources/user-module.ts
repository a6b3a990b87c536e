import { existsSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import type { ComparedModules, ModuleEvent, UserModule } from "../../suites/suite.ts";
import { errorLine } from "../basics/error-line.ts";
import { failure, orElse, usageError } from "../basics/errors.ts";
import { jsonOf } from "../basics/bounded-json.ts";
import { startChild } from "../machine/child.ts";
import { LIMITS } from "../machine/clock.ts";
import { quietText, whileItWorks } from "../process/start-patience.ts";
import { fromHere } from "../files/near-files.ts";
import { looksLikeFile } from "../files/plain-file.ts";
import { childEnvironment, fileSha256, locateRuntime, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";

interface NamedModule {
  readonly value: string;
  readonly file: string;
  /** Its name in errors; its path if left out. */
  readonly said?: string;
}

/** The order in which runtimes are tried: a builder writes the same bytes on each, and Bun is quickest. */
const ORDER: readonly RuntimeName[] = ["bun", "node", "deno"];

/** Reads `./mine.ts` or `name=./mine.ts`; undefined for no file's name. Throws a usage error for a faulty one. */
export function parseNamedModule(word: string): NamedModule | undefined {
  const [, named, path] = /^(?:([^=/\\]+)=)?(.+)$/s.exec(word.trim()) ?? [];
  if (path === undefined || !looksLikeFile(path)) return undefined;
  const file = resolve(path);
  if (!existsSync(file)) {
    throw usageError(`there is no file "${path}"`, "name it as it is seen from this folder: ./mine.ts");
  }
  const value = named ?? basename(file, extname(file));
  if (!/^[a-z0-9][\w.-]*$/i.test(value)) {
    throw usageError(`"${value}" cannot be the name of "${path}"`, `letters, digits, dots and dashes: mine=${path}`);
  }
  return { value, file };
}

/** Starts the script of an axis that takes modules on one runtime; it gets a session, to be ended with all it started. */
export function startModuleScript(
  script: string,
  runtime: { name: RuntimeName; file: string },
  args: readonly string[],
) {
  return startChild({
    file: runtime.file,
    args: [...SCRIPT_ARGS[runtime.name], script, ...args],
    cpus: null,
    ownSession: true,
    env: childEnvironment(),
    cwd: PROJECT_ROOT,
  });
}

/** Parses one line of such a script; undefined for a line that is no event: modules may print anything. */
export function moduleEvent(line: string): ModuleEvent | undefined {
  const event = jsonOf(line) as ModuleEvent | null | undefined;
  return typeof event?.event === "string" ? event : undefined;
}

/**
 * Reads a module's description on the first of some runtimes that loads it. Throws the error of the first if none does.
 *
 * @param mostCpuMs the CPU time that it may use on one runtime
 */
export async function inspectModule(
  script: string,
  { value, file, said }: NamedModule,
  { mostCpuMs = LIMITS.moduleCpuMs, runtimes = ORDER.flatMap(thereIs) }: {
    readonly mostCpuMs?: number;
    readonly runtimes?: ReturnType<typeof thereIs>;
  } = {},
): Promise<UserModule> {
  let problem: Unread | undefined;
  let unlisted: UserModule | undefined;
  for (const runtime of runtimes) {
    const description = await eventOf("facts", script, runtime, [file], mostCpuMs);
    if ("unread" in description) {
      problem ??= { ...description, unread: `${runtime.name}: ${description.unread}` };
      continue;
    }
    const { facts: described } = description;
    const facts = { ...described, file: fromHere(file), sha256: fileSha256(file) };
    const module: UserModule = { value, file, runtime: runtime.name, facts };
    if (described["runtimes"]?.split(", ").includes(runtime.name) ?? true) return module;
    unlisted ??= module;
  }
  if (unlisted !== undefined) return unlisted;
  const path = fromHere(file);
  throw failure(
    `${said ?? `"${path}"`} cannot be used: ${problem?.unread ?? `none of ${RUNTIME_NAMES.join(", ")} is here`}`,
    problem?.advice?.replaceAll(file, `./${path}`) ?? "mend it; bench doctor names the runtimes there are",
  );
}

function thereIs(name: RuntimeName): { name: RuntimeName; file: string }[] {
  return orElse(() => [{ name, file: locateRuntime(name).file }], []);
}

interface Unread {
  readonly unread: string;
  readonly advice?: string;
}

/** Holds two versions of a module against each other on one runtime. Throws if it cannot load both. */
export async function compareModules(
  script: string,
  runtime: { readonly name: RuntimeName; readonly file: string },
  files: readonly [base: string, yours: string],
): Promise<ComparedModules> {
  const event = await eventOf("compared", script, runtime, files);
  if (!("unread" in event)) return event;
  throw failure(`both versions cannot be loaded at once on ${runtime.name}: ${event.unread}`, event.advice);
}

/** The words that ask a script for an event. */
const TASKS = { facts: "facts", compared: "compare" } as const;

async function eventOf<const E extends keyof typeof TASKS>(
  wanted: E,
  script: string,
  runtime: { name: RuntimeName; file: string },
  files: readonly string[],
  mostCpuMs: number = LIMITS.moduleCpuMs,
): Promise<Extract<ModuleEvent, { readonly event: E }> | Unread> {
  const child = startModuleScript(script, runtime, [TASKS[wanted], ...files]);
  let description: ModuleEvent | undefined;
  child.onLine((line) => description ??= moduleEvent(line));
  const ending = await whileItWorks({ child }, LIMITS.moduleFactsMs, child.ended, mostCpuMs);
  if (typeof ending === "string") {
    child.killAll();
    const why = {
      ...{ busy: `it used more than ${mostCpuMs / 1000} s of CPU time`, quiet: quietText() },
      timeout: `it took more than ${LIMITS.moduleFactsMs / 1000} s`,
    };
    return { unread: `it does not end loading: ${why[ending]}` };
  }
  if (description?.event === wanted) return description as Extract<ModuleEvent, { readonly event: E }>;
  if (description?.event === "failed") return { unread: description.message, advice: description.advice };
  if (description?.event === "unsupported") return { unread: description.message };
  return { unread: `its process ended: ${errorLine(child.stderrTail()) ?? "it says nothing"}` };
}
