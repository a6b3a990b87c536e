import type { SuiteOptions } from "../core/axis-options.ts";
import { OWN_OPTIONS } from "./own-options.ts";

/** One option of the command line. Parser, help and error messages are all made from these. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value in help; an option without one is a switch. */
  readonly value?: string;
  /** May be given several times. */
  readonly repeat?: true;
  readonly help: string;
  /** Of an axis's option: see `Axis` in suites/suite.ts. */
  readonly binds?: SuiteOptions["options"][number]["binds"];
}

/** Every option of the driver itself, once; those of axes come from suites. */
export const OPTIONS = [
  ...OWN_OPTIONS,
  { name: "quick", help: "minutes: verdicts under one set of conditions from 4 rounds, rates from one of 1 s" },
  { name: "thorough", help: "20 rounds, rates from 12 of 10 s" },
  {
    name: "preset",
    value: "NAME",
    help: "amounts and values a suite or config names; the last wins: defaults, config, profile, preset, flags",
  },
  { name: "plan", value: "FILE", help: "run a plan again: what --dry-run --json printed, or a run.json" },
  {
    name: "rounds",
    value: "N",
    help: "rounds, each every cell once (default: 14; bench self: 5, bench latency: 6, bench gate: 8)",
  },
  { name: "duration", value: "3s", help: "measured window of a cell alone, whole seconds (default: 2s)" },
  { name: "warmup", value: "1s", help: "load before the window, whole seconds (default: until the server is steady)" },
  { name: "warmup-loads", value: "N", help: "with --warmup: how many such loads, 1 to 6 (default: 1)" },
  {
    name: "timeout",
    value: "10s",
    help: "a reply that takes longer is missing, if not a slow server's (default: 10s)",
  },
  { name: "threads", value: "N", help: "threads of the load generator (default: one a core it has)" },
  {
    name: "seed",
    value: "N",
    help: "seed of the order and of requests drawn (default: from the clock, recorded; bench self: 1)",
  },
  { name: "server-cpus", value: "LIST", help: "CPUs of the server, such as 1 or 2-3 (default: chosen)" },
  { name: "load-cpus", value: "LIST", help: "CPUs of the load generator (default: chosen)" },
  {
    name: "server-host",
    value: "COMMAND",
    help: "run servers where it leads to: 'ssh box1', 'podman exec -i box' (default: here; docs/two-machines.md)",
  },
  { name: "load-host", value: "COMMAND", help: "run the load generator where it leads to (default: here)" },
  {
    name: "server-address",
    value: "ADDRESS",
    help: "address servers listen on, and no other; auto takes the first of their host (default: 127.0.0.1)",
  },
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
  { name: "port", value: "N", help: "port to listen on (default: 8080); of --command: the one it always listens on" },
  { name: "verify", help: "hash every file again instead of trusting sizes and times" },
  {
    name: "only",
    value: "a,b",
    help:
      "ceiling, warm, ensembles, recover, disturbed; also generators, by-hand, power, killed, gate, fuzz, faults, board, agents",
  },
  { name: "fuzz-requests", value: "N", help: "what bench self --only fuzz sends to each server (default: 100000)" },
  {
    name: "fuzz-app",
    value: "a,b",
    help: "apps to fuzz, by words in their titles: routes, frameworks koa (default: all)",
  },
  {
    name: "fault",
    value: "a,b",
    help: "faults by name, or servers, generators, files, disks, signals, locks, clocks, environments, hosts, input",
  },
  { name: "list", help: "list the faults, inject none" },
  { name: "with", value: "RUN", help: "a run already made with the same plan, instead of measuring" },
  { name: "fail-on", value: "5%", help: "exit 4 when the second is proven slower by at least this" },
  { name: "base", value: "REV", help: "revision of the app's own repository to hold it against (default: HEAD)" },
  { name: "limit", value: "3%", help: "exit 4 when the app is proven slower than its base by more (default: 3%)" },
  {
    name: "install",
    value: "LINE",
    help:
      "shell line that installs and builds the base, in its own folder (default: your packages, if it pins the same)",
  },
  { name: "markdown", help: "print Markdown, for pull requests" },
  {
    name: "rate",
    value: "N",
    help: "requests a second: bench run keeps each (1000,5k; needs oha or k6), others take one",
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
  {
    name: "output",
    value: "FILE",
    help:
      "file to write (default: report.html in the run's folder, else stdout); bench gate: its Markdown; bench pack: RUN.levelfield.gz here",
  },
  { name: "out", value: "FOLDER", help: "folder of the board: a new one, or a board to be made anew (default: board)" },
  { name: "as-is", help: "pack a run although texts in it say who made it" },
  { name: "serve", help: "serve the list of runs and their pages on loopback until Ctrl-C" },
  { name: "card", help: "write a picture of the run to share, 1200 × 630, as SVG and PNG" },
  { name: "verdicts", help: "every verdict in words, in place of the matrix" },
  { name: "readme", help: "write README.md's table and pictures from the run" },
  { name: "dry-run", help: "say what would be measured, measure nothing; with --json the plan for --plan" },
  { name: "json", help: "print results as JSON on stdout instead of a table" },
  {
    name: "config",
    value: "FILE",
    help: "take a config from there (default: levelfield.config.ts of this folder, if any)",
  },
  { name: "no-config", help: "go without a config" },
  { name: "verbose", help: "print stacks with errors" },
  { name: "help", short: "h", help: "print help" },
  { name: "version", short: "V", help: "print the versions of everything involved" },
] as const satisfies readonly Option[];

/** Options every command takes. */
export const COMMON_OPTIONS: readonly string[] = ["config", "no-config", "verbose", "help", "version"];

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
