import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { SUITES } from "../../suites/registry.ts";
import type { Axis, Suite, Value } from "../../suites/suite.ts";
import type { UserDraft } from "../record/user-spec.ts";
import { shellQuoted } from "../basics/shell.ts";
import { BenchError, EXIT, usageError } from "../basics/errors.ts";
import { moduleKind } from "../plan/module-kind.ts";
import { expectationSchema } from "../record/plan.ts";
import { issueWording } from "../record/issue-text.ts";
import { AMOUNTS, RANGES } from "../record/ranges.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { importUserModule } from "./import-user-module.ts";
import { fromHere } from "../files/near-files.ts";
import { looksLikeFile } from "../files/plain-file.ts";

/** A suite and where it came from. */
export interface LoadedSuite {
  readonly suite: Suite;
  /** Path of its module, from the current folder; null for a suite of this project. */
  readonly module: string | null;
  /** The user's servers of the command line or a config, if they made the suite: none has been started yet. */
  readonly draft?: UserDraft;
  /** The name of a suite from a config: it is chosen by this name, whatever file it is in. */
  readonly named?: true;
  /** Values of its axes are modules of the user that the command line names. */
  readonly userModules?: true;
}

/** The suite of this project with a name. Throws a usage error for any other word, such as a path. */
export function registeredSuite(name: string): Suite {
  const found = SUITES.find((suite) => suite.name === name);
  if (found === undefined) throw unknownName("suite", name, SUITES.map((suite) => suite.name));
  return found;
}

/**
 * Finds a suite: one of this project by its name, or the default export (or `suite`) of a module. Throws a usage error in
 * one line for an unknown name, a module that cannot be loaded, or a suite with a faulty part.
 *
 * @param name of one suite, if the module is a config with several
 */
export async function loadSuite(word: string, name?: string): Promise<LoadedSuite> {
  if (!looksLikeFile(word) || SUITES.some(({ name }) => name === word)) {
    return { suite: registeredSuite(word), module: null };
  }
  const file = resolve(word);
  if (!existsSync(file)) throw usageError(`there is no suite file "${word}"`, "bench list names the suites there are");
  if (statSync(file).isDirectory()) {
    throw usageError(`"${word}" is a folder, no suite`, `bench run --app ${shellQuoted(word)}`);
  }
  const text = readFileSync(file, "utf8");
  const kind = moduleKind(text);
  // Programs, apps and CommonJS are not loaded.
  if (kind === "program" || (kind === "app" && /\bmodule\.exports\b/.test(text))) throw noSuite(word, kind);
  let exported: Record<string, unknown>;
  try {
    exported = await importUserModule(file);
  } catch (error) {
    const why = String((error as Error | undefined)?.message ?? error).trim().split("\n")[0];
    throw new BenchError(EXIT.usage, `suite file "${word}" does not load: ${why}`, "mend it and try again", error);
  }
  const found = suiteAmong(exported["default"] ?? exported["suite"], name);
  if (isApp(found)) throw noSuite(word, "app");
  if (found === undefined) {
    throw usageError(
      `suite file "${word}" exports no suite`,
      'give it "export default" with a suite: see suites/suite.ts',
    );
  }
  const fault = suiteFault(found);
  if (fault !== null) throw usageError(`suite file "${word}": ${fault}`, `mend it, then: bench list ${word}`);
  return { suite: found as Suite, module: fromHere(file) };
}

const noSuite = (word: string, kind: "app" | "program") =>
  usageError(
    `"${word}" is ${kind === "app" ? "an app" : "a program that listens by itself"}, no suite`,
    `bench run --${kind} ${shellQuoted(word)}`,
  );

/** Returns true if an export answers requests, as a function or by one. */
const isApp = (found: unknown): boolean =>
  typeof found === "function" ||
  (typeof found === "object" && found !== null && !("axes" in found) &&
    ["fetch", "listen", "handler", "callback"].some((name) =>
      typeof (found as Record<string, unknown>)[name] === "function"
    ));

function suiteAmong(found: unknown, name: string | undefined): unknown {
  const { axes, suites } = (found ?? {}) as { readonly axes?: unknown; readonly suites?: unknown };
  if (axes !== undefined || !Array.isArray(suites)) return found;
  return suites.find((each) => typeof each === "object" && (name === undefined || each?.name === name));
}

const fn = z.custom((value) => typeof value === "function", "is missing or no function");
const maybeFn = z.custom((value) => typeof value === "function", "is no function").optional();
const value = z.union([z.string(), z.number()], "is neither a text nor a number");
const within = ([least, most]: readonly [number, number]) => z.int().min(least).max(most);
const wholeSeconds = within(RANGES.secondsMs).multipleOf(1_000, "is not whole seconds in milliseconds");
const amounts = Object.fromEntries(
  Object.entries(AMOUNTS).map(([name, { range }]) => [
    name,
    range === null
      ? z.string().min(1, "is empty").optional()
      : (range === RANGES.secondsMs ? wholeSeconds : within(range)).optional(),
  ]),
);
const at = z.record(z.string(), z.array(value).min(1, "is empty"));

/** The visible part of a suite; other keys pass. */
const suiteShape = z.looseObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "is not lower-case letters, digits and dashes"),
  title: z.string(),
  axes: z.array(z.looseObject({
    name: z.string().min(1, "is empty"),
    title: z.string(),
    role: z.enum(["contrast", "condition", "scale"]),
    help: z.string(),
    unit: z.string().optional(),
    values: z.array(value).min(1, "is empty"),
    others: z.array(value).optional(),
    parse: fn,
    format: fn,
    binds: z.literal("runtime").optional(),
    modules: z.string().optional(),
    describe: maybeFn,
  })).min(1, "is empty"),
  server: fn,
  requests: fn,
  oracle: fn,
  supports: maybeFn,
  together: maybeFn,
  withModules: maybeFn,
  calls: maybeFn,
  generator: z.string().min(1, "is empty").optional(),
  files: maybeFn,
  probe: z.record(z.string(), value).optional(),
  quick: z.strictObject({ at }).optional(),
  presets: z.record(z.string(), z.strictObject({ title: z.string(), ...amounts, at: at.optional() })).optional(),
  expectations: z.array(expectationSchema).optional(),
});

/** Returns the fault of a suite, naming the part; null if none is visible. */
export function suiteFault(found: unknown): string | null {
  const parsed = suiteShape.safeParse(found, { error: issueWording });
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return `${partName(found, path)} ${message}`;
  }
  const suite = found as Suite;
  const names = suite.axes.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) return `suite "${suite.name}" has two axes named "${twice}"`;
  for (const axis of suite.axes) {
    const fault = axisFault(axis);
    if (fault !== null) return `suite "${suite.name}", axis "${axis.name}": ${fault}`;
  }
  const elsewhere: Readonly<Record<string, Readonly<Record<string, Value | readonly Value[]>> | undefined>> = {
    probe: suite.probe,
    quick: suite.quick?.at,
    ...Object.fromEntries(Object.entries(suite.presets ?? {}).map(([name, { at }]) => [`preset "${name}"`, at])),
  };
  for (const [part, at = {}] of Object.entries(elsewhere)) {
    for (const [name, values] of Object.entries(at)) {
      const axis = suite.axes.find((each) => each.name === name);
      if (axis === undefined) return `suite "${suite.name}", ${part}: there is no axis "${name}"`;
      for (const each of [values].flat() as Value[]) {
        const fault = valueFault(axis, each);
        if (fault !== null) return `suite "${suite.name}", ${part}, axis "${name}": ${fault}`;
      }
    }
  }
  return null;
}

function axisFault(axis: Axis): string | null {
  const texts = new Map<string, Value>();
  for (const each of [...axis.values, ...axis.others ?? []]) {
    const fault = valueFault(axis, each);
    if (fault !== null) return fault;
    const text = axis.format(each);
    if (texts.has(text)) return `two values are written ${JSON.stringify(text)}`;
    texts.set(text, each);
  }
  return null;
}

/** A value must survive a write and a read: results name it by these words. */
function valueFault(axis: Axis, value: Value): string | null {
  try {
    const text: unknown = axis.format(value);
    if (typeof text !== "string" || text === "") return `format gives no text for ${JSON.stringify(value)}`;
    const back = axis.parse(text);
    if (back === value) return null;
    const read = back === undefined ? "as no value" : `as ${JSON.stringify(back)}`;
    return `the value ${JSON.stringify(value)} is written ${JSON.stringify(text)}, which parse reads ${read}`;
  } catch (error) {
    return `format or parse fails for ${JSON.stringify(value)}: ${String((error as Error).message).split("\n")[0]}`;
  }
}

/** `axes.0.parse` is `parse of axis "runtime"`. */
function partName(found: unknown, path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the export";
  const axis = path[0] === "axes" && path.length > 2
    ? (found as { axes: { name?: unknown }[] }).axes[path[1] as number]?.name
    : undefined;
  return typeof axis === "string"
    ? `"${path.slice(2).join(".")}" of axis "${axis}"`
    : `"${path.map(String).join(".")}"`;
}
