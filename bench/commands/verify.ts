import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { EXIT, type ExitCode } from "../core/errors.ts";
import { cellCard } from "../core/result/cell-card.ts";
import { summarySchema } from "../core/result/summary.ts";
import { faultsOfRun } from "../core/result/verify.ts";
import { sealFaults } from "../host/seal.ts";
import { findRun, readJson, readRun } from "../host/read-run.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench verify`: recomputes everything a run publishes from its raw lines and names what does not follow. */
export function verifyCommand(context: Context): ExitCode {
  const { args, stdout, outStyle } = context;
  const path = findRun(resultsDirectory(args), args.words[0]);
  const name = relative(process.cwd(), path) || path;
  const faults: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push((error as Error).message.replaceAll(`${path}/`, ""));
      return undefined;
    }
  };
  const stored = attempt(() => readRun(path));
  const published = new Map<string, unknown>();
  const cells = attempt(() => readdirSync(join(path, "cells"))) ?? [];
  for (const file of cells.filter((cell) => cell.endsWith(".json")).sort()) {
    const card = attempt(() => readJson(join(path, "cells", file), cellCard, "levelfield.cell/1"));
    if (card !== undefined) published.set(`cells/${file}`, card);
  }
  const summary = attempt(() => readJson(join(path, "summary.json"), summarySchema, "levelfield.summary/2"));
  if (summary !== undefined) published.set("summary.json", summary);
  if (stored !== undefined) {
    if (stored.truncated) faults.push("trials.ndjson ends in half a line");
    faults.push(...faultsOfRun({ run: stored.run, lines: stored.lines, published }));
  }
  faults.push(...sealFaults(path));

  if (args.has("json")) stdout.write(JSON.stringify({ run: name, faults }) + "\n");
  else if (faults.length === 0) {
    const lines = readFileSync(join(path, "trials.ndjson"), "utf8").split("\n").length - 1;
    stdout.write(`${outStyle.green("✓")} ${name}: all published figures follow from ${lines} lines\n`);
  } else {
    for (const fault of faults) stdout.write(`${outStyle.red("✗")} ${fault}\n`);
    stdout.write(`${name}: ${faults.length} ${faults.length === 1 ? "fault" : "faults"}\n`);
  }
  return faults.length === 0 ? EXIT.done : EXIT.invalid;
}
