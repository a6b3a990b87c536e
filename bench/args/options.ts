import type { SuiteOptions } from "../core/axis-options.ts";

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
  /** Words after the command, for help: `[suite]`; none where it is left out. */
  readonly operands?: string;
  /** How many words there may be at most, where that is more than `operands` shows. */
  readonly maxOperands?: number;
  readonly help: string;
  /** Names of the options it takes, besides those every command takes. */
  readonly options: readonly string[];
  /** Whether it also takes the options of a suite's axes: with several values each, or with one. */
  readonly axes: "several" | "one" | null;
  /** Command lines to try; words such as SUITE stand for what exampleFor in help.ts puts there. */
  readonly examples: readonly string[];
}

/** Every option of the driver itself, once; those of axes come from suites. */
export const OPTIONS = [
  { name: "quick", help: "minutes: verdicts under one set of conditions from 4 rounds, rates from one of 1 s" },
  { name: "thorough", help: "20 rounds, rates from 12 of 10 s" },
  {
    name: "preset",
    value: "NAME",
    help: "amounts and values the suite names; the last wins: default, profile, preset, option",
  },
  { name: "plan", value: "FILE", help: "run a plan again: what --dry-run --json printed, or a run.json" },
  { name: "rounds", value: "N", help: "rounds, each every cell once (default: 14; bench self: 5)" },
  { name: "duration", value: "3s", help: "measured window of a cell alone, whole seconds (default: 2s)" },
  { name: "warmup", value: "1s", help: "load before the window, whole seconds (default: until the server is steady)" },
  { name: "warmup-loads", value: "N", help: "with --warmup: how many such loads, 1 to 6 (default: 1)" },
  { name: "threads", value: "N", help: "threads of the load generator (default: one a core it has)" },
  { name: "seed", value: "N", help: "seed of the order and of requests drawn (default: from the clock, recorded)" },
  { name: "server-cpus", value: "LIST", help: "CPUs of the server, such as 1 or 2-3 (default: chosen)" },
  { name: "load-cpus", value: "LIST", help: "CPUs of the load generator (default: chosen)" },
  {
    name: "generator",
    value: "NAME",
    help:
      "load generator: wrk, oha, k6, autocannon, ab or h2load; all but wrk load one server at a time (default: wrk)",
  },
  { name: "alone", help: "measure every cell alone: verdicts then rest on rates, which a shared machine makes noisy" },
  { name: "label", value: "NAME", help: "label of this run's cells, to compare labels later (default: main)" },
  { name: "against", value: "REF", help: "measure another git revision in the same run, label by label" },
  { name: "resume", value: "RUN", help: "go on with a run that was stopped: the missing steps only" },
  { name: "results", value: "DIR", help: "folder of runs (default: results)" },
  { name: "data", value: "DIR", help: "folder of files built for servers (default: .data)" },
  { name: "port", value: "N", help: "port to listen on (default: 8080)" },
  { name: "verify", help: "hash every file again instead of trusting sizes and times" },
  {
    name: "only",
    value: "a,b",
    help: "ceiling, warm, ensembles, recover, disturbed, generators, power, killed, faults",
  },
  { name: "fault", value: "a,b", help: "some of the faults, by name or group (--quick: those of the gate)" },
  { name: "list", help: "list the faults, inject none" },
  { name: "with", value: "RUN", help: "a run already made with the same plan, instead of measuring" },
  { name: "fail-on", value: "5%", help: "exit 4 when the second is proven slower by at least this" },
  { name: "markdown", help: "print a Markdown table, for pull requests" },
  {
    name: "rate",
    value: "N",
    help: "requests a second: instead of those of a run, or one for all cells beside their own",
  },
  { name: "slo", value: "p99<10ms", help: "limit a rate must hold: a percentile and a time (default: p99<10ms)" },
  { name: "requests-per-visit", value: "N", help: "requests a person makes in one visit (default: 20)" },
  { name: "visits-per-day", value: "N", help: "visits a person makes in a day (default: 2)" },
  { name: "peak-share", value: "0.2", help: "share of a day's visits in its busiest hour (default: 0.2)" },
  { name: "head-room", value: "0.3", help: "share of the rate kept free (default: 0.3)" },
  { name: "think", value: "10s", help: "time between two requests of a person who is active (default: 10s)" },
  {
    name: "format",
    value: "html|csv|…",
    help: "html, markdown, csv, benchstat, hyperfine, github-action-benchmark, prometheus",
  },
  { name: "output", value: "FILE", help: "file to write (default: report.html in the run's folder, else stdout)" },
  { name: "serve", help: "serve the list of runs and their pages on loopback until Ctrl-C" },
  { name: "card", help: "write a picture of the run to share, 1200 × 630, as SVG and PNG" },
  { name: "verdicts", help: "every verdict in words, in place of the matrix" },
  { name: "readme", help: "write README.md's table and pictures from the run" },
  { name: "dry-run", help: "say what would be measured, measure nothing; with --json the plan for --plan" },
  { name: "json", help: "print results as JSON on stdout instead of a table" },
  { name: "verbose", help: "print stacks with errors" },
  { name: "help", short: "h", help: "print help" },
  { name: "version", short: "V", help: "print the versions of everything involved" },
] as const satisfies readonly Option[];

/** Options every command takes. */
export const COMMON_OPTIONS: readonly string[] = ["verbose", "help", "version"];

const PLACING = ["server-cpus", "load-cpus", "results", "data", "json"];
const MEASURING = ["rounds", "duration", "warmup", "warmup-loads", "threads", "seed", "generator", ...PLACING];
const MATRIX = [
  "quick",
  "thorough",
  "preset",
  "plan",
  "resume",
  "alone",
  "label",
  "against",
  "dry-run",
  ...MEASURING,
];

/** Every command, in the order help shows them. */
export const COMMANDS = [
  {
    name: "all",
    help: "measure the whole matrix of the first suite: bench run without a choice",
    options: MATRIX,
    axes: "several",
    examples: ["bench all --quick", "bench all"],
  },
  {
    name: "run",
    operands: "[suite]",
    help: "measure a suite of this project, or one in a file, at all its points or some",
    options: MATRIX,
    axes: "several",
    examples: [
      "bench run SUITE --quick",
      "bench run SUITE --OPTION VALUES --dry-run",
      "bench run ./my-suite.ts",
      "bench run --plan plan.json",
    ],
  },
  {
    name: "duet",
    operands: "[suite] <cell> <cell>",
    help: "compare two cells directly: both on one core at the same time, by CPU time per request",
    options: MEASURING,
    axes: "one",
    examples: ["bench duet SUITE CELL OTHER", "bench duet SUITE CELL OTHER --rounds 12"],
  },
  {
    name: "contrast",
    operands: "[suite] [cell]",
    help: "the same warm server under each load generator there is, from another core and from its own",
    options: ["rounds", "duration", "seed", "generator", ...PLACING],
    axes: "one",
    examples: ["bench contrast", "bench contrast SUITE CELL --generator oha,ab"],
  },
  {
    name: "latency",
    operands: "[suite] [cell…]",
    maxOperands: 8,
    help: "what somebody waits at fixed rates, and the highest rate that holds a limit (needs oha)",
    options: ["rate", "slo", "rounds", "duration", "seed", ...PLACING],
    axes: "one",
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
    options: ["results", "json"],
    axes: null,
    examples: ["bench verify", "bench verify reference"],
  },
  {
    name: "compare",
    operands: "<run[@label][,…]> <run[@label][,…]>",
    help: "compare two runs, or two labels of one run, cell by cell with verdicts",
    options: ["fail-on", "markdown", "results", "json"],
    axes: null,
    examples: [
      "bench compare RUN@main RUN@HEAD~1 --fail-on 5%",
      "bench compare A1,A2,A3 B1,B2,B3 --fail-on 5%",
      "bench compare reference 2026-11-21-101500",
    ],
  },
  {
    name: "reproduce",
    operands: "[run]",
    help: "measure a published run's plan here and say what came out the same (default: the reference run)",
    options: ["with", ...PLACING],
    axes: null,
    examples: ["bench reproduce reference", "bench reproduce reference --with 2026-11-21-101500"],
  },
  {
    name: "shape",
    operands: "[run]",
    help: "hold a run against what its suite expects: ratios, growth, published figures, steps",
    options: ["results", "json"],
    axes: null,
    examples: ["bench shape", "bench shape reference"],
  },
  {
    name: "capacity",
    operands: "[run|latency-record.json]",
    help: "say for how many people a rate is enough, who act as you state, with room to spare",
    options: [
      "rate",
      "requests-per-visit",
      "visits-per-day",
      "peak-share",
      "head-room",
      "think",
      "results",
      "json",
    ],
    axes: null,
    examples: ["bench capacity", "bench capacity --rate 41000 --requests-per-visit 50"],
  },
  {
    name: "show",
    operands: "[run]",
    help: "print a finished run again: tables, verdicts, what to take (default: the newest run)",
    options: ["verdicts", "results", "json"],
    axes: null,
    examples: ["bench show", "bench show reference --verdicts"],
  },
  {
    name: "runs",
    help: "list all runs, the newest first, with what each says to take",
    options: ["results", "json"],
    axes: null,
    examples: ["bench runs", "bench runs --json"],
  },
  {
    name: "report",
    operands: "[run…]",
    maxOperands: 8,
    help: "make a page of a run, compare runs in one page, or export results",
    options: ["format", "output", "serve", "card", "readme", "port", "results"],
    axes: null,
    examples: ["bench report", "bench report RUN-A RUN-B", "bench report --card", "bench report --serve"],
  },
  {
    name: "serve",
    operands: "[suite]",
    help: "serve one point of a suite on loopback until Ctrl-C, to look at it yourself",
    options: ["port", "data"],
    axes: "one",
    examples: ["bench serve SUITE --OPTION VALUE", "bench serve SUITE --port 0"],
  },
  {
    name: "data",
    operands: "[suite]",
    help: "build the files a suite's servers need, or check those there are",
    options: ["data", "verify", "json"],
    axes: "several",
    examples: ["bench data SUITE", "bench data SUITE --verify"],
  },
  {
    name: "list",
    operands: "[suite]",
    help: "list suites, profiles and tools; of one suite its axes, values, presets and what cannot be",
    options: ["json"],
    axes: null,
    examples: ["bench list", "bench list SUITE"],
  },
  {
    name: "doctor",
    help: "say what this machine can prove, what that costs and what mends it",
    options: ["data", "results", "json"],
    axes: null,
    examples: ["bench doctor", "bench doctor --json"],
  },
  {
    name: "self",
    help: "measure the bench itself: what it can see, what it misses, what stops it",
    options: ["rounds", "only", "fault", "quick", "list", "data", "results", "json"],
    axes: null,
    examples: ["bench self --only ceiling,warm --rounds 9", "bench self --only faults --fault servers"],
  },
] as const satisfies readonly Command[];

/** Name of a command. */
export type CommandName = (typeof COMMANDS)[number]["name"];

/** Name of an option of the driver. */
export type OptionName = (typeof OPTIONS)[number]["name"];

/** Names no axis may take. */
export const RESERVED: readonly string[] = (OPTIONS as readonly Option[]).flatMap(({ name, short }) =>
  short === undefined ? [name] : [name, short]
);

/** All options there are: the driver's and, once each, those of the suites' axes. */
export function optionTable(suites: readonly SuiteOptions[]): readonly Option[] {
  const axes = suites.flatMap(({ options }) => options);
  const names = [...new Set(axes.map(({ name }) => name))];
  return [...OPTIONS, ...names.map((name): Option => ({ ...axes.find((one) => one.name === name)!, value: "a,b" }))];
}
