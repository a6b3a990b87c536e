/**
 * The process that reads a module of functions: `facts FILE`, or `check FILE DIRECTORY FROM`, which calls each from that
 * place on. Prints one JSON line an event on stdout (`ModuleEvent` in suites/suite.ts).
 */
import { writeSync } from "node:fs";
import { openCalls } from "../../servers/calls/open-calls.ts";
import { type Results, resultsOf, textsOf, unexpected } from "../../servers/calls/results.ts";
import { detectRuntime } from "../../servers/runtime.ts";
import type { ModuleEvent } from "../suite.ts";
import { changedInput, differingResults, faultOf, inputTexts, unseenResult, waits } from "./faults.ts";

const [task, file, , from = "0"] = process.argv.slice(2) as [string, string, string?, string?];

// On a separate line, whatever the module prints.
const say = (event: ModuleEvent) => void writeSync(1, `\n${JSON.stringify(event)}\n`);
const firstLine = (error: unknown) => String((error as Error)?.message ?? error).split("\n")[0]!;

async function read(): Promise<void> {
  const opened = await openCalls(file, { directory: null, options: {}, runtime: detectRuntime().name });
  const { calls, inputs = [undefined], same = true } = opened;
  const results: Record<string, Results | null> = {};
  const waiting: string[] = [];
  const given = new Map<string, readonly string[] | null>();
  const entries = Object.entries(calls);
  for (const [place, [name, call]] of entries.entries()) {
    if (task === "check" && place < Number(from)) continue;
    if (task === "check") {
      say({ event: "check", place, name, advice: "mend the function, its inputs or what is expected" });
    }
    const before = inputTexts(inputs), unseen = {};
    const texts = await textsOf(call, inputs, unseen).catch((error) =>
      Promise.reject(new Error(`${name}: ${firstLine(error)}`))
    );
    // Results that change from one time to the next cannot be compared.
    const again = resultsOf(await textsOf(call, inputs)), once = resultsOf(texts);
    const isWaiting = await waits({ call, inputs });
    if (isWaiting) waiting.push(name);
    const wrong = changedInput(inputs, before) ?? unseenResult(unseen, same) ?? await unexpected(opened, texts) ??
      await faultOf({ call, inputs }, isWaiting, again.sha256 === once.sha256 ? texts : null);
    if (task === "check") say(wrong === null ? { event: "passed", place } : { event: "wrong", place, message: wrong });
    else if (wrong !== null) throw new Error(`${name}: ${wrong}`);
    results[name] = again.sha256 === once.sha256 ? once : null;
    given.set(name, results[name] === null ? null : texts);
  }
  const differing = same ? differingResults(given) : null;
  if (differing !== null) throw new Error(`its functions do different things: ${differing}`);
  await opened.close?.();
  say(
    task === "check" ? { event: "end", checks: entries.length } : {
      event: "facts",
      facts: {
        title: entries.map(([name]) => name).join(", "),
        calls: JSON.stringify(results),
        waiting: waiting.join(", "),
      },
    },
  );
}

try {
  await read();
} catch (error) {
  say({ event: "failed", message: firstLine(error), advice: "docs/in-process.md says what a module exports" });
}
process.exit(0);
