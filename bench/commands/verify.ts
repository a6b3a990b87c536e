import { relative } from "node:path";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { verify } from "../host/verify-run.ts";
import { printable } from "../report/align.ts";
import { harmlessJson } from "../report/harmless.ts";
import { type Context, runFolder } from "./context.ts";

/** `bench verify`: recomputes everything a run publishes from its raw lines and names what does not follow. */
export function verifyCommand(context: Context): ExitCode {
  const { args, stdout, outStyle, print, say } = context;
  const path = runFolder(context, args.words[0]);
  const name = relative(process.cwd(), path) || path;
  const { faults, notes, lines } = verify(path);
  for (const note of notes) say(`note: ${note}`);

  if (args.has("json")) stdout.write(harmlessJson({ run: name, faults, notes }) + "\n");
  else if (faults.length === 0) {
    print(`${outStyle.green("✓")} ${name}: all published figures follow from ${counted(lines, "line")}\n`);
  } else {
    for (const fault of faults) print(`${outStyle.red("✗")} ${printable(fault)}\n`);
    print(`${name}: ${counted(faults.length, "fault")}\n`);
  }
  return faults.length === 0 ? EXIT.done : EXIT.invalid;
}
