import { pathToFileURL } from "node:url";
import { type StoreDriver, StoreError } from "../store.ts";

/** The required exports of a module, each with its expected form. */
const PARTS: Readonly<Record<string, { fits: (part: unknown) => boolean; should: string }>> = {
  title: { fits: isText, should: "one line for people" },
  complexity: { fits: oneOf("O(1)", "O(log n)", "O(n)"), should: `"O(1)", "O(log n)" or "O(n)"` },
  durability: { fits: oneOf("memory", "buffered", "synced"), should: `"memory", "buffered" or "synced"` },
  runtimes: {
    fits: (part) => Array.isArray(part) && part.length > 0 && part.every(oneOf("node", "deno", "bun")),
    should: `a list of "node", "deno" and "bun"`,
  },
  layout: { fits: isText, should: "a name for the files prepare() writes" },
  prepare: { fits: isFunction, should: "a function (source, directory)" },
  open: { fits: isFunction, should: "a function (directory, options)" },
};

function isText(part: unknown): boolean {
  return typeof part === "string" && part.trim() !== "" && !part.includes("\n");
}

function isFunction(part: unknown): boolean {
  return typeof part === "function";
}

function oneOf(...words: readonly string[]): (part: unknown) => boolean {
  return (part) => words.some((word) => word === part);
}

/** The first line of whatever was thrown. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.trim().split("\n")[0]!.slice(0, 200) || "it says nothing";
}

/** A module that is something else than a store, and the command that takes it. */
export class NoStore extends StoreError {
  readonly command: string;

  constructor(what: string, command: string) {
    super(what);
    this.command = command;
  }
}

/** Returns the kind of a module that is no driver, if this project knows it; else null. */
function otherKind(
  { default: exported, open, driver }: Readonly<Record<string, unknown>>,
  file: string,
): NoStore | null {
  if (driver !== undefined) return null;
  const has = (name: string) => typeof exported === "object" && exported !== null && name in exported;
  const fetches = has("fetch") && isFunction((exported as { readonly fetch: unknown }).fetch);
  if (fetches || isFunction(exported) || isFunction(open)) {
    return new NoStore("it is an app, no store: it answers requests", `bench run --app ${file}`);
  }
  return has("axes") && has("requests") ? new NoStore("it is a suite, no store", `bench run ${file}`) : null;
}

/**
 * Loads a user's module and sees that what it exports can be a store: `driver`, or its default export. An error by
 * the name of Unsupported is passed on. Throws a {@link StoreError} in one line for anything else that is wrong.
 * @param file absolute path
 */
export async function userDriver(file: string): Promise<StoreDriver> {
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await import(pathToFileURL(file).href);
  } catch (error) {
    if (isUnsupported(error)) throw error;
    throw new StoreError(`it throws when it is imported: ${firstLine(error)}`, { cause: error });
  }
  const other = otherKind(exported, file);
  if (other !== null) throw other;
  const driver = exported["driver"] ?? exported["default"];
  if (typeof driver !== "object" || driver === null) {
    const names = Object.keys(exported);
    throw new StoreError(`it exports no store, only ${names.length === 0 ? "nothing" : names.join(", ")}`);
  }
  for (const [name, { fits, should }] of Object.entries(PARTS)) {
    const part = (driver as Readonly<Record<string, unknown>>)[name];
    if (!fits(part)) {
      const got = typeof part === "function" ? "a function" : JSON.stringify(part);
      throw new StoreError(`its driver's ${name} is ${got === undefined ? "missing" : got}: it must be ${should}`);
    }
  }
  return driver as StoreDriver;
}

/**
 * True if an error says that this runtime or machine cannot run the store. It goes by name, so that modules need import
 * nothing.
 */
export function isUnsupported(error: unknown): error is Error {
  return error instanceof Error && error.name === "Unsupported";
}
