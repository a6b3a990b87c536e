/**
 * The process that reads a user's module, or holds it against the store contract: `facts FILE`, or
 * `check FILE DIRECTORY FROM [ENDS]`, which runs the checks from that place on over files in a folder it may fill, and
 * gives a process ENDS milliseconds to end after it has closed a store. Prints one
 * JSON line an event on stdout (`ModuleEvent` in suites/suite.ts). It may hang or die where the module does: whoever
 * starts it watches, and starts it again from the next check.
 */
import { mkdtempSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ModuleEvent } from "../../suites/suite.ts";
import { StoreError } from "../store.ts";
import { storeChecks } from "../store-checks.ts";
import { checkContext } from "./context.ts";
import { firstLine, isUnsupported, NoStore, userDriver } from "./user-driver.ts";
import { processChecks } from "./process-checks.ts";
import { detectRuntime } from "./this-runtime.ts";
import { failureInWords } from "./words.ts";

const [task, file, directory, from = "0", ends] = process.argv.slice(2) as [string, string, string, string?, string?];

// At once, lest it be lost when the module takes the process with it; on a separate line, whatever the module prints.
const say = (event: ModuleEvent) => void writeSync(1, `\n${JSON.stringify(event)}\n`);

async function reportFacts(): Promise<void> {
  const { title, complexity, durability, runtimes, elsewhere } = await userDriver(file);
  say({
    event: "facts",
    facts: {
      title,
      complexity,
      durability,
      runtimes: runtimes.join(", "),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    },
  });
}

async function check(): Promise<void> {
  const driver = await userDriver(file);
  const runtime = detectRuntime();
  if (!driver.runtimes.includes(runtime)) {
    return say({ event: "unsupported", message: `its driver lists ${driver.runtimes.join(", ")} only` });
  }
  const context = { ...checkContext(driver, mkdtempSync(join(directory, "from-"))), own: true as const };
  const checks = [...storeChecks, ...processChecks(file, ends === undefined ? undefined : Number(ends))];
  for (const [place, { name, advice, run }] of checks.entries()) {
    if (place < Number(from)) continue;
    say({ event: "check", place, name, advice });
    try {
      await run(context);
      say({ event: "passed", place });
    } catch (error) {
      if (isUnsupported(error)) return say({ event: "unsupported", message: firstLine(error) });
      say({ event: "wrong", place, message: failureInWords(error) });
    }
  }
  say({ event: "end", checks: checks.length });
}

// A promise of the module that never settles must not end the process as if all were said.
const stay = setInterval(() => {}, 1_000_000);
// An error that a module throws later is a fault of the current check, not of this process.
process.on("unhandledRejection", () => {});
try {
  await (task === "facts" ? reportFacts() : check());
} catch (error) {
  const message = firstLine(error);
  if (isUnsupported(error)) say({ event: "unsupported", message });
  else {
    const advice = error instanceof NoStore
      ? error.command
      : error instanceof StoreError && error.cause !== undefined
      ? "mend it; packages it imports belong into its own folder: npm install there"
      : "export const driver: StoreDriver = { … } as stores/store.ts describes it";
    say({ event: "failed", message, advice });
  }
}
clearInterval(stay);
process.exit(0);
