import { relative } from "node:path";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { verify } from "../runs/verify-run.ts";
import { harmlessJson } from "../report/align.ts";
import { type Context, runFolder } from "./context.ts";

const MOST_PRINTED = 100;

/** `bench verify`: recomputes everything a run publishes from its raw lines and names what does not follow. */
export function verifyCommand(context: Context): ExitCode {
  const { args, give, outStyle, print, say } = context;
  const path = runFolder(context, args.words[0]);
  const name = relative(process.cwd(), path) || path;
  const { faults, notes, lines } = verify(path);
  for (const note of notes.slice(0, MOST_PRINTED)) say(visibleLine(`note: ${note}`));

  if (args.has("json")) give(harmlessJson({ run: name, faults, notes }) + "\n");
  else if (faults.length === 0) {
    print(`${outStyle.green("✓")} ${name}: all published figures follow from ${counted(lines, "line")}\n`);
  } else {
    for (const fault of faults.slice(0, MOST_PRINTED)) print(`${outStyle.red("✗")} ${visibleLine(fault)}\n`);
    if (faults.length > MOST_PRINTED) print(`and ${faults.length - MOST_PRINTED} more, which --json lists\n`);
    print(`${name}: ${counted(faults.length, "fault")}\n`);
  }
  return faults.length === 0 ? EXIT.done : EXIT.invalid;
}
