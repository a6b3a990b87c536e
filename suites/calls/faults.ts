/** Faults of a function that make any figure of it one of something else, looked for before it is measured. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { cpuUs, growthOf } from "../../servers/calls/growth.ts";
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

/** Texts of the inputs that are looked at, to see later if a call changed one. Throws for an iterator. */
export const inputTexts = (inputs: readonly unknown[]): string[] =>
  inputs.slice(0, CHECKED).map((input, place) => {
    const unseen: Unseen = {}, text = textOf(input, unseen);
    const isRead = unseen.lazy?.startsWith("an iterator") ||
      /Stream$|^(Readable|Response|Request|Generator)$/.test(unseen.opaque ?? "");
    if (isRead) {
      throw new Error(`input ${place} is read once, and later calls find nothing in it: export what is in it`);
    }
    return text;
  });

/** Returns which input calls have changed since its text was taken, in words; null if none. */
export function changedInput(inputs: readonly unknown[], before: readonly string[]): string | null {
  const place = inputTexts(inputs).findIndex((text, n) => text !== before[n]);
  return place < 0 ? null : `changes input ${place}, so later calls work on what it left: copy the input first`;
}

/** Returns in words that a function gave another result the second time; the texts are those of its results. */
export function changesByItself(texts: readonly string[], later: readonly string[]): string {
  const place = texts.findIndex((text, n) => text !== later[n]);
  const [first, last] = [texts[place]!, later[place]!].map((text) => text.slice(0, 60));
  return `gives another result for the same input ${place}: ${first}, then ${last}; it keeps state or draws, so it cannot ` +
    "be compared: let it start afresh each time, or export const same = false";
}

/** Calls of an async function after which its results are looked at again, and the most CPU time in µs that they take. */
const MANY = 4_096, MANY_US = 500_000;
/** Milliseconds in which a clock moves on. */
const CLOCK_MS = 2;
export const clockMoves = (): Promise<void> => sleep(CLOCK_MS);

/**
 * Returns what is wrong with a function in one line; null if nothing is. It uses up what it works on, costs more with each
 * call, or gives other results after many calls. None is looked for in one that waits. `texts` are its first results, null
 * if they change from one call to the next; `first` is what the very first call gave.
 */
export async function faultOf(
  { call, inputs, first }: CheckedCall & { readonly first: unknown },
  waiting: boolean,
  texts: readonly string[] | null,
): Promise<string | null> {
  if (waiting) return null;
  if (typeof (call(inputs[0]) as { then?: unknown } | null)?.then === "function") {
    const endUs = cpuUs() + MANY_US;
    for (let n = 0; n < MANY && cpuUs() < endUs; n++) await call(inputs[n % inputs.length]);
  } else {
    const growth = growthOf(call, inputs);
    if (growth !== null) return growth;
  }
  const later: unknown[] = [];
  for (let n = 0; n < CHECKED; n++) later.push(await call(inputs[n % inputs.length]));
  if (!isNothing(first) && later.every(isNothing)) {
    return `gave ${textOf(first).slice(0, 60)} and later nothing: it uses up what it works on`;
  }
  if (texts === null) {
    await clockMoves();
    const [begin, ...ends] = [first, ...later, await call(inputs[0])].map((result) => textOf(result));
    return ends.every((end) => end === ends[0] && end !== begin)
      ? `gave ${begin!.slice(0, 60)} and later ${ends[0]!.slice(0, 60)} at each call: it uses up what it works on`
      : null;
  }
  const place = texts.findIndex((text, n) => textOf(later[n]) !== text);
  if (place < 0) return null;
  const [was, is] = [texts[place]!, textOf(later[place])].map((text) => text.slice(0, 60));
  return `gives another result for the same input: ${was}, and after many calls ${is}`;
}

const isNothing = (result: unknown) => result === undefined || result === null;

/** Inputs of which half are new to a warm function, the least cost of one, and how many times it falls if results are kept. */
const LEAST_INPUTS = 16;
const LEAST_COST_MS = 0.002;
const KEPT_TIMES = 8;

/**
 * Returns the number of inputs for which a function keeps its results, 0 if it keeps none: warm by the first half of the
 * inputs, it takes far longer for each of the others at first than a second time. It has to be the first that calls the
 * function.
 */
export async function keptInputs({ call, inputs }: CheckedCall): Promise<number> {
  if (inputs.length < LEAST_INPUTS) return await fewKept({ call, inputs });
  const half = Math.min(CHECKED, inputs.length) >> 1, first = inputs.slice(0, half);
  const endMs = performance.now() + WARM_MS;
  do {
    for (const input of first) await call(input);
  } while (performance.now() < endMs);
  const costs = async () => {
    const took: number[] = [];
    for (const input of inputs.slice(half, 2 * half)) {
      const from = performance.now();
      await call(input);
      took.push(performance.now() - from);
    }
    return took;
  };
  const [once, again] = [await costs(), await costs()];
  const isKept = middle(once) > LEAST_COST_MS && middle(once.map((ms, n) => timesOf(ms, again[n]!))) > KEPT_TIMES;
  return isKept ? inputs.length : 0;
}

const timesOf = (once: number, again: number) => once / Math.max(again, 1e-5);

/** The most time in ms to look for few inputs. */
const FEW_MS = 1_000;

/**
 * Returns the same of a function with few inputs, or with none but those it goes through itself, which its results tell
 * apart: each is far cheaper a second or third time. Compiling would make the first calls dear, and not the last of them.
 */
async function fewKept({ call, inputs }: CheckedCall): Promise<number> {
  const costs = new Map<number | string, number[]>(), endMs = performance.now() + FEW_MS;
  for (let n = 0; n < CHECKED && performance.now() < endMs; n++) {
    const place = n % inputs.length, from = performance.now();
    const result = await call(inputs[place]), took = performance.now() - from;
    const which = inputs.length > 1 ? place : textOf(result);
    costs.set(which, [...costs.get(which) ?? [], took]);
  }
  const isKept = [...costs.values()].every(([once, ...again]) =>
    once! > LEAST_COST_MS && timesOf(once!, Math.min(Infinity, ...again.slice(0, 2))) > KEPT_TIMES
  );
  return isKept && costs.size > 1 ? costs.size : 0;
}

const WARM_MS = 50;
const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Calls at once, and how many times less CPU time each has to take if they share work. */
const AT_ONCE = 16;
const SHARED_TIMES = 3;

/** Returns how many times less CPU time a call takes if {@link AT_ONCE} are under way at once; null if it is not far less. */
export async function sharedTimes({ call, inputs }: CheckedCall): Promise<number | null> {
  const some = Array.from({ length: AT_ONCE }, (_, n) => inputs[n % inputs.length]);
  let alone = 0, together = 0;
  for (const endMs = performance.now() + 4 * WARM_MS; performance.now() < endMs;) {
    const from = process.cpuUsage();
    for (const input of some) await call(input);
    const between = process.cpuUsage();
    await Promise.all(some.map((input) => call(input)));
    const to = process.cpuUsage(between);
    alone += between.user + between.system - from.user - from.system;
    together += to.user + to.system;
  }
  const times = alone / Math.max(1, together);
  return times > SHARED_TIMES ? times : null;
}

/** Returns what has to be known with a function's figures, in words; empty without any. */
export async function noteOf(checked: CheckedCall, kept: number, isAsync: boolean): Promise<string> {
  const times = isAsync && kept === 0 ? await sharedTimes(checked) : null;
  return [
    ...(kept > 0 ? [`keeps what it gave: its ${kept} inputs repeat, so what is kept is measured`] : []),
    ...(times === null ? [] : [
      `shares work of calls under way at once (${
        times.toPrecision(2)
      } × less CPU time each at ${AT_ONCE}): --connections`,
    ]),
  ].join("; ");
}

/** Calls by which a wait is looked for, and the share of their time, without that in a queue, in which it does not run. */
const LOOKED_AT = 20;
const WAITING_SHARE = 0.5;

/**
 * True if a function waits rather than works, which CPU time does not show: its thread sleeps for longer than it runs.
 * Time in the queue for a busy CPU counts for neither. A promise and a lock wait alike. Without the kernel's account of
 * the thread it is one that gives up its CPU at each call.
 */
export async function waits({ call, inputs }: CheckedCall): Promise<boolean> {
  const [before, switches, from] = [accountMs(), switchesNow(), performance.now()];
  for (let n = 0; n < LOOKED_AT; n++) await call(inputs[n % inputs.length]);
  const took = performance.now() - from, after = accountMs();
  const yields = switchesNow() - switches >= LOOKED_AT;
  if (before === null || after === null) return yields;
  const notQueued = took - (after.queued - before.queued);
  return yields && notQueued - (after.ran - before.ran) > WAITING_SHARE * notQueued;
}

const switchesNow = () => process.resourceUsage().voluntaryContextSwitches;

/** Milliseconds in which this thread ran, and was queued for a CPU, so far; null where the kernel does not say. */
function accountMs(): { readonly ran: number; readonly queued: number } | null {
  try {
    const [ran, queued] = readFileSync("/proc/self/schedstat", "utf8").split(" ").map((ns) => Number(ns) / 1e6);
    return { ran: ran!, queued: queued! };
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
