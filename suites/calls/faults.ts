/** Faults of a function that make any figure of it one of something else, looked for before it is measured. */
import { readFileSync } from "node:fs";
import { growthOf } from "../../servers/calls/growth.ts";
import type { Call } from "../../servers/calls/open-calls.ts";
import { CHECKED } from "../../servers/calls/results.ts";
import { textOf, type Unseen } from "../../servers/calls/text-of.ts";

/** A function with the inputs its calls are given. */
interface CheckedCall {
  readonly call: Call;
  readonly inputs: readonly unknown[];
}

/** Returns why a result is none, or cannot be compared where it should be; null for any other. */
export function unseenResult({ lazy, opaque }: Unseen, isCompared: boolean): string | null {
  if (lazy !== undefined) return `gives ${lazy}`;
  return opaque === undefined || !isCompared
    ? null
    : `gives a ${opaque}, which cannot be compared: return what is in it, or export const same = false`;
}

/** Texts of the inputs that are looked at, to see later if a call changed one. */
export const inputTexts = (inputs: readonly unknown[]): string[] =>
  inputs.slice(0, CHECKED).map((input) => textOf(input));

/** Returns which input calls have changed since its text was taken, in words; null if none. */
export function changedInput(inputs: readonly unknown[], before: readonly string[]): string | null {
  const place = inputTexts(inputs).findIndex((text, n) => text !== before[n]);
  return place < 0 ? null : `changes input ${place}, so later calls work on what it left: copy the input first`;
}

/**
 * Returns what is wrong with a function in one line; null if nothing is. It uses up what it works on, costs more with each
 * call, or gives other results after many calls. None is looked for in one that waits. `texts` are its first results, null
 * if they change from one call to the next.
 */
export async function faultOf(
  { call, inputs }: CheckedCall,
  waiting: boolean,
  texts: readonly string[] | null,
): Promise<string | null> {
  const looked = inputs.slice(0, CHECKED), results: unknown[] = [];
  for (const input of looked) results.push(await call(input));
  if (waiting || typeof (call(inputs[0]) as { then?: unknown } | null)?.then === "function") return null;
  const growth = growthOf(call, inputs);
  if (growth !== null) return growth;
  const later = looked.map((input) => call(input));
  if (!results.every(isNothing) && later.every(isNothing)) {
    return `gave ${textOf(results[0]).slice(0, 60)} and later nothing: it uses up what it works on`;
  }
  const place = texts === null ? -1 : later.findIndex((result, n) => textOf(result) !== texts[n]);
  if (place < 0) return null;
  const [first, last] = [texts![place]!, textOf(later[place])].map((text) => text.slice(0, 60));
  return `gives another result for the same input: ${first}, and after many calls ${last}`;
}

const isNothing = (result: unknown) => result === undefined || result === null;

/** Calls by which a wait is looked for, and the share of their time in which one that waits does not run. */
const LOOKED_AT = 20;
const WAITING_SHARE = 0.5;

/**
 * True if a function waits rather than works, which CPU time does not show: for more than half of its time its thread
 * neither runs nor is about to. A promise and a lock wait alike. Without the kernel's account of the thread it is one that
 * gives up its CPU at each call.
 */
export async function waits({ call, inputs }: CheckedCall): Promise<boolean> {
  const [account, switches, from] = [runningMs(), switchesNow(), performance.now()];
  for (let n = 0; n < LOOKED_AT; n++) await call(inputs[n % inputs.length]);
  const took = performance.now() - from, running = runningMs();
  const yields = switchesNow() - switches >= LOOKED_AT;
  if (account === null || running === null) return yields;
  return yields && took - (running - account) > WAITING_SHARE * took;
}

const switchesNow = () => process.resourceUsage().voluntaryContextSwitches;

/** Milliseconds in which this thread ran or waited for a CPU so far; null where the kernel does not say. */
function runningMs(): number | null {
  try {
    const [ran, waited] = readFileSync("/proc/self/schedstat", "utf8").split(" ").map(Number);
    return (ran! + waited!) / 1e6;
  } catch {
    return null;
  }
}

/**
 * Returns the first function whose results differ from those of the others, in one line; null if all give the same. `texts`
 * are results by function and input; one whose results change by themselves has null.
 */
export function differingResults(texts: ReadonlyMap<string, readonly string[] | null>): string | null {
  const known = [...texts].flatMap(([name, results]) => results === null ? [] : [{ name, results }]);
  const [first] = known;
  for (const { name, results } of known) {
    const place = results.findIndex((text, n) => text !== first!.results[n]);
    if (place >= 0) {
      const [one, other] = aroundDifference(first!.results[place]!, results[place]!);
      return `${first!.name} gives ${one} and ${name} gives ${other} for input ${place}`;
    }
  }
  return null;
}

/** Returns 60 characters of each of two texts, from shortly before the first that differs. */
function aroundDifference(...texts: [one: string, other: string]): string[] {
  const [one, other] = texts;
  let from = 0;
  while (from < one.length && one[from] === other[from]) from++;
  from = from < 40 ? 0 : from - 20;
  return texts.map((text) => (from > 0 ? "…" : "") + text.slice(from, from + 60));
}
