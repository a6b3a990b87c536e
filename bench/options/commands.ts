// One table in one place: longer than other files for that.
import type { ExitCode } from "../basics/errors.ts";

/** One command. */
export interface Command {
  /** Its word; a form of another command has that command's word and the option that chooses the form. */
  readonly name: string;
  /** Its heading in help; the few commands at the top have none. */
  readonly group?: string;
  /** Words after the command, for help: `[suite]`; none where it is left out. */
  readonly operands?: string;
  readonly otherwise?: string;
  /** The most words, if more than `operands` shows. */
  readonly maxOperands?: number;
  readonly help: string;
  /**
   * The options of axes that it takes: with several values each, with one, those of runtimes and of the user's functions
   * only, or none.
   */
  readonly axes: "several" | "one" | "runtime" | null;
  /** It reads the config of the current folder without --config: it measures, serves or builds what is in it. */
  readonly config?: true;
  /** Only another bench starts it, so lists of commands leave it out. */
  readonly unlisted?: true;
  /** The meaning of exit codes that say more of this command than {@link EXIT_CODES}. */
  readonly exits?: ExitMeanings;
  /** Command lines to try; exampleFor in help.ts replaces words such as SUITE. */
  readonly examples: readonly string[];
}

type ExitMeanings = Partial<Readonly<Record<ExitCode, string>>>;

/** The meaning of the exit codes of all commands. */
export const EXIT_CODES: ExitMeanings = {
  0: "done",
  1: "failed",
  2: "wrong command line or config",
  3: "done, but not all of it is sound",
  4: "proven slower",
  130: "stopped by Ctrl-C",
};

/** Every command, in the order help shows them. */
export const COMMANDS = [
  {
    name: "all",
    operands: "[suite]",
    help: "measure a whole suite without asking first: hours; --quick: minutes",
    axes: "several",
    config: true,
    examples: ["bench all --quick", "bench all SUITE", "bench all --prepare"],
  },
  {
    name: "run",
    operands: "[suite]",
    help: "measure your own app or server, or a suite, on each runtime",
    axes: "several",
    config: true,
    examples: [
      "bench run SUITE --quick",
      "bench run ./my-suite.ts",
      "bench run --app ./app.ts --request 'GET /items/42' --quick",
      "bench run SUITE --dry-run",
      "bench run --plan plan.json",
    ],
  },
  {
    name: "show",
    operands: "[run]",
    otherwise: "the newest run",
    help: "print a finished run: what to take, by how much, how sure",
    axes: null,
    examples: ["bench show", "bench show reference --all", "bench show --list"],
  },
  {
    name: "report",
    operands: "[run…]",
    otherwise: "the newest run",
    maxOperands: 64,
    help: "make a page with pictures from runs, or export results",
    axes: null,
    examples: ["bench report", "bench report RUN-A RUN-B", "bench report --card"],
  },
  {
    name: "gate",
    help: "compare your app with its base, for CI: exit 4 if proven slower",
    axes: "runtime",
    config: true,
    exits: {
      0: "it is not proven slower; the first line says how sure that is",
      3: "with --strict: nothing could be measured, or no verdict was possible",
      4: "it is proven slower by more than --limit, with --confirm twice",
    },
    examples: [
      "bench gate --app ./app.ts --base main --request 'GET /items/42'",
      "bench gate --command 'node server.js' --base main --ready /health",
      "bench gate --function ./mine.ts --base main --limit 5% --confirm",
    ],
  },
  {
    name: "latency",
    operands: "[suite] [cell…]",
    maxOperands: 8,
    help: "say how long a user waits at fixed rates, and which holds a limit",
    axes: "one",
    config: true,
    examples: [
      "bench latency",
      "bench latency SUITE CELL OTHER --rate 5000",
      "bench latency SUITE CELL --slo 'p99<5ms'",
    ],
  },
  {
    name: "doctor",
    exits: { 3: "something should be mended before measuring" },
    help: "say what this machine can prove, and what would mend the rest",
    axes: null,
    examples: ["bench doctor", "bench doctor --json"],
  },
  {
    name: "run --pair",
    group: "measure",
    operands: "[suite] <cell> <cell>",
    help: "compare two cells on one core, by CPU time per request",
    axes: "one",
    config: true,
    examples: [
      "bench run --pair SUITE CELL OTHER",
      "bench run --pair SUITE CELL OTHER --rounds 12",
      "bench run --pair --app a=./a.ts,b=./b.ts a b",
    ],
  },
  {
    name: "bisect",
    group: "measure",
    operands: "[suite] [cell]",
    help: "find the version, or your commit, that made it slower or faster",
    axes: "one",
    config: true,
    exits: { 3: "the change was not found, or not narrowed to one version" },
    examples: [
      "bench bisect SUITE --good bun@1.2.10 --bad bun@1.2.19",
      "bench bisect --good node@22 --bad node@26 --app ./app.ts",
      "bench bisect --good v1.4 --bad HEAD --app ./app.ts --carry .env",
      "bench bisect --among bun=./old,bun=./mid,bun=./new",
    ],
  },
  {
    name: "explain",
    operands: "[suite|run] [cell] [cell]",
    group: "measure",
    help: "say where a request's CPU time goes, and where two cells differ",
    axes: "one",
    config: true,
    examples: [
      "bench explain SUITE CELL OTHER",
      "bench explain levelfield-results/RUN CELL OTHER",
      "bench explain --app ./app.ts node deno",
      "bench explain --app ./app.ts --request 'GET /items/42' --against main",
    ],
  },
  {
    name: "settle",
    operands: "[run]",
    otherwise: "the newest finished run",
    group: "measure",
    help: "go on with a finished run, with its open comparisons alone",
    axes: null,
    examples: ["bench settle", "bench settle --dry-run", "bench settle 2026-11-21-101500 --time 30m"],
  },
  {
    name: "reproduce",
    operands: "[run]",
    otherwise: "the reference run",
    group: "measure",
    help: "measure a published run's plan here: what comes out the same?",
    axes: null,
    exits: { 3: "something came out otherwise" },
    examples: ["bench reproduce reference", "bench reproduce reference --with 2026-11-21-101500"],
  },
  {
    name: "agent",
    unlisted: true,
    help: "work for a bench on another host, over stdin and stdout",
    axes: null,
    examples: ["bench agent"],
  },
  {
    name: "verify",
    operands: "[run]",
    otherwise: "the newest run",
    group: "check",
    help: "recompute every published figure of a run from its raw lines",
    axes: null,
    exits: { 3: "a figure does not follow from the raw lines" },
    examples: ["bench verify", "bench verify reference"],
  },
  {
    name: "compare",
    operands: "[run[@label][,…]…]",
    otherwise: "all runs",
    maxOperands: 64,
    group: "check",
    help: "compare two runs or labels; of more runs, say what changed when",
    axes: null,
    exits: {
      3: "a run could not be read, or not all of it can be compared",
      4: "with --fail-on: the second is proven slower by at least that",
    },
    examples: [
      "bench compare RUN@main RUN@HEAD~1 --fail-on 5%",
      "bench compare A1,A2,A3 B1,B2,B3 --fail-on 5%",
      "bench compare reference 2026-11-21-101500",
      "bench compare nightly --all",
    ],
  },
  {
    name: "serve",
    operands: "[suite]",
    group: "prepare",
    help: "start your app or one cell of a suite until Ctrl-C, to look at it",
    axes: "one",
    config: true,
    examples: ["bench serve SUITE --OPTION VALUE", "bench serve SUITE --port 0", "bench serve --app ./app.ts"],
  },
  {
    name: "init",
    group: "prepare",
    help: "look at this folder and write a first levelfield.config.ts",
    axes: null,
    examples: ["bench init --dry-run", "bench init"],
  },
  {
    name: "list",
    operands: "[suite]",
    group: "prepare",
    help: "list suites, profiles and tools; of a suite its axes and values",
    axes: null,
    examples: ["bench list", "bench list SUITE"],
  },
] as const satisfies readonly Command[];

/** Name of a command. */
export type CommandName = (typeof COMMANDS)[number]["name"];
