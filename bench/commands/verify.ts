import { relative } from "node:path";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { verify } from "../runs/verify-run.ts";
import { type Context, runFolder } from "./context.ts";

const MOST_PRINTED = 100;

/** `bench verify`: recomputes everything a run publishes from its raw lines and names what does not follow. */
export function verifyCommand(context: Context): ExitCode {
  const { args, show, outStyle, say } = context;
  const path = runFolder(context, args.words[0]);
  const name = relative(process.cwd(), path) || path;
  const { faults, notes, lines } = verify(path);
  for (const note of notes.slice(0, MOST_PRINTED)) say(visibleLine(`note: ${note}`));

  const told = faults.slice(0, MOST_PRINTED).map((fault) => `${outStyle.red("✗")} ${visibleLine(fault)}`);
  const more = faults.length - told.length;
  const bad = [
    ...told,
    ...(more > 0 ? [`and ${more} more, which --json lists`] : []),
    `${name}: ${counted(faults.length, "fault")}`,
  ];
  const good = [`${outStyle.green("✓")} ${name}: all published figures follow from ${counted(lines, "line")}`];
  show({ run: name, faults, notes }, () => (faults.length === 0 ? good : bad).map((line) => `${line}\n`).join(""));
  return faults.length === 0 ? EXIT.done : EXIT.invalid;
}
