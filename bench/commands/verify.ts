import { join, relative } from "node:path";
import { EXIT, type ExitCode } from "../core/errors.ts";
import { cellCard } from "../core/result/cell-card.ts";
import { summarySchema } from "../core/result/summary.ts";
import { faultsOfRun } from "../core/result/verify.ts";
import { counted } from "../core/units.ts";
import { cardFilesOf, readJson, readRun } from "../host/read-run.ts";
import { fileSha256 } from "../host/runtimes.ts";
import { sealFaults } from "../host/seal.ts";
import { type Context, runFolder } from "./context.ts";
import { plannedModules } from "./own-modules.ts";

/** `bench verify`: recomputes everything a run publishes from its raw lines and names what does not follow. */
export function verifyCommand(context: Context): ExitCode {
  const { args, stdout, outStyle, print, say } = context;
  const path = runFolder(context, args.words[0]);
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
  for (const file of attempt(() => cardFilesOf(path)) ?? []) {
    const card = attempt(() => readJson(join(path, file), cellCard));
    if (card !== undefined) published.set(file, card);
  }
  const summary = attempt(() => readJson(join(path, "summary.json"), summarySchema));
  if (summary !== undefined) published.set("summary.json", summary);
  if (stored !== undefined) {
    if (stored.truncated) faults.push("journal.ndjson ends in half a line");
    faults.push(...faultsOfRun({ run: stored.run, lines: stored.lines, published }));
  }
  faults.push(...sealFaults(path));
  // Figures follow from the lines all the same; who runs the file again measures something else.
  for (const { file, sha256, found } of stored === undefined ? [] : plannedModules(stored.run.plan, path)) {
    if (found !== null && fileSha256(found) !== sha256) {
      say(`note: "${file}" has changed since this run`);
    }
  }

  if (args.has("json")) stdout.write(JSON.stringify({ run: name, faults }) + "\n");
  else if (faults.length === 0) {
    const lines = counted(stored?.lines.length ?? 0, "line");
    print(`${outStyle.green("✓")} ${name}: all published figures follow from ${lines}\n`);
  } else {
    for (const fault of faults) print(`${outStyle.red("✗")} ${fault}\n`);
    print(`${name}: ${counted(faults.length, "fault")}\n`);
  }
  return faults.length === 0 ? EXIT.done : EXIT.invalid;
}
