/** One option of the command line. Parser, help and error messages are all made from these. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value in help; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
}

/** One command. */
export interface Command {
  readonly name: string;
  /** Words after the command, for help: `[suite]`. */
  readonly operands: string;
  /** How many words there may be at most. */
  readonly maxOperands: number;
  readonly help: string;
  /** Names of the options it takes, besides those every command takes. */
  readonly options: readonly string[];
  readonly examples: readonly string[];
}

/** Every option, once. */
export const OPTIONS = [
  { name: "quick", help: "3 rounds of 1 s: a look, no verdicts" },
  { name: "thorough", help: "12 rounds of 10 s" },
  { name: "runtime", value: "a,b", help: "runtimes: node, deno, bun; node@24.21.0, node=/path (default: all)" },
  { name: "store", value: "a,b", help: "stores: linear, map, binary, sqlite, drizzle (default: all)" },
  { name: "size", value: "10k,1m", help: "users in the data set, 1 to 10m (default: 10k,100k,1m)" },
  { name: "rounds", value: "N", help: "rounds, each every cell once (default: 6)" },
  { name: "duration", value: "3s", help: "measured window of a trial, whole seconds (default: 3s; bench duet: 2s)" },
  { name: "warmup", value: "1s", help: "each of the two loads before the window, whole seconds (default: 1s)" },
  { name: "connections", value: "50", help: "connections of the load generator (default: 50)" },
  { name: "miss-share", value: "0.1", help: "share of requests for ids that do not exist (default: 0)" },
  { name: "seed", value: "N", help: "seed of trial order and ids drawn (default: from the clock, recorded)" },
  { name: "data-seed", value: "N", help: "seed of the data set (default: 42)" },
  { name: "server-cpus", value: "LIST", help: "CPUs of the server, such as 1 or 2-3 (default: chosen)" },
  { name: "load-cpus", value: "LIST", help: "CPUs of the load generator (default: chosen)" },
  { name: "generator", value: "wrk", help: "load generator (default: wrk)" },
  { name: "engine", value: "native|node", help: "SQLite engine: the runtime's own, or node:sqlite on Bun too" },
  { name: "duets", value: "runtimes,stores", help: "what duets compare, or none (default: runtimes)" },
  { name: "label", value: "NAME", help: "label of this run's cells, to compare labels later (default: main)" },
  { name: "against", value: "REF", help: "measure another git revision in the same run, label by label" },
  { name: "resume", value: "RUN", help: "go on with a run that was stopped: the missing trials only" },
  { name: "results", value: "DIR", help: "folder of runs (default: results)" },
  { name: "data", value: "DIR", help: "folder of data sets and store files (default: .data)" },
  { name: "port", value: "N", help: "port to listen on (default: 8080)" },
  { name: "app", value: "users|bare", help: "what to serve: the app, or the runtime's bare server (default: users)" },
  { name: "verify", help: "hash every file again instead of trusting sizes and times" },
  {
    name: "only",
    value: "a,b",
    help: "ceiling, hono, linear, build, cells, duets, recover, disturbed; also power, killed",
  },
  { name: "with", value: "RUN", help: "a run already made with the same plan, instead of measuring" },
  { name: "fail-on", value: "5%", help: "exit 4 when the second is proven slower by at least this" },
  { name: "markdown", help: "print a Markdown table, for pull requests" },
  {
    name: "format",
    value: "html|csv|…",
    help: "html, markdown, csv, benchstat, hyperfine, github-action-benchmark, prometheus",
  },
  { name: "output", value: "FILE", help: "file to write (default: report.html in the run's folder, else stdout)" },
  { name: "serve", help: "serve the list of runs and their pages on loopback until Ctrl-C" },
  { name: "readme", help: "write README.md's table and pictures from the run" },
  { name: "dry-run", help: "say what would be measured, measure nothing" },
  { name: "json", help: "print results as JSON on stdout instead of a table" },
  { name: "verbose", help: "print stacks with errors" },
  { name: "help", short: "h", help: "print help" },
  { name: "version", short: "V", help: "print the versions of everything involved" },
] as const satisfies readonly Option[];

/** Options every command takes. */
export const COMMON_OPTIONS: readonly string[] = ["verbose", "help", "version"];

const MEASURING = [
  "rounds",
  "duration",
  "warmup",
  "connections",
  "miss-share",
  "seed",
  "data-seed",
  "server-cpus",
  "load-cpus",
  "generator",
  "engine",
  "duets",
  "label",
  "against",
  "results",
  "data",
  "dry-run",
  "json",
];

/** Every command, in the order help shows them. */
export const COMMANDS = [
  {
    name: "all",
    operands: "",
    maxOperands: 0,
    help: "measure the whole matrix: every runtime, store and size",
    options: ["quick", "thorough", "resume", ...MEASURING],
    examples: ["bench all --quick", "bench all"],
  },
  {
    name: "run",
    operands: "[suite]",
    maxOperands: 1,
    help: "measure a part of the matrix",
    options: ["quick", "thorough", "runtime", "store", "size", "resume", ...MEASURING],
    examples: ["bench run --runtime node,bun --store map,sqlite --size 10k", "bench run users --dry-run"],
  },
  {
    name: "duet",
    operands: "<cell> <cell>",
    maxOperands: 2,
    help: "compare two cells directly: both on one core at the same time, by CPU time per request",
    options: [
      "rounds",
      "duration",
      "warmup",
      "connections",
      "miss-share",
      "seed",
      "data-seed",
      "server-cpus",
      "load-cpus",
      "generator",
      "engine",
      "results",
      "data",
      "json",
    ],
    examples: ["bench duet bun/sqlite/10k deno/sqlite/10k", "bench duet node/map/1m node/sqlite/1m --rounds 12"],
  },
  {
    name: "verify",
    operands: "[run]",
    maxOperands: 1,
    help: "recompute every published figure of a run from its raw lines (default: the newest run)",
    options: ["results", "json"],
    examples: ["bench verify", "bench verify reference"],
  },
  {
    name: "compare",
    operands: "<run[@label]> <run[@label]>",
    maxOperands: 2,
    help: "compare two runs, or two labels of one run, cell by cell with verdicts",
    options: ["fail-on", "markdown", "results", "json"],
    examples: ["bench compare reference 2026-11-21-101500", "bench compare RUN@main RUN@HEAD~1 --fail-on 5%"],
  },
  {
    name: "reproduce",
    operands: "[run]",
    maxOperands: 1,
    help: "measure a published run's plan here and say what came out the same (default: the reference run)",
    options: ["with", "server-cpus", "load-cpus", "results", "data", "json"],
    examples: ["bench reproduce reference", "bench reproduce reference --with 2026-11-21-101500"],
  },
  {
    name: "shape",
    operands: "[run]",
    maxOperands: 1,
    help: "check a run's shape: flatness, sqlite against map, fall of linear, scaling of each store",
    options: ["results", "json"],
    examples: ["bench shape", "bench shape reference"],
  },
  {
    name: "report",
    operands: "[run…]",
    maxOperands: 8,
    help: "make a page of a run, compare runs in one page, or export results",
    options: ["format", "output", "serve", "readme", "port", "results"],
    examples: ["bench report", "bench report RUN-A RUN-B", "bench report --format csv", "bench report --serve"],
  },
  {
    name: "serve",
    operands: "",
    maxOperands: 0,
    help: "serve one cell on loopback until Ctrl-C, to look at it yourself",
    options: ["runtime", "store", "size", "engine", "app", "port", "data", "data-seed"],
    examples: ["bench serve --runtime bun --store sqlite --size 10k"],
  },
  {
    name: "data",
    operands: "",
    maxOperands: 0,
    help: "build data sets and store files now, or check those there are",
    options: ["size", "store", "data-seed", "data", "verify", "json"],
    examples: ["bench data --size 10m --store sqlite", "bench data --size 1m --verify"],
  },
  {
    name: "list",
    operands: "",
    maxOperands: 0,
    help: "list suites, runtimes, stores, sizes, profiles and load generators",
    options: ["json"],
    examples: ["bench list"],
  },
  {
    name: "doctor",
    operands: "",
    maxOperands: 0,
    help: "say what this machine can prove, what that costs and what mends it",
    options: ["data", "results", "json"],
    examples: ["bench doctor", "bench doctor --json"],
  },
  {
    name: "self",
    operands: "",
    maxOperands: 0,
    help: "measure the bench itself: ceiling, flatness, stores, build, duets, overhead",
    options: ["rounds", "only", "data", "results", "json"],
    examples: ["bench self", "bench self --only ceiling,build --rounds 9"],
  },
] as const satisfies readonly Command[];

/** Name of a command. */
export type CommandName = (typeof COMMANDS)[number]["name"];

/** Name of an option. */
export type OptionName = (typeof OPTIONS)[number]["name"];
