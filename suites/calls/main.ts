/**
 * The process that reads a module of functions: `facts FILE`, `check FILE DIRECTORY FROM`, which calls each from that place
 * on, or `compare BASE YOURS`. Prints one JSON line an event on stdout (`ModuleEvent` in suites/suite.ts).
 */
import { writeSync } from "node:fs";
import { type Call, type Calls, openCalls } from "../../servers/calls/open-calls.ts";
import { CHECKED, type Results, resultsOf, textsOf, unexpected } from "../../servers/calls/results.ts";
import { textOf } from "../../servers/calls/text-of.ts";
import { detectRuntime } from "../../servers/runtime.ts";
import type { ModuleEvent } from "../suite.ts";
import {
  changedInput,
  changesByItself,
  clockMoves,
  differingResults,
  faultOf,
  inputTexts,
  keptInputs,
  noteOf,
  unseenResult,
  waits,
} from "./faults.ts";

const [task, file, other = "", from = "0"] = process.argv.slice(2) as [string, string, string?, string?];

// On a separate line, whatever the module prints.
const say = (event: ModuleEvent) => void writeSync(1, `\n${JSON.stringify(event)}\n`);
const firstLine = (error: unknown) => String((error as Error)?.message ?? error).split("\n")[0]!;

const open = (module: string) => openCalls(module, { directory: null, options: {}, runtime: detectRuntime().name });

/** Holds functions of a module against those of its base: their inputs, then their results for these. */
async function compare(): Promise<void> {
  const [base, yours] = [await open(file), await open(other)];
  const names = Object.keys(yours.calls), both = names.filter((name) => Object.hasOwn(base.calls, name));
  const missing = [
    ...names.filter((name) => !both.includes(name)).map((value) => ({
      value,
      text: `${value} is not in the base yet`,
    })),
    ...Object.keys(base.calls).filter((name) => !both.includes(name)).map((value) => ({
      value,
      text: `${value} is in the base alone`,
    })),
  ];
  const [before = [undefined], after = [undefined]] = [base.inputs, yours.inputs];
  const inputs = before.length === after.length
    ? differingResults(
      new Map([["the base", before.map((one) => textOf(one))], ["yours", after.map((one) => textOf(one))]]),
    )
    : `the base has ${before.length}, yours ${after.length}`;
  const differing: { value: string; text: string }[] = [];
  for (const value of both) {
    const [one, two] = [await stable(base.calls[value]!, before), await stable(yours.calls[value]!, after)];
    const results = inputs ?? differingResults(new Map([[`${value} of the base`, one], [`${value} of yours`, two]]));
    if (results !== null) differing.push({ value, text: inputs === null ? results : `inputs differ: ${inputs}` });
  }
  await base.close?.();
  await yours.close?.();
  say({ event: "compared", axis: "call", values: both, missing, differing });
}

/** Results of a function for the first inputs as texts; null if they change from one time to the next. */
async function stable(call: Call, inputs: readonly unknown[]): Promise<readonly string[] | null> {
  const [texts, again] = [await textsOf(call, inputs), await textsOf(call, inputs)];
  return texts.every((text, n) => text === again[n]) ? texts : null;
}

/** The function that is looked at, its calls so far, what the first gave, and whether it has given results for all inputs. */
const at = { name: "", calls: 0, first: undefined as unknown, known: false };
const LOOK_MS = 5_000;

/** Ends the process with a reason once a call has kept it waiting, with nothing else to do, for two looks. */
function watchCalls(): void {
  let seen = -1, looks = 0;
  setInterval(() => {
    looks = at.calls === seen ? looks + 1 : 0;
    seen = at.calls;
    if (looks < 2) return;
    const message = `${at.name}: gives a promise that does not settle within ${
      2 * LOOK_MS / 1_000
    } s (call ${at.calls})`;
    say({ event: "failed", message, advice: "settle each promise, or reject it after a time" });
    process.exit(0);
  }, LOOK_MS);
}

/** What is found out about the functions of a module, by their names. */
interface Found {
  readonly results: Record<string, Results | null>;
  readonly given: Map<string, readonly string[] | null>;
  readonly changing: Map<string, string>;
  readonly waiting: string[];
  readonly notes: Record<string, string>;
}

/** Calls a function, notes what it gives, and returns what is wrong with it; null if nothing is. */
async function lookAt(name: string, call: Call, opened: Calls, found: Found): Promise<string | null> {
  const { inputs = [undefined], same = true } = opened;
  const before = inputTexts(inputs), unseen = {};
  const kept = task === "check" ? 0 : await keptInputs({ call, inputs }).catch(() => 0);
  const texts = await textsOf(call, inputs, unseen);
  at.known = true;
  // Results that change from one time to the next, also by the clock, cannot be compared.
  await clockMoves();
  // In the other order: a function that keeps state may give the same row of results each time.
  const later = (await textsOf(call, inputs.slice(0, CHECKED).toReversed())).toReversed();
  const again = resultsOf(later), once = resultsOf(texts), isStable = again.sha256 === once.sha256;
  const isWaiting = await waits({ call, inputs });
  if (isWaiting) found.waiting.push(name);
  const wrong = changedInput(inputs, before) ?? unseenResult(unseen, same) ?? await unexpected(opened, texts) ??
    await faultOf({ call, inputs, first: await at.first }, isWaiting, isStable ? texts : null);
  found.results[name] = isStable ? once : null;
  found.given.set(name, isStable ? texts : null);
  if (!isStable) found.changing.set(name, changesByItself(texts, later));
  const isAsync = typeof (call(inputs[0]) as { then?: unknown } | null)?.then === "function";
  const note = task === "check" ? "" : await noteOf({ call, inputs }, kept, isAsync);
  if (note !== "") found.notes[name] = note;
  return wrong;
}

async function read(): Promise<void> {
  const opened = await open(file), { same = true } = opened, entries = Object.entries(opened.calls);
  const found: Found = { results: {}, given: new Map(), changing: new Map(), waiting: [], notes: {} };
  const { results, given, changing, waiting, notes } = found;
  let isRight = true;
  watchCalls();
  for (const [place, [name, call]] of entries.entries()) {
    if (task === "check" && place < Number(from)) continue;
    if (task === "check") {
      say({ event: "check", place, name, advice: "mend the function, its inputs or what is expected" });
    }
    Object.assign(at, { name, calls: 0, known: false });
    const counted: Call = (input) => {
      at.calls += 1;
      const result = call(input);
      if (at.calls === 1) at.first = result;
      return result;
    };
    const wrong = await lookAt(name, counted, opened, found).catch((error) =>
      Promise.reject(new Error(`${name}: ${at.known ? "throws after some calls: " : ""}${firstLine(error)}`))
    );
    isRight &&= wrong === null;
    if (task === "check") say(wrong === null ? { event: "passed", place } : { event: "wrong", place, message: wrong });
    else if (wrong !== null) throw new Error(`${name}: ${wrong}`);
  }
  // One that is wrong has been named, and what it gives says nothing about the others.
  const differing = same && isRight ? differingResults(given) : null;
  const [changed] = [...changing];
  // Where results of others are compared, one that changes cannot be.
  if (same && isRight && changed !== undefined && changing.size < given.size) {
    throw new Error(`${changed[0]}: ${changed[1]}`);
  }
  if (differing !== null) throw new Error(`its functions do different things: ${differing}`);
  await opened.close?.();
  say(
    task === "check" ? { event: "end", checks: entries.length } : {
      event: "facts",
      facts: {
        title: entries.map(([name]) => name).join(", "),
        calls: JSON.stringify(results),
        waiting: waiting.join(", "),
        ...(Object.keys(notes).length === 0 ? {} : { notes: JSON.stringify(notes) }),
      },
    },
  );
}

try {
  await (task === "compare" ? compare() : read());
} catch (error) {
  say({ event: "failed", message: firstLine(error), advice: "docs/in-process.md says what a module exports" });
}
process.exit(0);
