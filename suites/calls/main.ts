/**
 * The process that reads a module of functions: `facts FILE`, or `check FILE DIRECTORY FROM`, which calls each from that
 * place on. Prints one JSON line an event on stdout (`ModuleEvent` in suites/suite.ts).
 */
import { writeSync } from "node:fs";
import { type Call, openCalls } from "../../servers/calls/open-calls.ts";
import { type Results, resultsOf, textsOf, unexpected } from "../../servers/calls/results.ts";
import { detectRuntime } from "../../servers/runtime.ts";
import type { ModuleEvent } from "../suite.ts";

const [task, file, , from = "0"] = process.argv.slice(2) as [string, string, string?, string?];

// On a separate line, whatever the module prints.
const say = (event: ModuleEvent) => void writeSync(1, `\n${JSON.stringify(event)}\n`);
const firstLine = (error: unknown) => String((error as Error)?.message ?? error).split("\n")[0]!;

/** Calls of one that gives promises, to see whether it waits. */
const LOOKED_AT = 20;

/**
 * True if a function waits rather than works, which CPU time does not show: its process then gives up its CPU each
 * time.
 */
async function waits(call: Call, inputs: readonly unknown[]): Promise<boolean> {
  const before = process.resourceUsage().voluntaryContextSwitches;
  for (let n = 0; n < LOOKED_AT; n++) {
    const result = call(inputs[n % inputs.length]);
    if (typeof (result as { then?: unknown } | null)?.then !== "function") return false;
    await result;
  }
  return process.resourceUsage().voluntaryContextSwitches - before >= LOOKED_AT;
}

async function read(): Promise<void> {
  const opened = await openCalls(file, { directory: null, options: {}, runtime: detectRuntime().name });
  const { calls, inputs = [undefined] } = opened;
  const results: Record<string, Results | null> = {};
  const waiting: string[] = [];
  const entries = Object.entries(calls);
  for (const [place, [name, call]] of entries.entries()) {
    if (task === "check" && place < Number(from)) continue;
    if (task === "check") {
      say({ event: "check", place, name, advice: "mend the function, its inputs or what is expected" });
    }
    const texts = await textsOf(call, inputs).catch((error) =>
      Promise.reject(new Error(`${name}: ${firstLine(error)}`))
    );
    const wrong = await unexpected(opened, texts);
    if (task === "check") say(wrong === null ? { event: "passed", place } : { event: "wrong", place, message: wrong });
    else if (wrong !== null) throw new Error(`${name}: ${wrong}`);
    // Results that change from one time to the next cannot be compared.
    const again = resultsOf(await textsOf(call, inputs)), once = resultsOf(texts);
    if (await waits(call, inputs)) waiting.push(name);
    results[name] = again.sha256 === once.sha256 ? once : null;
  }
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
  say({ event: "failed", message: firstLine(error), advice: "export functions, as docs/in-process.md shows" });
}
process.exit(0);
