/** Reads a command line and runs its one command. */
import { commandHelp, generalHelp } from "./options/help.ts";
import { argsOf } from "./options/args.ts";
import { optionTable } from "./options/option-table.ts";
import { parseLine } from "./options/read-line.ts";
import type { Context } from "./commands/context.ts";
import { configOfLine } from "./options/config-meant.ts";
import { withUserModules } from "./options/user-modules.ts";
import { candidateSuites, chosenSuite } from "./options/suites.ts";
import { BenchError, EXIT, type ExitCode, orElse } from "./basics/errors.ts";
import { visibleLine } from "./basics/visible.ts";
import { harmlessJson } from "./report/align.ts";
import { columnsOf } from "./report/fit-text.ts";
import { styleFor } from "./report/style.ts";
import { overwriteLine, writeData, writeLine, writeSentence, writeText } from "./report/writer.ts";

/** The streams a command reads and writes, and the environment, which gives width and colours. */
interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: Context["stderr"];
  /** The input of a person who may answer questions. */
  readonly stdin?: NodeJS.ReadStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a command line and writes errors to stderr. Returns the exit code, and never throws. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { say, errStyle, write } = errorsTo(terminal);
  try {
    return await dispatch(await contextOf(argv, terminal));
  } catch (error) {
    if (isOutputFull(error)) return cannotPrint(error, terminal);
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    say(`${errStyle.red("error:")} ${visibleLine(message)}`);
    if (error instanceof BenchError && error.hint !== undefined) say(`  try: ${visibleLine(error.hint)}`);
    if (argv.includes("--verbose")) write(`${stack}\n`);
    return error instanceof BenchError ? error.exit : EXIT.failed;
  }
}

/** Returns the context of a command for a command line. Throws a usage error in one line for one that cannot be meant. */
export async function contextOf(argv: readonly string[], terminal: Terminal): Promise<Context> {
  const line = parseLine(argv);
  const config = await configOfLine(line);
  const suites = await candidateSuites(line, config);
  const table = optionTable(suites);
  const args = argsOf(line, config, table, suites);
  const { give, print, ...others } = outputs(terminal);
  return {
    ...others,
    give,
    print,
    show: (record, text) => args.has("json") ? give(`${harmlessJson(record)}\n`) : print(text()),
    config,
    ...await withUserModules(args, suites, config).catch((error: unknown) => {
      // A gate with --strict reports it.
      if (args.command !== "gate" || !args.has("strict") || !(error instanceof BenchError)) throw error;
      return { args, suites, refused: error };
    }),
  };
}

/** Returns the outputs of a command. */
function outputs(terminal: Terminal): Omit<Context, "args" | "suites" | "config" | "show"> {
  const { stdout, stderr, env } = terminal;
  const { say, sayLine, errStyle } = errorsTo(terminal);
  const columns = columnsOf(stdout, env);
  return {
    stderr,
    outStyle: styleFor(stdout.isTTY === true, env),
    errStyle,
    columns,
    print: (text) => writeText(stdout, text, columns),
    printLine: (line) => writeLine(stdout, line),
    give: (data) => writeData(stdout, data),
    say,
    sayLine,
    async ask(question) {
      // Touched only where it is needed: bench agent reads it otherwise.
      const { stdin } = terminal;
      if (!stdin?.isTTY || !stderr.isTTY) return null;
      return await (await import("./commands/agree.ts")).confirm(question, { stdin, stderr });
    },
    doing(text) {
      if (!stderr.isTTY) { if (text !== null) say(text); }
      else overwriteLine(stderr, text ?? "");
    },
  };
}

/** Returns a writer to stderr. If stderr cannot be written to, only the exit code reports the error. */
function errorsTo({ stderr, env }: Terminal) {
  // The disk may be full, or the reader gone.
  const tried = (write: () => void): void => orElse(write, undefined);
  return {
    write: (text: string) => tried(() => writeText(stderr, text, Infinity)),
    errStyle: styleFor(stderr.isTTY === true, env),
    say: (line: string) => tried(() => writeSentence(stderr, line, columnsOf(stderr, env))),
    sayLine: (line: string) => tried(() => writeLine(stderr, line)),
  };
}

async function dispatch(context: Context): Promise<ExitCode> {
  const { args, suites, columns, print } = context;
  switch (args.command) {
    case "help":
      print(
        args.about === undefined
          ? generalHelp(columns, args.whole)
          : commandHelp(args.about, chosenSuite(args, suites).suite, columns, args.whole),
      );
      return EXIT.done;
    case "version":
      return (await import("./commands/version.ts")).versionCommand(context);
    case "all":
    case "run":
      return (await import("./commands/run.ts")).runCommand(context);
    case "run --pair":
      return (await import("./commands/run-pair.ts")).runPairCommand(context);
    case "bisect":
      return (await import("./commands/bisect.ts")).bisectCommand(context);
    case "explain":
      return (await import("./commands/explain.ts")).explainCommand(context);
    case "latency":
      return (await import("./commands/latency.ts")).latencyCommand(context);
    case "verify":
      return (await import("./commands/verify.ts")).verifyCommand(context);
    case "compare":
      return (await import("./commands/compare.ts")).compareCommand(context);
    case "gate":
      return (await import("./commands/gate.ts")).gateCommand(context);
    case "settle":
      return (await import("./commands/settle.ts")).settleRunCommand(context);
    case "reproduce":
      return (await import("./commands/reproduce.ts")).reproduceCommand(context);
    case "show":
      return args.has("list")
        ? (await import("./commands/runs.ts")).runsCommand(context)
        : (await import("./commands/show.ts")).showCommand(context);
    case "report":
      return (await import("./commands/report.ts")).reportCommand(context);
    case "serve":
      return (await import("./commands/serve.ts")).serveCommand(context);
    case "init":
      return (await import("./commands/init.ts")).initCommand(context);
    case "list":
      return (await import("./commands/list.ts")).listCommand(context);
    case "agent":
      return (await import("./commands/agent.ts")).agentCommand();
    case "doctor":
      return (await import("./commands/doctor.ts")).doctorCommand(context);
  }
}

/** True if writing to stdout failed; failed writes to files are reported where they happen. */
function isOutputFull(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code, message } = error as NodeJS.ErrnoException;
  return !(error instanceof BenchError) &&
    (code === "ENOSPC" || code === "EPIPE" || /os error (28|32)\b/.test(message));
}

/** Says why results could not be printed; a reader who has gone away has seen enough. */
export function cannotPrint({ code, message }: NodeJS.ErrnoException, terminal: Terminal): ExitCode {
  const { write, errStyle } = errorsTo(terminal);
  const full = code === "ENOSPC" || message.includes("os error 28");
  if (full) {
    write(`${errStyle.red("error:")} cannot write to stdout: ENOSPC\n  try: bench … >FILE on another disk\n`);
  }
  return EXIT.failed;
}
