// One table in one place: longer than other files for that.
import type { SuiteOptions } from "../plan/axis-options.ts";
import { PROTOCOLS } from "../record/cell.ts";
import { GENERATOR_NAMES, MEASURES, RANGES, SCHEDULES } from "../record/ranges.ts";
import type { CommandName } from "./commands.ts";
import { USER_TYPES } from "./user-options.ts";
import {
  cpus,
  type GivenOf,
  label,
  limit,
  listWords,
  oneOf,
  type OneOrMore,
  percentage,
  seconds,
  several,
  text,
  type Type,
  type,
  type ValueOf,
  whole,
  words,
  yes,
} from "./types.ts";

/**
 * One option. Parser, help, the check of a config and of a program's choices, and the docs' tables follow from it. Options of
 * one name for different commands may differ in type, default and help; whether there is a value they agree in.
 */
export interface Option {
  readonly name: string;
  readonly short?: string;
  readonly type: Type;
  /** Placeholder of its value in help, if not the type's. */
  readonly shown?: string;
  /** May be given several times. */
  readonly repeat?: true;
  /** A config may say it, by its name in camelCase. */
  readonly key?: true;
  /** The commands that take it. */
  readonly of?: readonly CommandName[] | "every";
  readonly help: string;
  /** Help without --help-all shows it too, where a command has more than a dozen options. */
  readonly first?: true;
  /** Its default, as it would be written. */
  readonly otherwise?: string;
  /** The default is read as if it were written; else help alone shows it, and the code decides. */
  readonly isDefault?: true;
  /**
   * May be given with a plan that is measured again: `any` with `--plan` and `--resume`, `place` with `--plan` alone, since a
   * resumed run goes on where it began.
   */
  readonly again?: "any" | "place";
  /** Of an axis's option: see `Axis` in suites/suite.ts. */
  readonly binds?: SuiteOptions["options"][number]["binds"] | undefined;
}

/** A row but for its name and commands. */
type Row = Pick<Option, "type" | "help"> & Partial<Option>;

const row = <T, In, const M extends readonly Partial<Option>[]>(type: Type<T, In>, help: string, ...more: M) =>
  Object.assign({ type, help }, ...more) as Row & {
    readonly type: Type<T, In>;
    readonly isDefault: M[0] extends { readonly isDefault: true } ? true : never;
  };
const repeat = { repeat: true } as const;
const or = (otherwise: string) => ({ otherwise });
/** Its default as it would be written, which is read. */
const is = (otherwise: string) => ({ otherwise, isDefault: true } as const);

/** Newcomers need it. */
const first = { first: true } as const;

/** It may be given with a stored plan. */
const again = { again: "any" } as const;
/** It places servers, load or services on CPUs and hosts. */
const place = { again: "place" } as const;

type Rows = Readonly<Record<string, Row>>;
type Named<R extends Rows, More> = { [N in keyof R & string]: R[N] & More & { readonly name: N } }[keyof R & string][];

/** Options that are given by hand alone: the form of a command, its files, its run. */
const byHand = <const R extends Rows>(of: readonly CommandName[] | "every", rows: R) =>
  Object.entries(rows).map(([name, row]) => ({ ...row, name, of })) as unknown as Named<R, { readonly key?: never }>;

/** Options that a config may say, too. */
const orKey = <const R extends Rows>(of: readonly CommandName[], rows: R) =>
  byHand(of, rows).map((row) => ({ ...row, key: true })) as unknown as Named<R, { readonly key: true }>;

const MATRIX = ["run"] as const;
const PAIRS = [...MATRIX, "run --pair"] as const;
const STARTED = [...PAIRS, "contrast", "latency", "explain"] as const;
const SERVERS = [...STARTED, "serve"] as const;
const REVISIONS = ["gate", "bisect"] as const;
const SERVERS_OR_GATE = [...SERVERS, ...REVISIONS] as const;
const ON_HOSTS = [...PAIRS, "contrast", "latency", "reproduce"] as const;
const PINNED = [...ON_HOSTS, "explain"] as const;
const READING = ["verify", "compare", "show"] as const;
const OTHERS = ["list", "doctor", "self"] as const;

/** Rates of an open loop, as words: the axis of that name reads them. */
const rates = several(
  type<string, string | number>(
    "N",
    "is no rate",
    "such as 1000,5k",
    (value) => ["string", "number"].includes(typeof value) ? String(value) : undefined,
  ),
  (word) => word.split(","),
);
/** Several protocols, in the order they are listed. */
const protocols: Type<string[], OneOrMore<string>> = { ...several(oneOf(PROTOCOLS), listWords), shown: "a,b" };
/** Several load generators, in the order they are listed; a config names one, for commands that take one. */
const generators = { ...several(oneOf(GENERATOR_NAMES), listWords), shown: "a,b" } as Type<string[], string>;

/** Every option of the driver itself; those of axes come from suites. */
export const OPTIONS = [
  ...orKey(SERVERS_OR_GATE, {
    app: row(
      USER_TYPES.app,
      "your own app: a module that exports a Hono app, { fetch } or a fetch function; several are variants",
      repeat,
      first,
    ),
    program: row(
      USER_TYPES.program,
      "your own server: a file that listens by itself, started on each runtime; arguments may follow it",
      repeat,
      first,
    ),
    command: row(
      USER_TYPES.command,
      "your own server, any program: started, pinned, watched and stopped; {port} in it becomes a free port",
      repeat,
      first,
    ),
  }),
  ...orKey(SERVERS, {
    target: row(
      USER_TYPES.target,
      "a server that runs already, on loopback: neither started, pinned nor stopped",
      repeat,
    ),
    pid: row(USER_TYPES.pid, "with --target: its process, for counters", or("none, and no bound is known")),
  }),
  ...orKey([...STARTED, ...REVISIONS], {
    port: row(USER_TYPES.port, "with --program, --command: the port it always listens on"),
  }),
  ...orKey(SERVERS_OR_GATE, {
    ready: row(USER_TYPES.ready, "with --program, --command: path that answers once it is ready", or("/")),
    request: row(USER_TYPES.request, "a request to your own servers", or("GET /"), repeat, first),
    requests: row(USER_TYPES.requests, "requests with weights and draws, a JSON line each; or a .har", repeat),
    header: row(USER_TYPES.header, "header of the --request before it; before any, of all", repeat),
  }),
  ...byHand(SERVERS_OR_GATE, {
    body: row(USER_TYPES.body, "body of the --request before it: a file's, or the text itself", repeat),
    websocket: row(USER_TYPES.websocket, "in place of requests: a message over a WebSocket, whose reply is recorded"),
    message: row(USER_TYPES.message, "with --websocket: the message, a file's or the text itself"),
  }),
  ...orKey(SERVERS_OR_GATE, {
    env: row(USER_TYPES.env, "a variable your own servers see; its value is never written down", repeat),
    expect: row(USER_TYPES.expect, "statuses that are right", or("replies as first recorded"), repeat),
    ignore: row(USER_TYPES.ignore, "what of a recorded reply may differ: header:etag, json:user.time", repeat),
  }),
  ...orKey(MATRIX, {
    quick: row(
      yes,
      "at most ten minutes: verdicts under one set of conditions from 4 rounds (3 to 8 as time allows), rates from one of 1 s",
      first,
    ),
    thorough: row(yes, "20 rounds, rates from 12 of 10 s", first),
    preset: row(
      text("NAME"),
      "amounts and values a suite or config names; the last wins: defaults, config, profile, preset, flags",
    ),
  }),
  ...byHand(MATRIX, {
    all: row(yes, "all of it, without a question: the same as bench all", first, again),
    plan: row(text("FILE"), "run a plan again: what --dry-run --json printed, or a run.json"),
    resume: row(text("RUN"), "go on with a stopped run: the missing steps only", first),
  }),
  ...byHand([...MATRIX, "reproduce", "explain"], {
    trust: row(yes, "measure a plan of somebody else's with all it names: commands, modules, files, variables", again),
  }),
  ...orKey(PAIRS, {
    rounds: row(whole(RANGES.rounds), "rounds, each every cell once", or("14"), first),
    duration: row(seconds, "measured window of a cell alone, whole seconds", or("2s")),
  }),
  ...orKey(REVISIONS, {
    quick: row(yes, "fewer and shorter rounds, which see less", first),
    rounds: row(whole([3, 1_000]), "rounds, each every version once", or("8"), first),
  }),
  ...orKey(["contrast"], {
    rounds: row(whole([1, 100]), "rounds, each every generator once", is("3"), first),
    duration: row(seconds, "measured window, whole seconds", is("2s")),
  }),
  ...orKey(["explain"], {
    rounds: row(whole([3, 16]), "windows with and without the profiler", is("3"), first),
    duration: row(seconds, "measured window, whole seconds", is("2s")),
  }),
  ...orKey(["latency"], {
    quick: row(yes, "two cells in three minutes: 50 and 90 %, windows of 1 s, a search only with --slo", first),
    rounds: row(whole([1, 100]), "windows at each rate", or("6, or as many as tell cells apart"), first),
    duration: row(seconds, "measured window, whole seconds", is("3s")),
  }),
  ...orKey([...PAIRS, ...REVISIONS], {
    warmup: row(seconds, "load before the window, whole seconds", or("until the server is steady"), { shown: "1s" }),
    timeout: row(seconds, "a reply that takes longer is missing, if not a slow server's", or("10s"), { shown: "10s" }),
  }),
  ...orKey(PAIRS, {
    rest: row(seconds, "after each load wait so long and read memory again: 60s", or("memory is read after the load")),
    "warmup-loads": row(whole(RANGES.warmupLoads), "with --warmup: how many such loads, 1 to 6", or("1")),
    threads: row(whole(RANGES.threads), "threads of the load generator", or("one a core it has")),
    generator: row(
      oneOf(MEASURES),
      "load generator: wrk, ontime, h2load, k6, autocannon, ab; connect opens connections, websocket sends messages, in-process calls functions",
      or("wrk"),
    ),
  }),
  ...orKey(["contrast"], {
    generator: row(
      generators,
      "load generators: wrk, ontime, h2load, k6, autocannon, ab",
      or("all there are"),
      first,
    ),
  }),
  ...orKey([...STARTED, ...REVISIONS], {
    seed: row(whole(RANGES.seed), "seed of the order and of requests drawn", or("from the clock, recorded")),
  }),
  ...orKey(MATRIX, {
    rate: row(rates, "requests per second that are kept, or shares of the capacity: 1000,5k,50%"),
  }),
  ...orKey([...MATRIX, "latency"], {
    schedule: row(oneOf(SCHEDULES), "with rates: equal gaps between requests, or random ones", is("fixed")),
  }),
  ...orKey(MATRIX, {
    protocol: row(
      protocols,
      "what is spoken, several are measured each: http, https, h2 (over TLS), h2c; see docs/tls.md",
    ),
  }),
  ...orKey(["latency"], {
    rate: row(rates, "rates to measure at, besides shares of the capacity: 5000", or("50, 70 and 90 %"), first),
  }),
  ...orKey(["latency"], { slo: row(limit, "limit a rate must hold: a percentile and a time", is("p99<10ms"), first) }),
  ...orKey(MATRIX, {
    alone: row(yes, "measure every cell alone: verdicts then rest on rates, which a shared machine makes noisy"),
    like: row(yes, "compare only cells that use their services alike: by round trips and statements parsed a request"),
    label: row(label, "label of this run's cells, to compare labels later", is("main")),
  }),
  ...byHand([...MATRIX, "explain"], {
    against: row(text("REF"), "measure another git revision in the same run, label by label"),
  }),
  ...byHand(["gate"], {
    base: row(
      text("REV"),
      "revision of the app's repository: what came since the branch left it counts",
      is("HEAD"),
      first,
    ),
    limit: row(percentage, "exit 4 when the app is proven slower than its base by more", is("3%"), first),
    strict: row(yes, "exit 3 when nothing was measured or no verdict was possible", first),
    explain: row(yes, "where a regression is proven, also say what grew: about a minute more", first),
  }),
  ...byHand([...REVISIONS, "explain"], {
    install: row(
      text("LINE"),
      "shell line that installs and builds a revision, in its own folder",
      or("your packages, if it pins the same"),
      first,
    ),
  }),
  ...byHand(["bisect"], {
    good: row(text("VERSION"), "the end before the change: bun@1.2.10, or a revision of your app's repository", first),
    bad: row(text("VERSION"), "the end with it", or("npm's latest, or HEAD"), first),
    among: row(words, "all versions in their order, where npm does not know them: bun=./a/bun,bun=./b/bun", first),
  }),
  ...byHand(["self"], {
    only: row(
      words,
      "ceiling, ensembles, recover; also from a checkout fuzz, streams, faults, ontime",
      first,
    ),
  }),
  ...orKey(["self"], {
    rounds: row(whole([1, 100]), "times each figure is measured", is("5"), first),
    seed: row(whole(RANGES.seed), "seed of what fuzz and streams draw", is("1")),
  }),
  ...byHand(["self"], {
    "fuzz-requests": row(whole([100, 10_000_000]), "what bench self --only fuzz,streams sends to each", is("100000")),
    "fuzz-app": row(words, "apps or readers to fuzz, by words in their titles: routes, frameworks koa", or("all")),
    fault: row(
      words,
      "faults by name, or servers, generators, files, disks, signals, locks, clocks, environments, hosts, input",
      first,
    ),
    quick: row(yes, "of the faults only those that are quick", first),
    list: row(yes, "list the faults, inject none", first),
  }),
  ...orKey([...PINNED, ...REVISIONS], {
    "server-cpus": row(cpus, "CPUs of the server, such as 1 or 2-3", or("chosen"), place),
    "load-cpus": row(cpus, "CPUs of the load generator", or("chosen"), place),
  }),
  ...orKey(STARTED, {
    "force-workers": row(
      yes,
      "run more workers than there are cores for: marked, and without a verdict on their rates",
      place,
    ),
  }),
  ...byHand(ON_HOSTS, {
    yes: row(yes, "begin without asking what takes longer than a quarter of an hour", first, again),
  }),
  ...byHand(ON_HOSTS, {
    "server-host": row(
      text("COMMAND"),
      "run servers where it leads to: 'ssh box1', 'podman exec -i box'",
      or("here; docs/two-machines.md"),
      place,
    ),
  }),
  ...byHand([...ON_HOSTS, ...REVISIONS], {
    "load-host": row(text("COMMAND"), "run the load generator there", or("here"), place),
    "server-address": row(
      text("ADDRESS"),
      "address servers listen on, and no other; auto takes the first of their host",
      or("127.0.0.1"),
      place,
    ),
  }),
  ...byHand(STARTED, {
    "service-host": row(
      text("COMMAND"),
      "run services beside the servers where it leads to",
      or("beside the servers"),
      place,
    ),
    "service-address": row(
      text("ADDRESS"),
      "address services listen on, for those who have their password; auto as above",
      or("127.0.0.1"),
      place,
    ),
  }),
  ...byHand(["reproduce"], { with: row(text("RUN"), "a run already made with the same plan, instead of measuring") }),
  ...orKey(["compare"], { "fail-on": row(percentage, "exit 4 when the second is proven slower by at least this") }),
  ...byHand(["report"], {
    format: row(
      text("html|csv|…"),
      "html, markdown, csv, json, benchstat, bencher, github-action-benchmark, shields",
      is("html"),
    ),
    output: row(text("FILE"), "file to write", or("report.html in the run's folder; of other formats stdout")),
    card: row(yes, "write a picture of the run to share, 1200 × 630, as SVG and PNG"),
    readme: row(yes, "write README.md's table and pictures from the run"),
  }),
  ...byHand(["serve"], {
    port: row(
      whole([0, 65_535]),
      "port to listen on, 0 takes a free one; of --program, --command: the one it always listens on",
      is("8080"),
      first,
    ),
  }),
  ...byHand(["gate"], { output: row(text("FILE"), "file to write its Markdown to", first) }),
  ...byHand(["compare"], {
    output: row(text("FILE"), "runs in order of time: file to write a page to"),
    all: row(yes, "runs in order of time: every run and every cell, too"),
  }),
  ...byHand(["show"], {
    all: row(yes, "all there is: every cell, every verdict in words, what limited them"),
    list: row(yes, "list all runs instead, the newest first, with what each says to take"),
  }),
  ...byHand(["run", "run --pair"], {
    pair: row(yes, "compare two cells alone: bench run --pair CELL CELL", first),
  }),
  ...orKey([...PINNED, ...REVISIONS, ...READING, "report", "self", "doctor"], {
    results: row(text("DIR"), "folder of runs", or("levelfield-results, in a clone results"), again),
  }),
  ...orKey([...PINNED, ...REVISIONS, "serve", "doctor", "self"], {
    data: row(text("DIR"), "folder of files built for servers", or(".data"), again),
  }),
  ...byHand(["compare", "gate"], { markdown: row(yes, "print Markdown, for pull requests") }),
  ...byHand(MATRIX, {
    "dry-run": row(yes, "say what would be done, check your own modules, and measure nothing", first, again),
    prepare: row(yes, "build the files the servers need, or check those there are, and measure nothing", again),
  }),
  ...byHand(["init"], { "dry-run": row(yes, "say what would be done, and do nothing", first) }),
  ...byHand([...PINNED, ...REVISIONS, ...READING, ...OTHERS], {
    json: row(yes, "print results as JSON on stdout instead of a table", again),
  }),
  ...byHand("every", {
    config: row(
      text("FILE"),
      "take a config from there",
      or("levelfield.config.ts of this folder where that is to be measured, served or built"),
    ),
    "no-config": row(yes, "go without a config"),
    verbose: row(yes, "print stacks with errors"),
    help: row(yes, "print help", { short: "h" }),
    "help-all": row(yes, "print help with all commands, or all options of a command"),
    version: row(yes, "print the versions of everything involved", { short: "V" }),
  }),
];

/** One row of the table. */
type AnyRow = (typeof OPTIONS)[number];

/** Name of an option of the driver. */
export type OptionName = AnyRow["name"];

/** The value of an option once it is read; never undefined if every row of its name has a default. */
export type OptionValue<N extends OptionName> = N extends OptionName ? { [R in AnyRow as R["name"]]: ReadAs<R> }[N]
  : never;
type ReadAs<R extends AnyRow> = R extends { readonly isDefault: true } ? ValueOf<R["type"]>
  : ValueOf<R["type"]> | undefined;

/** Keys of a config that are options, each with the values it may have there. */
export type ConfigKeys = {
  readonly [R in Extract<AnyRow, { readonly key: true }> as CamelCase<R["name"]>]?: GivenOf<R["type"]>;
};
/** The key of a config for an option: `warmup-loads` is `warmupLoads`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;
