import { pathToFileURL } from "node:url";
import type { AppContext } from "../app.ts";

/** A function that is measured. What it gives may be a promise. */
export type Call = (input: unknown) => unknown;

/** The exports of a module of functions, or the result of opening it; docs/in-process.md shows it. */
export interface Calls {
  /** By name; each is measured in a separate process. */
  readonly calls: Readonly<Record<string, Call>>;
  /** Inputs of the calls, one for each call; none by default. */
  readonly inputs?: readonly unknown[];
  /** Returns the expected result for an input. */
  readonly expect?: Call;
  /** False for functions that do different things on purpose: their results are not held against each other. */
  readonly same?: boolean;
  /** Facts about them, for the record. */
  readonly facts?: Readonly<Record<string, string | number>>;
  /** Lets go of what opening took. */
  close?(): unknown;
}

/** Names of exports that are no calls themselves. */
const PARTS = ["default", "open", "inputs", "expect", "same", "close"];

/**
 * Opens a module of functions: what its default is or gives, what `open` gives, or else its exported functions.
 * Throws where there are none.
 * @param module absolute path
 */
export async function openCalls(module: string, context: AppContext): Promise<Calls> {
  const exported: Record<string, unknown> = await import(pathToFileURL(module).href);
  const made = exported["open"] ?? exported["default"];
  const found = (typeof made === "function" ? await made(context) : await made) ?? {
    ...exported,
    calls: Object.fromEntries(
      Object.entries(exported).filter(([name, value]) => typeof value === "function" && !PARTS.includes(name)),
    ),
  };
  const { calls, inputs, expect } = found as Partial<Calls>;
  const names = Object.entries(calls ?? {});
  const wrong = names.find(([, call]) => typeof call !== "function")?.[0];
  const fault = names.length === 0
    ? "exports no functions: export default { calls: { name: (input) => … } }"
    : wrong !== undefined
    ? `has a call "${wrong}" that is no function`
    : inputs !== undefined && !(Array.isArray(inputs) && inputs.length > 0)
    ? 'has "inputs" that are no list, or an empty one'
    : expect !== undefined && typeof expect !== "function"
    ? 'has an "expect" that is no function'
    : null;
  if (fault !== null) throw new Error(`"${module}" ${fault}`);
  return found as Calls;
}
