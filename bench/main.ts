/** Entry of the driver: reads the command line, runs one command, exits. The only place that exits. */
import { commandHelp, generalHelp } from "./args/help.ts";
import { optionTable } from "./args/options.ts";
import { loadParser } from "./args/parser.ts";
import { type Args, readArgs } from "./args/read-args.ts";
import type { Context } from "./commands/context.ts";
import { chosenSuite, optionsOf, suitesMeant } from "./commands/suites.ts";
import { BenchError, EXIT, type ExitCode } from "./core/errors.ts";
import { styleFor } from "./report/style.ts";

const errStyle = styleFor(process.stderr.isTTY === true, process.env);

async function dispatch(args: Args, suites: Context["suites"], parser: string): Promise<ExitCode> {
  const { stdout, stderr } = process;
  const outStyle = styleFor(stdout.isTTY === true, process.env);
  const context: Context = { args, suites, stdout, stderr, outStyle, errStyle, parser };
  switch (args.command) {
    case "help":
      stdout.write(
        args.about === undefined ? generalHelp() : commandHelp(args.about, optionsOf(chosenSuite(args, suites))),
      );
      return EXIT.done;
    case "version":
      return (await import("./commands/version.ts")).versionCommand(context);
    case "all":
    case "run":
      return (await import("./commands/run.ts")).runCommand(context);
    case "duet":
      return (await import("./commands/duet.ts")).duetCommand(context);
    case "contrast":
      return (await import("./commands/contrast.ts")).contrastCommand(context);
    case "latency":
      return (await import("./commands/latency.ts")).latencyCommand(context);
    case "verify":
      return (await import("./commands/verify.ts")).verifyCommand(context);
    case "compare":
      return (await import("./commands/compare.ts")).compareCommand(context);
    case "reproduce":
      return (await import("./commands/reproduce.ts")).reproduceCommand(context);
    case "shape":
      return (await import("./commands/shape.ts")).shapeCommand(context);
    case "capacity":
      return (await import("./commands/capacity.ts")).capacityCommand(context);
    case "show":
      return (await import("./commands/show.ts")).showCommand(context);
    case "runs":
      return (await import("./commands/runs.ts")).runsCommand(context);
    case "report":
      return (await import("./commands/report.ts")).reportCommand(context);
    case "serve":
      return (await import("./commands/serve.ts")).serveCommand(context);
    case "data":
      return (await import("./commands/data.ts")).dataCommand(context);
    case "list":
      return (await import("./commands/list.ts")).listCommand(context);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctorCommand(context);
    case "self":
      return (await import("./commands/self.ts")).selfCommand(context);
  }
}

async function main(argv: readonly string[]): Promise<ExitCode> {
  try {
    const suites = await suitesMeant(argv);
    const table = optionTable(suites.map(optionsOf));
    const parser = await loadParser();
    return await dispatch(readArgs(parser.parse(argv, table), table), suites, parser.name);
  } catch (error) {
    if (isOutputFull(error)) return cannotPrint(error);
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    tell(`${errStyle.red("error:")} ${message.split("\n")[0]}\n`);
    if (error instanceof BenchError && error.hint !== undefined) tell(`  try: ${error.hint}\n`);
    if (argv.includes("--verbose")) tell(`${stack}\n`);
    return error instanceof BenchError ? error.exit : EXIT.failed;
  }
}

/** Writes to stderr; where that cannot be, the exit code says enough. */
function tell(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // A full disk or nobody there.
  }
}

/** Whether writing to stdout failed, rather than to a file: those failures are told where they happen. */
function isOutputFull(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return !(error instanceof BenchError) &&
    (code === "ENOSPC" || code === "EPIPE" || /os error (28|32)\b/.test(message));
}

/** Says why results could not be printed; a reader who has gone away has seen enough. */
function cannotPrint({ code, message }: NodeJS.ErrnoException): ExitCode {
  const full = code === "ENOSPC" || message.includes("os error 28");
  if (full) {
    tell(`${errStyle.red("error:")} cannot write to stdout: ENOSPC\n  try: bench … >FILE on another disk\n`);
  }
  return EXIT.failed;
}

// Progress nobody can read is no reason to stop measuring; results nobody can have are one.
process.stderr.on("error", () => {});
process.stdout.on("error", (error) => process.exit(cannotPrint(error)));
process.exit(await main(process.argv.slice(2)));
