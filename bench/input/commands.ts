// One table in one place: longer than other files for that.
/** One command. */
export interface Command {
  readonly name: string;
  /** Words after the command, for help: `[suite]`; none where it is left out. */
  readonly operands?: string;
  /** How many words there may be at most, where that is more than `operands` shows. */
  readonly maxOperands?: number;
  readonly help: string;
  /** Whether it takes options of a suite's axes: with several values each, with one, or that of runtimes only. */
  readonly axes: "several" | "one" | "runtime" | null;
  /** Whether it runs the config of the current folder unasked: it measures, serves or builds what that one says. */
  readonly config?: true;
  /** Command lines to try; words such as SUITE stand for what exampleFor in help.ts puts there. */
  readonly examples: readonly string[];
}

/** Every command, in the order help shows them. */
export const COMMANDS = [
  {
    name: "all",
    help: "measure the whole matrix of the first suite: bench run without a choice",
    axes: "several",
    config: true,
    examples: ["bench all --quick", "bench all"],
  },
  {
    name: "run",
    operands: "[suite]",
    help: "measure a suite of this project, one in a file, or your own app or server, at all points or some",
    axes: "several",
    config: true,
    examples: [
      "bench run SUITE --quick",
      "bench run SUITE --OPTION VALUES --dry-run",
      "bench run ./my-suite.ts",
      "bench run --app ./app.ts --request 'GET /items/42' --quick",
      "bench run --command 'python3 server.py {port}' --quick",
      "bench run --plan plan.json",
    ],
  },
  {
    name: "duet",
    operands: "[suite] <cell> <cell>",
    help: "compare two cells directly: both by turns on one core, by CPU time per request",
    axes: "one",
    config: true,
    examples: [
      "bench duet SUITE CELL OTHER",
      "bench duet SUITE CELL OTHER --rounds 12",
      "bench duet --app a=./a.ts,b=./b.ts a b",
    ],
  },
  {
    name: "contrast",
    operands: "[suite] [cell]",
    help: "the same warm server under each load generator there is, from another core and from its own",
    axes: "one",
    config: true,
    examples: ["bench contrast", "bench contrast SUITE CELL --generator oha,ab"],
  },
  {
    name: "latency",
    operands: "[suite] [cell…]",
    maxOperands: 8,
    help: "what somebody waits at fixed rates, and the highest rate that holds a limit (needs oha)",
    axes: "one",
    config: true,
    examples: [
      "bench latency",
      "bench latency SUITE CELL OTHER --rate 5000",
      "bench latency SUITE CELL --slo 'p99<5ms'",
    ],
  },
  {
    name: "verify",
    operands: "[run]",
    help: "recompute every published figure of a run from its raw lines (default: the newest run)",
    axes: null,
    examples: ["bench verify", "bench verify reference"],
  },
  {
    name: "compare",
    operands: "<run[@label][,…]> <run[@label][,…]>",
    help: "compare two runs, or two labels of one run, cell by cell with verdicts",
    axes: null,
    examples: [
      "bench compare RUN@main RUN@HEAD~1 --fail-on 5%",
      "bench compare A1,A2,A3 B1,B2,B3 --fail-on 5%",
      "bench compare reference 2026-11-21-101500",
    ],
  },
  {
    name: "gate",
    help: "hold your own app or program against a revision of its repository: exit 4 on a proven slowdown, for CI",
    axes: "runtime",
    config: true,
    examples: [
      "bench gate --app ./app.ts --base main --request 'GET /items/42'",
      "bench gate --app ./src/app.ts --base main --install 'npm ci' --limit 5% --output comment.md",
      "bench gate --command 'node server.js' --base main --ready /health",
    ],
  },
  {
    name: "reproduce",
    operands: "[run]",
    help: "measure a published run's plan here and say what came out the same (default: the reference run)",
    axes: null,
    examples: ["bench reproduce reference", "bench reproduce reference --with 2026-11-21-101500"],
  },
  {
    name: "shape",
    operands: "[run]",
    help: "hold a run against what its suite expects: ratios, growth, published figures, steps",
    axes: null,
    examples: ["bench shape", "bench shape reference"],
  },
  {
    name: "capacity",
    operands: "[run]",
    help: "say for how many people a rate is enough, who act as you state, with room to spare",
    axes: null,
    examples: ["bench capacity", "bench capacity --rate 41000 --requests-per-visit 50"],
  },
  {
    name: "show",
    operands: "[run]",
    help: "print a finished run again: what to take, by how much, how sure (default: the newest run)",
    axes: null,
    examples: ["bench show", "bench show reference --all"],
  },
  {
    name: "runs",
    help: "list all runs, the newest first, with what each says to take",
    axes: null,
    examples: ["bench runs", "bench runs --json"],
  },
  {
    name: "report",
    operands: "[run…]",
    maxOperands: 8,
    help: "make a page of a run, compare runs in one page, or export results",
    axes: null,
    examples: ["bench report", "bench report RUN-A RUN-B", "bench report --card", "bench report --serve"],
  },
  {
    name: "board",
    operands: "[DIR…]",
    maxOperands: 64,
    help: "recompute many runs and make a site of them: which verdicts hold on how many machines (default: all runs)",
    axes: null,
    examples: ["bench board", "bench board runs --out site"],
  },
  {
    name: "pack",
    operands: "[run]",
    help: "pack a run, raw lines and environment, into one file for a board (default: the newest run)",
    axes: null,
    examples: ["bench pack", "bench pack reference --output mine.levelfield.gz"],
  },
  {
    name: "unpack",
    operands: "<file…>",
    maxOperands: 64,
    help: "unpack packed runs into the folder of runs, and recompute each",
    axes: null,
    examples: ["bench unpack mine.levelfield.gz"],
  },
  {
    name: "serve",
    operands: "[suite]",
    help: "serve one point of a suite on loopback until Ctrl-C, to look at it yourself",
    axes: "one",
    config: true,
    examples: ["bench serve SUITE --OPTION VALUE", "bench serve SUITE --port 0", "bench serve --app ./app.ts"],
  },
  {
    name: "data",
    operands: "[suite]",
    help: "build the files a suite's servers need, or check those there are",
    axes: "several",
    config: true,
    examples: ["bench data SUITE", "bench data SUITE --verify"],
  },
  {
    name: "check",
    operands: "<file>",
    help: "hold a module of your own against its contract on every runtime, and say in words what fails",
    axes: "runtime",
    examples: ["bench check ./mine.ts", "bench check ./mine.ts --json"],
  },
  {
    name: "init",
    help: "look at this folder and write a first levelfield.config.ts, and nothing else",
    axes: null,
    examples: ["bench init --dry-run", "bench init"],
  },
  {
    name: "list",
    operands: "[suite]",
    help: "list suites, profiles and tools; of one suite its axes, values, presets and what cannot be",
    axes: null,
    examples: ["bench list", "bench list SUITE"],
  },
  {
    name: "agent",
    help: "work for a bench on another host, at the other end of stdin and stdout, until that ends (--server-host)",
    axes: null,
    examples: ["bench agent"],
  },
  {
    name: "doctor",
    help: "say what this machine can prove, what that costs and what mends it",
    axes: null,
    examples: ["bench doctor", "bench doctor --json"],
  },
  {
    name: "self",
    help: "measure the bench itself: what it can see, what it misses, what stops it",
    axes: null,
    config: true,
    examples: [
      "bench self",
      "bench self --only ceiling,warm --rounds 9",
      "bench self --only fuzz --fuzz-requests 5000",
      "bench self --only fuzz --fuzz-app routes,kv",
      "bench self --only faults --quick",
      "bench self --only faults --fault servers",
      "bench self --only board",
    ],
  },
] as const satisfies readonly Command[];

/** Name of a command. */
export type CommandName = (typeof COMMANDS)[number]["name"];
