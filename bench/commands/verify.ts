import { relative } from "node:path";
import { EXIT, type ExitCode } from "../core/errors.ts";
import { counted } from "../core/units.ts";
import { verify } from "../host/verify-run.ts";
import { type Context, runFolder } from "./context.ts";

/** `bench verify`: recomputes everything a run publishes from its raw lines and names what does not follow. */
export function verifyCommand(context: Context): ExitCode {
  const { args, stdout, outStyle } = context;
  const path = runFolder(context, args.words[0]);
  const name = relative(process.cwd(), path) || path;
  const { faults, lines } = verify(path);

  if (args.has("json")) stdout.write(JSON.stringify({ run: name, faults }) + "\n");
  else if (faults.length === 0) {
    stdout.write(`${outStyle.green("✓")} ${name}: all published figures follow from ${counted(lines, "line")}\n`);
  } else {
    for (const fault of faults) stdout.write(`${outStyle.red("✗")} ${fault}\n`);
    stdout.write(`${name}: ${counted(faults.length, "fault")}\n`);
  }
  return faults.length === 0 ? EXIT.done : EXIT.invalid;
}
